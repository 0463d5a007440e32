#include "png_writer.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct codec_png_writer {
    png_structp png;
    png_infop info;
    codec_failure failure;
    jmp_buf *escape;  /* the frame of the call in progress; NULL outside of calls */
    int file;
    int64_t bytes;
    size_t filled;
    uint8_t buffer[DESCRIPTOR_BUFFER_SIZE];
};

static void fail(codec_png_writer *writer, codec_status status, const char *message) {
    if (writer->failure.status != CODEC_OK) return;
    writer->failure.status = status;
    snprintf(writer->failure.message, sizeof writer->failure.message, "%s", message);
}

static void on_error(png_structp png, png_const_charp message) {
    codec_png_writer *writer = png_get_error_ptr(png);
    fail(writer, strstr(message, "ut of memory") ? CODEC_OUT_OF_MEMORY : CODEC_UNSUPPORTED, message);
    longjmp(*writer->escape, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void flush_bytes(png_structp png) {
    codec_png_writer *writer = png_get_io_ptr(png);
    if (descriptor_write(writer->file, writer->buffer, writer->filled) != 0) {
        writer->failure.io_errno = errno;
        fail(writer, CODEC_IO, "writing failed");
        longjmp(*writer->escape, 1);
    }
    writer->bytes += (int64_t)writer->filled;
    writer->filled = 0;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    codec_png_writer *writer = png_get_io_ptr(png);
    while (count > 0) {
        size_t part = sizeof writer->buffer - writer->filled;
        if (part > count) part = count;
        memcpy(writer->buffer + writer->filled, bytes, part);
        writer->filled += part;
        bytes += part;
        count -= part;
        if (writer->filled == sizeof writer->buffer) flush_bytes(png);
    }
}

codec_status codec_png_writer_open(
    int file, uint32_t width, uint32_t height, int level, codec_png_writer **result) {
    codec_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return CODEC_OUT_OF_MEMORY;
    *result = writer;
    writer->file = file;

    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, ignore_warning);
        if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
        if (writer->info == NULL) {
            fail(writer, CODEC_OUT_OF_MEMORY, "out of memory");
        } else {
            png_set_write_fn(writer->png, writer, write_bytes, flush_bytes);
            /* A row may be as wide as a picture is allowed to be, which is over libpng's own limit. */
            png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            png_set_IHDR(
                writer->png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            png_set_compression_level(writer->png, level);
            png_write_info(writer->png, writer->info);
        }
    }
    writer->escape = NULL;
    return writer->failure.status;
}

codec_status codec_png_writer_row(codec_png_writer *writer, const uint8_t *row) {
    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) png_write_row(writer->png, row);
    writer->escape = NULL;
    return writer->failure.status;
}

codec_status codec_png_writer_finish(codec_png_writer *writer, int64_t *bytes) {
    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        png_write_end(writer->png, NULL);
        flush_bytes(writer->png);
        *bytes = writer->bytes;
    }
    writer->escape = NULL;
    return writer->failure.status;
}

const codec_failure *codec_png_writer_failure(const codec_png_writer *writer) { return &writer->failure; }

void codec_png_writer_close(codec_png_writer *writer) {
    if (writer == NULL) return;
    if (writer->png != NULL) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer);
}
