// make-photos FOLDER COUNT WIDTH HEIGHT GRAIN
//
// Writes COUNT different JPEG photos, 00001.jpg and so on. Each has another smooth gradient with grain. The amount of
// grain determines the file size. The same arguments make the same files.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Must come after <stdio.h>, because it uses size_t and FILE without declaring them.
#include <jpeglib.h>

enum { CHANNELS = 3, QUALITY = 82 };

/// xorshift64, which returns the same numbers on every system. rand() may not.
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static unsigned char clamped(int value) {
    return (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void write_photo(FILE *file, int number, int width, int height, int grain) {
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    jpeg_stdio_dest(&encoder, file);
    encoder.image_width = (JDIMENSION)width;
    encoder.image_height = (JDIMENSION)height;
    encoder.input_components = CHANNELS;
    encoder.in_color_space = JCS_RGB;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, QUALITY, TRUE);
    jpeg_start_compress(&encoder, TRUE);

    // The large odd factor makes the states of consecutive numbers very different. The state is never zero.
    uint64_t random = (uint64_t)number * 0x9E3779B97F4A7C15u;
    int from[CHANNELS], to[CHANNELS];
    for (int channel = 0; channel < CHANNELS; channel++) {
        from[channel] = (int)(next_random(&random) >> 56);
        to[channel] = (int)(next_random(&random) >> 56);
    }
    unsigned char *row = malloc((size_t)width * CHANNELS);
    if (row == NULL) exit(71);
    while (encoder.next_scanline < encoder.image_height) {
        int line = (int)encoder.next_scanline;
        for (int column = 0; column < width; column++) {
            int speck = grain == 0 ? 0 : (int)(next_random(&random) >> 40) % (2 * grain + 1) - grain;
            for (int channel = 0; channel < CHANNELS; channel++) {
                int way = to[channel] - from[channel];
                int value = from[channel] + way * (line + column) / (width + height);
                row[column * CHANNELS + channel] = clamped(value + speck);
            }
        }
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    free(row);
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: make-photos FOLDER COUNT WIDTH HEIGHT GRAIN\n");
        return 64;
    }
    for (int number = 1; number <= atoi(arguments[2]); number++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%05d.jpg", arguments[1], number);
        FILE *file = fopen(path, "wb");
        if (file == NULL) {
            perror(path);
            return 73;
        }
        write_photo(file, number, atoi(arguments[3]), atoi(arguments[4]), atoi(arguments[5]));
        if (fclose(file) != 0) {
            perror(path);
            return 74;
        }
    }
    return 0;
}
