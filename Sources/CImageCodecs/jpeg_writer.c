#include "jpeg_writer.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

struct codec_jpeg_writer {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    codec_failure failure;
    jmp_buf *escape;  /* the setjmp frame of the call in progress; NULL between calls */
    int file;
    bool created;     /* jpeg_create_compress has returned */
    int64_t bytes;
    JOCTET buffer[DESCRIPTOR_BUFFER_SIZE];
};

static codec_jpeg_writer *writer_of(void *client_data) { return client_data; }

static void on_error(j_common_ptr codec) {
    codec_jpeg_writer *writer = writer_of(codec->client_data);
    if (writer->failure.status == CODEC_OK) {
        char message[JMSG_LENGTH_MAX];
        codec->err->format_message(codec, message);
        snprintf(writer->failure.message, sizeof writer->failure.message, "%s", message);
        writer->failure.status =
            codec->err->msg_code == JERR_OUT_OF_MEMORY ? CODEC_OUT_OF_MEMORY : CODEC_UNSUPPORTED;
    }
    longjmp(*writer->escape, 1);
}

static void ignore_message(j_common_ptr codec, int level) {
    (void)level;
    codec->err->num_warnings = 0;
}

static void print_nothing(j_common_ptr codec) { (void)codec; }

static void flush(codec_jpeg_writer *writer, size_t count) {
    if (descriptor_write(writer->file, writer->buffer, count) != 0) {
        writer->failure.status = CODEC_IO;
        writer->failure.io_errno = errno;
        snprintf(writer->failure.message, sizeof writer->failure.message, "writing failed");
        longjmp(*writer->escape, 1);
    }
    writer->bytes += (int64_t)count;
    writer->destination.next_output_byte = writer->buffer;
    writer->destination.free_in_buffer = sizeof writer->buffer;
}

static void begin_destination(j_compress_ptr codec) {
    codec_jpeg_writer *writer = writer_of(codec->client_data);
    writer->destination.next_output_byte = writer->buffer;
    writer->destination.free_in_buffer = sizeof writer->buffer;
}

/* libjpeg calls this function when the buffer is full; free_in_buffer is not valid then. */
static boolean empty_destination(j_compress_ptr codec) {
    codec_jpeg_writer *writer = writer_of(codec->client_data);
    flush(writer, sizeof writer->buffer);
    return TRUE;
}

static void end_destination(j_compress_ptr codec) {
    codec_jpeg_writer *writer = writer_of(codec->client_data);
    flush(writer, sizeof writer->buffer - writer->destination.free_in_buffer);
}

codec_status codec_jpeg_writer_open(
    int file, uint32_t width, uint32_t height, int quality, codec_jpeg_writer **result) {
    codec_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return CODEC_OUT_OF_MEMORY;
    *result = writer;
    writer->file = file;

    struct jpeg_compress_struct *codec = &writer->codec;
    codec->err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    writer->errors.emit_message = ignore_message;
    writer->errors.output_message = print_nothing;
    codec->client_data = writer;

    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        jpeg_create_compress(codec);
        writer->created = true;
        writer->destination.init_destination = begin_destination;
        writer->destination.empty_output_buffer = empty_destination;
        writer->destination.term_destination = end_destination;
        codec->dest = &writer->destination;
        codec->image_width = width;
        codec->image_height = height;
        codec->input_components = 3;
        codec->in_color_space = JCS_RGB;
        /* The defaults are baseline, JFIF and 4:2:0. Optimised Huffman tables would require all coefficients in
           memory. */
        jpeg_set_defaults(codec);
        jpeg_set_quality(codec, quality, TRUE);
        if (quality >= CODEC_JPEG_FULL_COLOUR_QUALITY) {
            codec->comp_info[0].h_samp_factor = 1;
            codec->comp_info[0].v_samp_factor = 1;
        }
        jpeg_start_compress(codec, TRUE);
    }
    writer->escape = NULL;
    return writer->failure.status;
}

codec_status codec_jpeg_writer_row(codec_jpeg_writer *writer, const uint8_t *row) {
    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        /* libjpeg does not write to its input; the type of its parameter merely lacks const. */
        JSAMPROW rows[1] = {(JSAMPROW)row};
        jpeg_write_scanlines(&writer->codec, rows, 1);
    }
    writer->escape = NULL;
    return writer->failure.status;
}

codec_status codec_jpeg_writer_finish(codec_jpeg_writer *writer, int64_t *bytes) {
    jmp_buf frame;
    writer->escape = &frame;
    if (setjmp(frame) == 0) {
        jpeg_finish_compress(&writer->codec);
        *bytes = writer->bytes;
    }
    writer->escape = NULL;
    return writer->failure.status;
}

const codec_failure *codec_jpeg_writer_failure(const codec_jpeg_writer *writer) { return &writer->failure; }

void codec_jpeg_writer_close(codec_jpeg_writer *writer) {
    if (writer == NULL) return;
    if (writer->created) jpeg_destroy_compress(&writer->codec);
    free(writer);
}
