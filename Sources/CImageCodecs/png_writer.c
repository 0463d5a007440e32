#include "png_writer.h"
#include "descriptor_output.h"
#include "png_filter.h"
#include "png_packer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct codec_png_writer {
    png_structp png;
    png_infop info;
    codec_failure failure;
    jmp_buf *escape;     /* the setjmp frame of the call in progress; NULL between calls */
    bool lacked_memory;  /* an allocation for libpng or zlib failed */
    png_packer packer;
    size_t row_length;
    uint8_t *rows;            /* the current row and the row above it, each between margins */
    uint8_t *row, *prior;     /* pointers to these two rows */
    size_t chunk_length;
    uint8_t chunk[DESCRIPTOR_BUFFER_SIZE];  /* the data of an IDAT chunk */
    descriptor_output output;
};

static void fail(codec_png_writer *writer, codec_status status, const char *message) {
    if (writer->failure.status != CODEC_OK) return;
    writer->failure.status = status;
    snprintf(writer->failure.message, sizeof writer->failure.message, "%s", message);
}

/* The allocator of libpng and its zlib records that memory has run out, because libpng reports this only in messages
   that vary. */
static png_voidp allocate_memory(png_structp png, png_alloc_size_t size) {
    codec_png_writer *writer = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (memory == NULL) writer->lacked_memory = true;
    return memory;
}

static void release_memory(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_error(png_structp png, png_const_charp message) {
    codec_png_writer *writer = png_get_error_ptr(png);
    fail(writer, writer->lacked_memory ? CODEC_OUT_OF_MEMORY : CODEC_UNSUPPORTED, message);
    longjmp(*writer->escape, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void fail_to_write(codec_png_writer *writer) {
    writer->failure.io_errno = errno;
    fail(writer, CODEC_IO, "writing failed");
    longjmp(*writer->escape, 1);
}

static void flush_bytes(png_structp png) {
    codec_png_writer *writer = png_get_io_ptr(png);
    if (!descriptor_output_flush(&writer->output)) fail_to_write(writer);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    codec_png_writer *writer = png_get_io_ptr(png);
    if (!descriptor_output_put(&writer->output, bytes, count)) fail_to_write(writer);
}

/* Allocates the packer and the rows. The margins, and the row above the first one, are zeros. */
static bool allocate(codec_png_writer *writer, uint32_t width, int level) {
    writer->row_length = (size_t)width * FILTERED_PIXEL;
    size_t each = FILTER_MARGIN + writer->row_length + FILTER_MARGIN;
    writer->rows = calloc(2, each);
    if (writer->rows == NULL) return false;
    writer->row = writer->rows + FILTER_MARGIN;
    writer->prior = writer->row + each;
    return png_packer_begin(&writer->packer, level, 1 + writer->row_length) == Z_OK;
}

static void write_chunk(codec_png_writer *writer) {
    png_write_chunk(writer->png, (png_const_bytep)"IDAT", writer->chunk, writer->chunk_length);
    writer->chunk_length = 0;
}

/* A block that is stored, with its bytes as they are, is the longest piece. */
_Static_assert(sizeof ((codec_png_writer *)0)->chunk >= 65535, "a chunk has room for any piece of compressed data");

static void gather(void *context, const uint8_t *bytes, size_t count) {
    codec_png_writer *writer = context;
    if (writer->chunk_length + count > sizeof writer->chunk) write_chunk(writer);
    memcpy(writer->chunk + writer->chunk_length, bytes, count);
    writer->chunk_length += count;
}

codec_status codec_png_writer_open(
    int file, uint32_t width, uint32_t height, int level, codec_png_writer **result) {
    codec_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return CODEC_OUT_OF_MEMORY;
    *result = writer;
    writer->output.file = file;

    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        writer->png = png_create_write_struct_2(
            PNG_LIBPNG_VER_STRING, writer, on_error, ignore_warning, writer, allocate_memory, release_memory);
        if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
        if (writer->info == NULL || !allocate(writer, width, level)) {
            fail(writer, CODEC_OUT_OF_MEMORY, "out of memory");
        } else {
            png_set_write_fn(writer->png, writer, write_bytes, flush_bytes);
            /* The widest picture that is allowed exceeds libpng's default limit. */
            png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            png_set_IHDR(
                writer->png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            png_write_info(writer->png, writer->info);
        }
    }
    writer->escape = NULL;
    return writer->failure.status;
}

codec_status codec_png_writer_row(codec_png_writer *writer, const uint8_t *row) {
    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        memcpy(writer->row, row, writer->row_length);
        png_filter_row(writer->row, writer->prior, writer->row_length, png_packer_row(&writer->packer));
        png_packer_add(&writer->packer, 1 + writer->row_length, gather, writer);
        uint8_t *above = writer->prior;
        writer->prior = writer->row;
        writer->row = above;
    }
    writer->escape = NULL;
    return writer->failure.status;
}

codec_status codec_png_writer_finish(codec_png_writer *writer, int64_t *bytes) {
    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        png_packer_finish(&writer->packer, gather, writer);
        write_chunk(writer);
        png_write_chunk(writer->png, (png_const_bytep)"IEND", NULL, 0);
        flush_bytes(writer->png);
        *bytes = writer->output.bytes;
    }
    writer->escape = NULL;
    return writer->failure.status;
}

const codec_failure *codec_png_writer_failure(const codec_png_writer *writer) { return &writer->failure; }

void codec_png_writer_close(codec_png_writer *writer) {
    if (writer == NULL) return;
    if (writer->png != NULL) png_destroy_write_struct(&writer->png, &writer->info);
    png_packer_end(&writer->packer);
    free(writer->rows);
    free(writer);
}
