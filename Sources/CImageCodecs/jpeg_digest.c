#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

enum { WIDTH = 45, HEIGHT = 37, CHANNELS = 3 };

/* `errors` is the first member, so that on_error can cast the pointer that libjpeg holds to the whole struct. */
typedef struct failing_codec {
    struct jpeg_error_mgr errors;
    jmp_buf frame;
} failing_codec;

static void on_error(j_common_ptr codec) { longjmp(((failing_codec *)codec->err)->frame, 1); }

static void ignore_message(j_common_ptr codec, int level) {
    (void)codec;
    (void)level;
}

static struct jpeg_error_mgr *catching(failing_codec *failing) {
    jpeg_std_error(&failing->errors);
    failing->errors.error_exit = on_error;
    failing->errors.emit_message = ignore_message;
    return &failing->errors;
}

/* Adds bytes to a digest by FNV-1a. */
static void add(uint64_t *digest, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) *digest = (*digest ^ bytes[i]) * 0x100000001B3;
}

/* The pattern has gradients, edges and noise, so that every coefficient is used. */
static uint8_t sample(unsigned x, unsigned y, unsigned channel) {
    unsigned slope = x * (3 + 2 * channel) + y * (7 - 2 * channel);
    unsigned grain = (x * y * 31 + channel * 17) % 23, edge = (x / 9 + y / 7) % 2 * 80;
    return (uint8_t)(slope + grain + edge);
}

/* Encodes the pattern. The caller frees *bytes, even after a failure. */
static bool write_pattern(int quality, unsigned char **bytes, unsigned long *length) {
    failing_codec failing;
    struct jpeg_compress_struct codec = {.err = catching(&failing)};
    if (setjmp(failing.frame) != 0) {
        jpeg_destroy_compress(&codec);
        return false;
    }
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, bytes, length);
    codec.image_width = WIDTH;
    codec.image_height = HEIGHT;
    codec.input_components = CHANNELS;
    codec.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    if (quality >= CODEC_JPEG_FULL_COLOUR_QUALITY)
        codec.comp_info[0].h_samp_factor = codec.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&codec, TRUE);
    for (unsigned y = 0; y < HEIGHT; y++) {
        uint8_t row[WIDTH * CHANNELS];
        for (unsigned i = 0; i < WIDTH * CHANNELS; i++) row[i] = sample(i / CHANNELS, y, i % CHANNELS);
        JSAMPROW rows[1] = {row};
        jpeg_write_scanlines(&codec, rows, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    return true;
}

/* Decodes the pattern at 1/denominator of its size and adds its pixels to the digest. */
static bool add_pixels(uint64_t *digest, const unsigned char *bytes, unsigned long length, unsigned denominator) {
    failing_codec failing;
    struct jpeg_decompress_struct codec = {.err = catching(&failing)};
    if (setjmp(failing.frame) != 0) {
        jpeg_destroy_decompress(&codec);
        return false;
    }
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, bytes, length);
    jpeg_read_header(&codec, TRUE);
    codec.scale_num = 1;
    codec.scale_denom = denominator;
    codec.out_color_space = JCS_RGB;
    jpeg_start_decompress(&codec);
    while (codec.output_scanline < codec.output_height) {
        uint8_t row[WIDTH * CHANNELS];
        JSAMPROW rows[1] = {row};
        jpeg_read_scanlines(&codec, rows, 1);
        add(digest, row, codec.output_width * CHANNELS);
    }
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return true;
}

uint64_t codec_jpeg_digest(void) {
    static const int qualities[] = {60, 82, 95};
    uint64_t digest = 0xCBF29CE484222325;
    bool done = true;
    for (size_t i = 0; done && i < sizeof qualities / sizeof *qualities; i++) {
        unsigned char *bytes = NULL;
        unsigned long length = 0;
        done = write_pattern(qualities[i], &bytes, &length);
        if (done) add(&digest, bytes, length);
        for (unsigned denominator = 1; done && denominator <= 8; denominator *= 2)
            done = add_pixels(&digest, bytes, length, denominator);
        free(bytes);
    }
    return done ? digest : 0;
}
