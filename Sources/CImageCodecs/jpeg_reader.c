#include "jpeg_reader_parts.h"

#include <stdlib.h>

/* The most iMCU rows that one call of take_in reads. The caller checks for cancellation between calls. */
enum { IMCU_ROWS_A_CALL = 16 };

/* Coefficients of more bytes than this are packed: those of some 5 megapixels. Fuzzing sets it to 0. */
#ifndef UNPACKED_LIMIT
#define UNPACKED_LIMIT (16 << 20)
#endif

/* Returns whether no scan has one of the components. libjpeg would decode it as grey without a warning. */
static bool component_is_missing(const struct jpeg_decompress_struct *codec) {
    for (int c = 0; c < codec->num_components; c++)
        if (codec->comp_info[c].quant_table == NULL) return true;
    return false;
}

/* Returns whether a progressive picture lacks some of its refinement scans. */
static bool refinement_is_missing(const struct jpeg_decompress_struct *codec) {
    if (codec->coef_bits == NULL) return false;
    for (int c = 0; c < codec->num_components; c++)
        for (int k = 0; k < DCTSIZE2; k++)
            if (codec->coef_bits[c][k] != 0) return true;
    return false;
}

/* Records a failure if a file with many scans, which has been read to its end, lacks some of them. */
static void judge_scans(codec_jpeg_reader *reader) {
    bool is_missing = component_is_missing(&reader->codec);
    if (reader->past_end && (is_missing || refinement_is_missing(&reader->codec)))
        jpeg_reader_fail(reader, CODEC_TRUNCATED, "premature end of file");
    else if (is_missing)
        jpeg_reader_fail(reader, CODEC_CORRUPT, "no scan for one of the components");
}

/* Turns the warnings so far into a status. */
static codec_status judge(codec_jpeg_reader *reader) {
    /* The arithmetic decoder reads missing data as zeros without a warning, so a missing EOI marker decides. */
    if (reader->past_end && (reader->data_missing || reader->codec.arith_code))
        return jpeg_reader_fail(reader, CODEC_TRUNCATED, "premature end of file");
    if (reader->data_missing || reader->data_damaged) {
        reader->failure.status = CODEC_CORRUPT;
        return CODEC_CORRUPT;
    }
    return CODEC_OK;
}

codec_status codec_jpeg_reader_open(int file, codec_jpeg_reader **result) {
    codec_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return CODEC_OUT_OF_MEMORY;
    *result = reader;
    reader->file = file;

    jpeg_reader_catch_errors(reader);

    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        jpeg_create_decompress(&reader->codec);
        reader->created = true;
        jpeg_reader_attach_source(reader);
        jpeg_read_header(&reader->codec, TRUE);
        reader->has_many_scans = jpeg_has_multiple_scans(&reader->codec);
        /* The EOI marker that the source supplies at the end of the file may have been read as part of a size. */
        if (reader->past_end) jpeg_reader_fail(reader, CODEC_TRUNCATED, "premature end of file");
    }
    reader->escape = NULL;
    return reader->failure.status;
}

typedef struct coefficient_memory {
    uint64_t unpacked; /* the size of all coefficients */
    uint64_t packing;  /* the size of what packing takes beside them */
} coefficient_memory;

/* libjpeg's arrays of coefficients hold whole blocks, rounded up to a multiple of the sampling factors. For smoothing,
   it accesses five rows of MCUs at a time (jdcoefct.c). */
static coefficient_memory coefficient_sizes(const codec_jpeg_reader *reader) {
    coefficient_memory sum = {0, 0};
    for (int c = 0; reader->has_many_scans && c < reader->codec.num_components; c++) {
        const jpeg_component_info *component = &reader->codec.comp_info[c];
        uint64_t h = (uint64_t)component->h_samp_factor, v = (uint64_t)component->v_samp_factor;
        uint64_t width = (component->width_in_blocks + h - 1) / h * h;
        uint64_t height = (component->height_in_blocks + v - 1) / v * v;
        sum.unpacked += width * height * sizeof(JBLOCK);
        sum.packing += jpeg_reader_packing_bytes(width, height, 5 * v);
    }
    return sum;
}

/* Packing takes time, and small pictures need little memory without it. */
static bool is_packed(coefficient_memory memory) { return memory.unpacked > UNPACKED_LIMIT; }

/* The most memory that all coefficients take: those of a hostile file may not become smaller. */
static uint64_t coefficient_bytes(coefficient_memory memory) {
    return memory.unpacked + (is_packed(memory) ? memory.packing : 0);
}

codec_jpeg_header codec_jpeg_reader_header(const codec_jpeg_reader *reader) {
    J_COLOR_SPACE space = reader->codec.jpeg_color_space;
    return (codec_jpeg_header){
        .width = reader->codec.image_width,
        .height = reader->codec.image_height,
        .components = (uint32_t)reader->codec.num_components,
        .has_inks = space == JCS_CMYK || space == JCS_YCCK,
        .has_many_scans = reader->has_many_scans,
        .coefficient_bytes = coefficient_bytes(coefficient_sizes(reader)),
        .profile_bytes = reader->profile_length,
        .metadata_bytes = reader->exif_length,
    };
}

const uint8_t *codec_jpeg_reader_exif(const codec_jpeg_reader *reader, size_t *length) {
    *length = reader->exif_length;
    return reader->exif_length > 0 ? reader->exif : NULL;
}

codec_status codec_jpeg_reader_start(
    codec_jpeg_reader *reader, unsigned denominator, uint32_t *width, uint32_t *height) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        codec->scale_num = 1;
        codec->scale_denom = denominator;
        codec->out_color_space = codec_jpeg_reader_header(reader).has_inks ? JCS_CMYK : JCS_RGB;
        codec->buffered_image = reader->has_many_scans;
        if (is_packed(coefficient_sizes(reader))) jpeg_reader_pack_coefficients(reader);
        jpeg_start_decompress(codec);
        *width = codec->output_width;
        *height = codec->output_height;
    }
    reader->escape = NULL;
    return reader->failure.status;
}

codec_status codec_jpeg_reader_take_in(codec_jpeg_reader *reader, int max_scans, bool *ready) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    *ready = !codec->buffered_image;
    if (*ready) return CODEC_OK;

    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        for (int i = 0; i < IMCU_ROWS_A_CALL && !jpeg_input_complete(codec); i++) {
            jpeg_consume_input(codec);
            if (codec->input_scan_number > max_scans) {
                jpeg_reader_fail(reader, CODEC_CORRUPT, "");
                snprintf(
                    reader->failure.message, sizeof reader->failure.message, "more than %d scans", max_scans);
                break;
            }
        }
        if (reader->failure.status == CODEC_OK) judge(reader);
        if (reader->failure.status == CODEC_OK && jpeg_input_complete(codec)) {
            judge_scans(reader);
            if (reader->failure.status == CODEC_OK) {
                jpeg_start_output(codec, codec->input_scan_number);
                *ready = true;
            }
        }
    }
    reader->escape = NULL;
    return reader->failure.status;
}

codec_status codec_jpeg_reader_rows(
    codec_jpeg_reader *reader, uint8_t *rows, size_t stride, uint32_t count, uint32_t *done) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    *done = 0;
    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        while (*done < count && codec->output_scanline < codec->output_height) {
            JSAMPROW row[1] = {rows + *done * stride};
            *done += jpeg_read_scanlines(codec, row, 1);
        }
        judge(reader);
    }
    reader->escape = NULL;
    return reader->failure.status;
}

const codec_failure *codec_jpeg_reader_failure(const codec_jpeg_reader *reader) { return &reader->failure; }

void codec_jpeg_reader_close(codec_jpeg_reader *reader) {
    if (reader == NULL) return;
    jpeg_reader_free_coefficients(reader);
    if (reader->created) jpeg_destroy_decompress(&reader->codec);
    free(reader->exif);
    jpeg_reader_free_profile(reader);
    free(reader);
}
