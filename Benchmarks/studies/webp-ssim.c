/* webp-ssim METHODS PICTURE.ppm…

   Compresses each picture to JPEG and to WebP at many qualities, as gallerygen does, and prints a line of
   comma-separated values for each: file, format, quality, method, bytes, SSIM of lightness, mean SSIM of red, green and
   blue, and processor time in seconds. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
#include <webp/decode.h>
#include <webp/encode.h>

static const int jpeg_qualities[] = {10, 20, 30, 45, 60, 75, 82, 90, 95};
static const int webp_qualities[] = {5, 10, 20, 30, 40, 50, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 98};

typedef struct { int width, height; uint8_t *pixels; } picture;

static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double sample(const uint8_t *pixel, int channel) {
    return channel < 3 ? pixel[channel] : 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
}

/* The mean SSIM of all blocks of 8 x 8 pixels. Channel 3 is lightness. */
static double ssim(const picture *one, const picture *other, int channel) {
    double sum = 0;
    long blocks = 0;
    for (int top = 0; top + 8 <= one->height; top += 8)
        for (int left = 0; left + 8 <= one->width; left += 8, blocks++) {
            double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
            for (int place = 0; place < 64; place++) {
                size_t at = 3 * ((size_t)(top + place / 8) * (size_t)one->width + (size_t)(left + place % 8));
                double x = sample(one->pixels + at, channel), y = sample(other->pixels + at, channel);
                a += x, b += y, aa += x * x, bb += y * y, ab += x * y;
            }
            a /= 64, b /= 64, aa = aa / 64 - a * a, bb = bb / 64 - b * b, ab = ab / 64 - a * b;
            sum += (2 * a * b + 6.5025) * (2 * ab + 58.5225) / ((a * a + b * b + 6.5025) * (aa + bb + 58.5225));
        }
    return sum / (double)blocks;
}

static void print(
    const char *file, const char *format, int quality, int method, const picture *one, const picture *other, size_t bytes,
    double seconds) {
    double colours = (ssim(one, other, 0) + ssim(one, other, 1) + ssim(one, other, 2)) / 3;
    printf("%s,%s,%d,%d,%zu,%.6f,%.6f,%.5f\n", file, format, quality, method, bytes, ssim(one, other, 3), colours, seconds);
}

static void try_jpeg(const char *file, const picture *original, picture *copy, int quality) {
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct encoder = {.err = jpeg_std_error(&errors)};
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    double start = processor_seconds();
    jpeg_create_compress(&encoder);
    jpeg_mem_dest(&encoder, &bytes, &length);
    encoder.image_width = (JDIMENSION)original->width;
    encoder.image_height = (JDIMENSION)original->height;
    encoder.input_components = 3;
    encoder.in_color_space = JCS_RGB;
    jpeg_set_defaults(&encoder);
    jpeg_set_quality(&encoder, quality, TRUE);
    jpeg_start_compress(&encoder, TRUE);
    size_t stride = (size_t)original->width * 3;
    while (encoder.next_scanline < encoder.image_height) {
        JSAMPROW row = original->pixels + encoder.next_scanline * stride;
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    double seconds = processor_seconds() - start;

    struct jpeg_decompress_struct decoder = {.err = &errors};
    jpeg_create_decompress(&decoder);
    jpeg_mem_src(&decoder, bytes, length);
    jpeg_read_header(&decoder, TRUE);
    jpeg_start_decompress(&decoder);
    while (decoder.output_scanline < decoder.output_height) {
        JSAMPROW row = copy->pixels + decoder.output_scanline * stride;
        jpeg_read_scanlines(&decoder, &row, 1);
    }
    jpeg_destroy_decompress(&decoder);
    print(file, "jpeg", quality, 0, original, copy, length, seconds);
    free(bytes);
}

static void try_webp(const char *file, const picture *original, picture *copy, int quality, int method) {
    WebPConfig config;
    WebPPicture encoder;
    WebPMemoryWriter bytes;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&encoder)) exit(1);
    WebPMemoryWriterInit(&bytes);
    config.quality = (float)quality;
    config.method = method;
    encoder.width = original->width;
    encoder.height = original->height;
    encoder.writer = WebPMemoryWrite;
    encoder.custom_ptr = &bytes;
    double start = processor_seconds();
    if (!WebPPictureImportRGB(&encoder, original->pixels, 3 * original->width) || !WebPEncode(&config, &encoder)) exit(1);
    double seconds = processor_seconds() - start;
    WebPPictureFree(&encoder);
    size_t size = 3 * (size_t)copy->width * (size_t)copy->height;
    if (WebPDecodeRGBInto(bytes.mem, bytes.size, copy->pixels, size, 3 * copy->width) == NULL) exit(1);
    print(file, "webp", quality, method, original, copy, bytes.size, seconds);
    WebPMemoryWriterClear(&bytes);
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    for (int number = 2; number < count; number++) {
        FILE *file = fopen(arguments[number], "rb");
        picture original, copy;
        if (file == NULL || fscanf(file, "P6 %d %d 255", &original.width, &original.height) != 2) return 66;
        fgetc(file);
        copy = original;
        size_t size = 3 * (size_t)original.width * (size_t)original.height;
        original.pixels = malloc(size);
        copy.pixels = malloc(size);
        if (original.pixels == NULL || copy.pixels == NULL || fread(original.pixels, 1, size, file) != size) return 66;
        fclose(file);
        for (size_t at = 0; at < sizeof jpeg_qualities / sizeof *jpeg_qualities; at++)
            try_jpeg(arguments[number], &original, &copy, jpeg_qualities[at]);
        for (const char *method = arguments[1]; *method != 0; method++)
            for (size_t at = 0; at < sizeof webp_qualities / sizeof *webp_qualities; at++)
                try_webp(arguments[number], &original, &copy, webp_qualities[at], *method - '0');
        free(original.pixels);
        free(copy.pixels);
    }
}
