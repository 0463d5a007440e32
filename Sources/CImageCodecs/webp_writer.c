#include "webp_writer.h"
#include "descriptor_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>

/* The number of rows that are converted to YUV at a time. It is even, because two rows share their chroma samples. */
enum { STRIP_ROWS = 32 };

struct codec_webp_writer {
    codec_failure failure;
    WebPConfig config;
    WebPPicture picture;
    uint8_t *strip;
    size_t bytes_per_row;
    uint32_t rows, rows_in_strip;
    bool (*is_cancelled)(void *context);
    void *context;
    descriptor_output output;
};

int codec_webp_writer_version(void) { return WebPGetEncoderVersion(); }

static codec_status fail(codec_webp_writer *writer, codec_status status, const char *message) {
    if (writer->failure.status == CODEC_OK) {
        writer->failure.status = status;
        snprintf(writer->failure.message, sizeof writer->failure.message, "%s", message);
    }
    return writer->failure.status;
}

static codec_status fail_by(codec_webp_writer *writer, WebPEncodingError code) {
    switch (code) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: return fail(writer, CODEC_OUT_OF_MEMORY, "out of memory");
    case VP8_ENC_ERROR_USER_ABORT: return fail(writer, CODEC_CANCELLED, "cancelled");
    default: return fail(writer, CODEC_UNSUPPORTED, "libwebp cannot hold the picture");
    }
}

static codec_status fail_to_write(codec_webp_writer *writer) {
    writer->failure.io_errno = errno;
    return fail(writer, CODEC_IO, "writing failed");
}

static int write_bytes(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
    codec_webp_writer *writer = picture->custom_ptr;
    if (descriptor_output_put(&writer->output, bytes, count)) return 1;
    fail_to_write(writer);
    return 0;
}

static int go_on(int percent, const WebPPicture *picture) {
    (void)percent;
    codec_webp_writer *writer = picture->user_data;
    return !writer->is_cancelled(writer->context);
}

codec_status codec_webp_writer_open(
    int file, uint32_t width, uint32_t height, bool has_alpha, float quality, int method, codec_webp_writer **result) {
    codec_webp_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return CODEC_OUT_OF_MEMORY;
    *result = writer;
    writer->output.file = file;
    WebPPicture *picture = &writer->picture;
    if (!WebPConfigInit(&writer->config) || !WebPPictureInit(picture))
        return fail(writer, CODEC_UNSUPPORTED, "another libwebp than expected");
    writer->config.quality = quality;
    writer->config.method = method;
    if ((uint64_t)width * height > CODEC_WEBP_MOST_PIXELS_IN_TOKENS) {
        writer->config.low_memory = 1;
        writer->config.partitions = 3;  /* the binary logarithm of their number */
    }
    if (!WebPValidateConfig(&writer->config) || width > CODEC_WEBP_LONGEST_SIDE || height > CODEC_WEBP_LONGEST_SIDE)
        return fail(writer, CODEC_UNSUPPORTED, "no size or quality that WebP has");
    picture->width = (int)width;
    picture->height = (int)height;
    picture->colorspace = has_alpha ? WEBP_YUV420A : WEBP_YUV420;
    picture->writer = write_bytes;
    picture->custom_ptr = writer;
    picture->progress_hook = go_on;
    picture->user_data = writer;
    writer->bytes_per_row = (size_t)width * (has_alpha ? 4 : 3);
    writer->strip = malloc(writer->bytes_per_row * STRIP_ROWS);
    if (writer->strip == NULL) return fail(writer, CODEC_OUT_OF_MEMORY, "out of memory");
    return WebPPictureAlloc(picture) ? CODEC_OK : fail_by(writer, picture->error_code);
}

static void copy_rows(
    uint8_t *to, size_t to_stride, const uint8_t *from, size_t from_stride, size_t width, size_t rows) {
    for (size_t row = 0; row < rows; row++) memcpy(to + row * to_stride, from + row * from_stride, width);
}

/* Converts the rows of the strip and appends them to the picture. */
static codec_status take_strip(codec_webp_writer *writer) {
    WebPPicture *picture = &writer->picture;
    bool has_alpha = picture->a != NULL;
    WebPPicture part;
    if (!WebPPictureInit(&part)) return fail(writer, CODEC_UNSUPPORTED, "another libwebp than expected");
    part.width = picture->width;
    part.height = (int)writer->rows_in_strip;
    int stride = (int)writer->bytes_per_row;
    bool done = has_alpha ? WebPPictureImportRGBA(&part, writer->strip, stride)
                          : WebPPictureImportRGB(&part, writer->strip, stride);
    if (done) {
        size_t width = (size_t)picture->width, rows = writer->rows_in_strip, top = writer->rows - rows;
        size_t half_width = (width + 1) / 2, half_rows = (rows + 1) / 2, half_top = top / 2;
        size_t stride_y = (size_t)picture->y_stride, stride_uv = (size_t)picture->uv_stride;
        copy_rows(picture->y + top * stride_y, stride_y, part.y, (size_t)part.y_stride, width, rows);
        copy_rows(picture->u + half_top * stride_uv, stride_uv, part.u, (size_t)part.uv_stride, half_width, half_rows);
        copy_rows(picture->v + half_top * stride_uv, stride_uv, part.v, (size_t)part.uv_stride, half_width, half_rows);
        uint8_t *alpha = has_alpha ? picture->a + top * (size_t)picture->a_stride : NULL;
        /* libwebp allocates no alpha plane if all rows are opaque. */
        if (has_alpha && part.a != NULL)
            copy_rows(alpha, (size_t)picture->a_stride, part.a, (size_t)part.a_stride, width, rows);
        else if (has_alpha)
            for (size_t row = 0; row < rows; row++) memset(alpha + row * (size_t)picture->a_stride, 0xFF, width);
    } else {
        fail_by(writer, part.error_code);
    }
    WebPPictureFree(&part);
    writer->rows_in_strip = 0;
    return writer->failure.status;
}

codec_status codec_webp_writer_row(codec_webp_writer *writer, const uint8_t *row) {
    if (writer->rows == (uint32_t)writer->picture.height) return fail(writer, CODEC_UNSUPPORTED, "too many rows");
    memcpy(writer->strip + writer->rows_in_strip * writer->bytes_per_row, row, writer->bytes_per_row);
    writer->rows++;
    writer->rows_in_strip++;
    bool is_full = writer->rows_in_strip == STRIP_ROWS || writer->rows == (uint32_t)writer->picture.height;
    return is_full ? take_strip(writer) : CODEC_OK;
}

/* Empties the file after a failed attempt. */
static bool start_again(codec_webp_writer *writer) {
    int file = writer->output.file;
    writer->output.filled = 0;
    writer->output.bytes = 0;
    if (lseek(file, 0, SEEK_SET) == 0 && ftruncate(file, 0) == 0) return true;
    fail_to_write(writer);
    return false;
}

/* The format holds 16 MB of coefficients in each of up to eight partitions, and 512 KB of other data in a first
   partition. If that overflows, the next attempt stores less for each block. If another partition overflows, as with
   noise of a hundred megapixels, the next attempt has a lower quality, and so fewer coefficients. */
static bool compress(codec_webp_writer *writer) {
    WebPConfig *config = &writer->config;
    WebPPicture *picture = &writer->picture;
    while (!WebPEncode(config, picture)) {
        if (picture->error_code == VP8_ENC_ERROR_PARTITION0_OVERFLOW && config->partition_limit < 100)
            config->partition_limit = 100;
        else if (picture->error_code == VP8_ENC_ERROR_PARTITION_OVERFLOW && config->quality > 10)
            config->quality = config->quality / 2;
        else
            return false;
        if (!start_again(writer)) return false;
    }
    return true;
}

codec_status codec_webp_writer_finish(
    codec_webp_writer *writer, bool (*is_cancelled)(void *context), void *context, int64_t *bytes) {
    if (writer->rows != (uint32_t)writer->picture.height) return fail(writer, CODEC_UNSUPPORTED, "too few rows");
    free(writer->strip);
    writer->strip = NULL;
    writer->is_cancelled = is_cancelled;
    writer->context = context;
    if (!compress(writer))
        fail_by(writer, writer->picture.error_code);
    else if (descriptor_output_flush(&writer->output))
        *bytes = writer->output.bytes;
    else
        fail_to_write(writer);
    WebPPictureFree(&writer->picture);
    return writer->failure.status;
}

const codec_failure *codec_webp_writer_failure(const codec_webp_writer *writer) { return &writer->failure; }

void codec_webp_writer_close(codec_webp_writer *writer) {
    if (writer == NULL) return;
    WebPPictureFree(&writer->picture);
    free(writer->strip);
    free(writer);
}
