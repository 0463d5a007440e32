#include "png_reader.h"
#include "png_source.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

enum {
    MAX_CHUNK_BYTES = 8 << 20,  /* the most memory that libpng may allocate for one ancillary chunk */
    READ_AT_ONCE = 1 << 14      /* bytes of unpacked data that stay in the CPU cache while libpng processes them */
};

struct codec_png_reader {
    png_structp png;
    png_infop info;
    codec_failure failure;
    jmp_buf *escape;     /* the setjmp frame of the call in progress; NULL between calls */
    bool lacked_memory;  /* an allocation for libpng or zlib failed */
    png_source *source;
    bool has_header;
    bool profile_was_blamed;
};

static void fail(codec_png_reader *reader, codec_status status, const char *message) {
    if (reader->failure.status != CODEC_OK) return;
    reader->failure.status = status;
    snprintf(reader->failure.message, sizeof reader->failure.message, "%s", message);
}

/* The allocator of libpng and its zlib records that memory has run out, because libpng reports this only in messages
   that vary. */
static png_voidp allocate_memory(png_structp png, png_alloc_size_t size) {
    codec_png_reader *reader = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (memory == NULL) reader->lacked_memory = true;
    return memory;
}

static void release_memory(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_error(png_structp png, png_const_charp message) {
    codec_png_reader *reader = png_get_error_ptr(png);
    fail(reader, reader->lacked_memory ? CODEC_OUT_OF_MEMORY : CODEC_CORRUPT, message);
    longjmp(*reader->escape, 1);
}

/* Warnings are ignored, except those about a profile, which libpng then drops. */
static void on_warning(png_structp png, png_const_charp message) {
    codec_png_reader *reader = png_get_error_ptr(png);
    if (strncmp(message, "iCCP", 4) == 0) reader->profile_was_blamed = true;
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
    codec_png_reader *reader = png_get_io_ptr(png);
    if (png_source_read(reader->source, bytes, count, &reader->failure) != CODEC_OK) longjmp(*reader->escape, 1);
}

codec_status codec_png_reader_open(int file, codec_png_reader **result) {
    /* The chunks that libpng would read although neither pixels nor colours need them. */
    static const uint8_t passed_over[] =
        "bKGD\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sTER\0tEXt\0tIME\0zTXt";
    codec_png_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return CODEC_OUT_OF_MEMORY;
    *result = reader;
    reader->source = png_source_create(file);

    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        reader->png = png_create_read_struct_2(
            PNG_LIBPNG_VER_STRING, reader, on_error, on_warning, reader, allocate_memory, release_memory);
        if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
        if (reader->source == NULL || reader->info == NULL) {
            fail(reader, CODEC_OUT_OF_MEMORY, "out of memory");
        } else {
            png_set_read_fn(reader->png, reader, read_bytes);
            /* The caller limits the number of pixels; libpng can limit only each side. */
            png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            png_set_chunk_malloc_max(reader->png, MAX_CHUNK_BYTES);
            /* libpng ignores an invalid profile or gamma, instead of failing. */
            png_set_benign_errors(reader->png, 1);
            png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
            png_set_keep_unknown_chunks(
                reader->png, PNG_HANDLE_CHUNK_NEVER, passed_over, (int)(sizeof passed_over / 5));
            /* libpng before 1.6.45 keeps cICP as an unknown chunk. A cache maximum of 4 allows two unknown chunks. */
            png_set_chunk_cache_max(reader->png, 4);
            png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep)"cICP", 1);
            png_read_info(reader->png, reader->info);
            reader->has_header = true;
        }
    }
    reader->escape = NULL;
    return reader->failure.status;
}

/* Returns the length of the iCCP chunk's profile, or 0 if libpng has kept none. */
static size_t profile_of(const codec_png_reader *reader, png_bytep *profile) {
    png_charp name;
    int method;
    png_uint_32 length = 0;
    bool has_profile = png_get_iCCP(reader->png, reader->info, &name, &method, profile, &length) != 0;
    return has_profile ? length : 0;
}

/* Returns the total size of the eXIf chunk and of all chunks that libpng keeps as unknown. */
static uint64_t metadata_bytes(const codec_png_reader *reader) {
    png_uint_32 exif_length = 0;
    png_bytep exif;
    bool has_exif = png_get_eXIf_1(reader->png, reader->info, &exif_length, &exif) != 0;
    uint64_t sum = has_exif ? exif_length : 0;
    png_unknown_chunkp chunks;
    int count = png_get_unknown_chunks(reader->png, reader->info, &chunks);
    for (int i = 0; i < count; i++) sum += chunks[i].size;
    return sum;
}

codec_png_header codec_png_reader_header(const codec_png_reader *reader) {
    codec_png_header header = {0};
    if (!reader->has_header) return header;
    header.width = png_get_image_width(reader->png, reader->info);
    header.height = png_get_image_height(reader->png, reader->info);
    header.has_transparency = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0
        || png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
    header.is_grey = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_COLOR) == 0;
    header.bits = png_get_bit_depth(reader->png, reader->info);
    header.is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
    header.stored_bits = png_get_channels(reader->png, reader->info) * header.bits;
    png_bytep profile;
    header.profile_bytes = profile_of(reader, &profile);
    header.metadata_bytes = metadata_bytes(reader);
    return header;
}

const uint8_t *codec_png_reader_exif(codec_png_reader *reader, size_t *length) {
    png_uint_32 count = 0;
    png_bytep exif = NULL;
    *length = 0;
    if (!reader->has_header || png_get_eXIf_1(reader->png, reader->info, &count, &exif) == 0) return NULL;
    *length = count;
    return exif;
}

codec_png_colour codec_png_reader_colour(codec_png_reader *reader) {
    codec_png_colour colour = {0};
    if (!reader->has_header) return colour;
    png_bytep profile;
    colour.is_srgb = png_get_valid(reader->png, reader->info, PNG_INFO_sRGB) != 0;
    colour.profile_length = profile_of(reader, &profile);
    if (colour.profile_length > 0) colour.profile = profile;
    colour.profile_is_broken = reader->profile_was_blamed && colour.profile == NULL && !colour.is_srgb;
    png_unknown_chunkp chunks;
    int count = png_get_unknown_chunks(reader->png, reader->info, &chunks);
    for (int i = 0; i < count; i++) {
        if (memcmp(chunks[i].name, "cICP", 4) != 0 || chunks[i].size != sizeof colour.code_points) continue;
        colour.has_code_points = true;
        memcpy(colour.code_points, chunks[i].data, sizeof colour.code_points);
    }
    if (png_get_gAMA(reader->png, reader->info, &colour.gamma) == 0) colour.gamma = 0;
    colour.has_chromaticities =
        png_get_cHRM(
            reader->png, reader->info, &colour.white[0], &colour.white[1], &colour.red[0], &colour.red[1],
            &colour.green[0], &colour.green[1], &colour.blue[0], &colour.blue[1])
        != 0;
    return colour;
}

static void deliver_16_bits(png_structp png) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    if (first == 1) png_set_swap(png);
}

/* Returns the layout of the decompressed data. Each row starts with its filter type, and each pass of an interlaced
   picture has rows of its own (PNG specification, §7.2 and §8.1). */
static png_layout layout(const codec_png_reader *reader) {
    uint64_t width = png_get_image_width(reader->png, reader->info);
    uint64_t height = png_get_image_height(reader->png, reader->info);
    uint64_t bits =
        (uint64_t)png_get_channels(reader->png, reader->info) * png_get_bit_depth(reader->png, reader->info);
    png_layout layout = {
        .row_bytes = 1 + (width * bits + 7) / 8,
        .bits_per_pixel = (unsigned)bits,
        .is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE,
    };
    layout.bytes = layout.row_bytes * height;
    if (!layout.is_interlaced) return layout;
    layout.bytes = 0;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        uint64_t columns = PNG_PASS_COLS(width, pass), rows = PNG_PASS_ROWS(height, pass);
        if (columns > 0) layout.bytes += (1 + (columns * bits + 7) / 8) * rows;
    }
    return layout;
}

/* Makes libpng ignore the checksums of critical chunks and pixels, because the source checks those of the file
   (png_source.c). */
static void rely_on_source(codec_png_reader *reader) {
    png_set_crc_action(reader->png, PNG_CRC_QUIET_USE, PNG_CRC_NO_CHANGE);
    png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    png_set_compression_buffer_size(reader->png, READ_AT_ONCE);
    if (!png_source_expect(reader->source, layout(reader))) {
        reader->lacked_memory = true;
        png_error(reader->png, "Out of memory");
    }
}

codec_status codec_png_reader_start(codec_png_reader *reader, bool wide, int *passes) {
    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        rely_on_source(reader);
        png_set_expand(reader->png);
        if (wide) deliver_16_bits(reader->png);
        else png_set_scale_16(reader->png);
        png_set_gray_to_rgb(reader->png);
        *passes = png_set_interlace_handling(reader->png);
        png_read_update_info(reader->png, reader->info);
    }
    reader->escape = NULL;
    return reader->failure.status;
}

codec_status codec_png_reader_rows(codec_png_reader *reader, uint8_t *rows, size_t stride, uint32_t count) {
    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        for (uint32_t i = 0; i < count; i++) png_read_row(reader->png, rows + i * stride, NULL);
    }
    reader->escape = NULL;
    return reader->failure.status;
}

codec_status codec_png_reader_finish(codec_png_reader *reader) {
    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) png_read_end(reader->png, NULL);
    reader->escape = NULL;
    return reader->failure.status;
}

const codec_failure *codec_png_reader_failure(const codec_png_reader *reader) { return &reader->failure; }

void codec_png_reader_close(codec_png_reader *reader) {
    if (reader == NULL) return;
    if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    png_source_free(reader->source);
    free(reader);
}
