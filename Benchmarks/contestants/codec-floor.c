// codec-floor JOBS PICTURE...
//
// Measures the codecs alone. Every picture is decoded (a JPEG is shrunk in the DCT as far as the largest width allows),
// and derivatives of three widths are encoded as JPEG, quality 82, 4:2:0. There is no filter. Pictures are reduced to
// the nearest pixels, which takes almost no time and leaves about as much detail to encode as a good reduction does.
// Nothing is written to disk. Prints the numbers of pictures, derivatives and bytes.

#include <png.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Must come after <stdio.h>, because it uses size_t and FILE without declaring them.
#include <jpeglib.h>

enum { CHANNELS = 3, QUALITY = 82, OUTPUT_BUFFER = 1 << 16 };

static const int WIDTHS[] = {1600, 800, 400};
static const int WIDTH_COUNT = sizeof WIDTHS / sizeof *WIDTHS;

/// The pixels of the largest derivative, which are filled row by row while the picture is decoded.
struct Reduction {
    int width, height;
    int source_width, source_height;
    int next_row;
    unsigned char *pixels;
};

static atomic_int next_picture;
static atomic_long derivative_count, encoded_bytes;
static char **pictures;
static int picture_count;

static void fail(const char *picture, const char *reason) {
    fprintf(stderr, "codec-floor: %s: %s\n", picture, reason);
    exit(1);
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) fail("memory", "none left");
    return memory;
}

/// The width of a derivative: at most `limit`, and at most the picture's.
static int fitting(int limit, int width) {
    return width < limit ? width : limit;
}

static void begin(struct Reduction *reduction, int own_width, int own_height, int source_width, int source_height) {
    reduction->width = fitting(WIDTHS[0], own_width);
    reduction->height = (int)((long)own_height * reduction->width / own_width);
    if (reduction->height < 1) reduction->height = 1;
    reduction->source_width = source_width;
    reduction->source_height = source_height;
    reduction->next_row = 0;
    reduction->pixels = allocate((size_t)reduction->width * (size_t)reduction->height * CHANNELS);
}

/// Reduces a row to the nearest pixels.
static void pick(unsigned char *to, int to_width, const unsigned char *from, int from_width) {
    if (to_width == from_width) {
        memcpy(to, from, (size_t)to_width * CHANNELS);
        return;
    }
    for (int column = 0; column < to_width; column++) {
        const unsigned char *pixel = from + (long)column * from_width / to_width * CHANNELS;
        to[0] = pixel[0], to[1] = pixel[1], to[2] = pixel[2];
        to += CHANNELS;
    }
}

static void take_row(struct Reduction *reduction, int source_row, const unsigned char *row) {
    while (reduction->next_row < reduction->height
           && (long)reduction->next_row * reduction->source_height / reduction->height == source_row) {
        unsigned char *to = reduction->pixels + (size_t)reduction->next_row * (size_t)reduction->width * CHANNELS;
        pick(to, reduction->width, row, reduction->source_width);
        reduction->next_row++;
    }
}

static void decode_jpeg(FILE *file, struct Reduction *reduction) {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    decoder.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&decoder);
    jpeg_stdio_src(&decoder, file);
    jpeg_read_header(&decoder, TRUE);

    int own_width = (int)decoder.image_width, own_height = (int)decoder.image_height;
    // Halves, quarters and eighths, because only these are faster than a full decode in libjpeg-turbo. The widest
    // derivative is reduced from at least twice as many pixels, as in gallerygen and pyvips.
    decoder.scale_num = 1;
    decoder.scale_denom = 8;
    while (decoder.scale_denom > 1 && own_width < 2 * (int)decoder.scale_denom * fitting(WIDTHS[0], own_width)) {
        decoder.scale_denom /= 2;
    }
    decoder.out_color_space = JCS_RGB;
    jpeg_start_decompress(&decoder);
    begin(reduction, own_width, own_height, (int)decoder.output_width, (int)decoder.output_height);
    unsigned char *row = allocate((size_t)decoder.output_width * CHANNELS);
    while (decoder.output_scanline < decoder.output_height) {
        int source_row = (int)decoder.output_scanline;
        jpeg_read_scanlines(&decoder, &row, 1);
        take_row(reduction, source_row, row);
    }
    jpeg_finish_decompress(&decoder);
    jpeg_destroy_decompress(&decoder);
    free(row);
}

static void decode_png(FILE *file, const char *picture, struct Reduction *reduction) {
    png_structp decoder = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop header = decoder == NULL ? NULL : png_create_info_struct(decoder);
    if (header == NULL) fail(picture, "libpng cannot start");
    // libpng's default error handler jumps here. Without this, libpng would abort the program.
    if (setjmp(png_jmpbuf(decoder))) fail(picture, "libpng cannot read it");
    png_init_io(decoder, file);
    png_read_info(decoder, header);
    if (png_get_interlace_type(decoder, header) != PNG_INTERLACE_NONE) fail(picture, "interlaced: not measured here");
    png_set_expand(decoder);
    png_set_strip_16(decoder);
    png_set_strip_alpha(decoder);
    png_set_gray_to_rgb(decoder);
    png_read_update_info(decoder, header);

    int width = (int)png_get_image_width(decoder, header), height = (int)png_get_image_height(decoder, header);
    begin(reduction, width, height, width, height);
    unsigned char *row = allocate(png_get_rowbytes(decoder, header));
    for (int source_row = 0; source_row < height; source_row++) {
        png_read_row(decoder, row, NULL);
        take_row(reduction, source_row, row);
    }
    png_read_end(decoder, NULL);
    png_destroy_read_struct(&decoder, &header, NULL);
    free(row);
}

/// A destination that counts bytes and discards them.
struct Counter {
    struct jpeg_destination_mgr manager;
    unsigned char buffer[OUTPUT_BUFFER];
    long bytes;
};

static void empty(struct Counter *counter) {
    counter->bytes += OUTPUT_BUFFER - (long)counter->manager.free_in_buffer;
    counter->manager.next_output_byte = counter->buffer;
    counter->manager.free_in_buffer = OUTPUT_BUFFER;
}

static void begin_output(j_compress_ptr encoder) {
    struct Counter *counter = (struct Counter *)encoder->dest;
    counter->manager.next_output_byte = counter->buffer;
    counter->manager.free_in_buffer = OUTPUT_BUFFER;
}

static boolean empty_output(j_compress_ptr encoder) {
    struct Counter *counter = (struct Counter *)encoder->dest;
    // libjpeg calls this only when the buffer is full, and does not update free_in_buffer before.
    counter->manager.free_in_buffer = 0;
    empty(counter);
    return TRUE;
}

static void end_output(j_compress_ptr encoder) {
    empty((struct Counter *)encoder->dest);
}

static void encode(const struct Reduction *reduction, int width) {
    struct Counter counter = {
        .manager = {
            .init_destination = begin_output, .empty_output_buffer = empty_output, .term_destination = end_output}};
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    encoder.dest = &counter.manager;
    int height = (int)((long)reduction->height * width / reduction->width);
    encoder.image_width = (JDIMENSION)width;
    encoder.image_height = (JDIMENSION)(height < 1 ? 1 : height);
    encoder.input_components = CHANNELS;
    encoder.in_color_space = JCS_RGB;
    jpeg_set_defaults(&encoder);  // 4:2:0 is the default
    jpeg_set_quality(&encoder, QUALITY, TRUE);
    jpeg_start_compress(&encoder, TRUE);
    unsigned char *row = allocate((size_t)width * CHANNELS);
    while (encoder.next_scanline < encoder.image_height) {
        long source_row = (long)encoder.next_scanline * reduction->height / (long)encoder.image_height;
        pick(row, width, reduction->pixels + source_row * reduction->width * CHANNELS, reduction->width);
        jpeg_write_scanlines(&encoder, &row, 1);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    free(row);
    atomic_fetch_add(&derivative_count, 1);
    atomic_fetch_add(&encoded_bytes, counter.bytes);
}

static void convert(const char *picture) {
    FILE *file = fopen(picture, "rb");
    if (file == NULL) fail(picture, "cannot be opened");
    unsigned char signature[8];
    if (fread(signature, 1, sizeof signature, file) != sizeof signature) fail(picture, "is empty");
    rewind(file);
    struct Reduction reduction;
    if (png_sig_cmp(signature, 0, sizeof signature) == 0) {
        decode_png(file, picture, &reduction);
    } else {
        decode_jpeg(file, &reduction);
    }
    fclose(file);
    int made = 0;
    for (int index = 0; index < WIDTH_COUNT; index++) {
        int width = fitting(WIDTHS[index], reduction.width);
        if (width != made) encode(&reduction, width);
        made = width;
    }
    free(reduction.pixels);
}

static void *work(void *unused) {
    (void)unused;
    for (int index; (index = atomic_fetch_add(&next_picture, 1)) < picture_count;) convert(pictures[index]);
    return NULL;
}

int main(int count, char **arguments) {
    int jobs = count > 2 ? atoi(arguments[1]) : 0;
    if (jobs < 1) {
        fprintf(stderr, "usage: codec-floor JOBS PICTURE...\n");
        return 64;
    }
    pictures = arguments + 2;
    picture_count = count - 2;
    pthread_t threads[jobs];
    for (int index = 0; index < jobs; index++) {
        if (pthread_create(&threads[index], NULL, work, NULL) != 0) fail("threads", "cannot be started");
    }
    for (int index = 0; index < jobs; index++) pthread_join(threads[index], NULL);
    printf("%d pictures, %ld derivatives, %ld bytes\n", picture_count, atomic_load(&derivative_count),
           atomic_load(&encoded_bytes));
    return 0;
}
