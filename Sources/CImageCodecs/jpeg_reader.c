#include "jpeg_reader.h"
#include "descriptor_io.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

/* How many iMCU rows one call of take_in may cost, so that its caller can look at other things in between. */
enum { IMCU_ROWS_A_CALL = 16 };
enum { MARKER_SOF55 = 0xF7 };

struct codec_jpeg_reader {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    codec_failure failure;
    jmp_buf *escape;      /* the frame of the call in progress; NULL outside of calls */
    int file;
    bool created;         /* jpeg_create_decompress has been through */
    bool has_many_scans;
    bool past_end;        /* the file has ended; an EOI marker was supplied in its place */
    bool data_missing;    /* libjpeg made up data because a scan ended early */
    bool data_damaged;    /* libjpeg met codes that cannot be */
    uint8_t *exif;
    size_t exif_length;
    JOCTET buffer[DESCRIPTOR_BUFFER_SIZE];
};

static codec_jpeg_reader *reader_of(void *client_data) { return client_data; }

static codec_status fail(codec_jpeg_reader *reader, codec_status status, const char *message) {
    reader->failure.status = status;
    snprintf(reader->failure.message, sizeof reader->failure.message, "%s", message);
    return status;
}

/* A fatal error means different things once the file has ended: everything that goes wrong then is its missing end. */
static codec_status status_of_error(const codec_jpeg_reader *reader) {
    const struct jpeg_error_mgr *errors = &reader->errors;
    if (errors->msg_code == JERR_OUT_OF_MEMORY) return CODEC_OUT_OF_MEMORY;
    if (reader->past_end) return CODEC_TRUNCATED;
    switch (errors->msg_code) {
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
        return CODEC_UNSUPPORTED;
    case JERR_UNKNOWN_MARKER:
        return errors->msg_parm.i[0] == MARKER_SOF55 ? CODEC_UNSUPPORTED : CODEC_CORRUPT;
    case JERR_EMPTY_IMAGE:
        /* A height of 0 announces a DNL segment; a width of 0 announces nothing. */
        return reader->codec.image_width > 0 && reader->codec.image_height == 0 ? CODEC_UNSUPPORTED : CODEC_CORRUPT;
    default:
        return CODEC_CORRUPT;
    }
}

static void describe_unsupported(codec_jpeg_reader *reader) {
    char *message = reader->failure.message;
    size_t size = sizeof reader->failure.message;
    int parameter = reader->errors.msg_parm.i[0];
    switch (reader->errors.msg_code) {
    case JERR_SOF_UNSUPPORTED:
        snprintf(message, size, parameter == 0xC3 || parameter == 0xCB ? "lossless JPEG" : "hierarchical JPEG");
        break;
    case JERR_BAD_PRECISION:
        snprintf(message, size, "JPEG with %d bits a sample", parameter);
        break;
    case JERR_UNKNOWN_MARKER:
        snprintf(message, size, "JPEG-LS");
        break;
    case JERR_EMPTY_IMAGE:
        snprintf(message, size, "JPEG with its height after the picture (DNL)");
        break;
    case JERR_IMAGE_TOO_BIG:
        snprintf(message, size, "JPEG of more than 65500 pixels a side");
        break;
    case JERR_CONVERSION_NOTIMPL:
        snprintf(message, size, "JPEG with %d components", reader->codec.num_components);
        break;
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
        snprintf(message, size, "JPEG with fractional subsampling");
        break;
    default:
        break;
    }
}

static void on_error(j_common_ptr codec) {
    codec_jpeg_reader *reader = reader_of(codec->client_data);
    if (reader->failure.status == CODEC_OK) {
        char message[JMSG_LENGTH_MAX];
        codec->err->format_message(codec, message);
        if (fail(reader, status_of_error(reader), message) == CODEC_UNSUPPORTED) describe_unsupported(reader);
    }
    longjmp(*reader->escape, 1);
}

static void on_message(j_common_ptr codec, int level) {
    codec_jpeg_reader *reader = reader_of(codec->client_data);
    if (level >= 0) return;
    codec->err->num_warnings++;
    switch (codec->err->msg_code) {
    case JWRN_HIT_MARKER:
        reader->data_missing = true;
        break;
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
        reader->data_damaged = true;
        break;
    default:
        return;
    }
    if (reader->failure.message[0] == '\0') {
        char message[JMSG_LENGTH_MAX];
        codec->err->format_message(codec, message);
        snprintf(reader->failure.message, sizeof reader->failure.message, "%s", message);
    }
}

static void print_nothing(j_common_ptr codec) { (void)codec; }

static void begin_source(j_decompress_ptr codec) { (void)codec; }
static void end_source(j_decompress_ptr codec) { (void)codec; }

static boolean fill_source(j_decompress_ptr codec) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    codec_jpeg_reader *reader = reader_of(codec->client_data);
    ssize_t count = reader->past_end ? 0 : descriptor_read(reader->file, reader->buffer, sizeof reader->buffer);
    if (count < 0) {
        reader->failure.io_errno = errno;
        fail(reader, CODEC_IO, "reading failed");
        longjmp(*reader->escape, 1);
    }
    if (count == 0) {
        /* All pixels may have been there: the marker lets libjpeg finish, and warn where data are missing. */
        reader->past_end = true;
        reader->source.next_input_byte = end_of_image;
        reader->source.bytes_in_buffer = sizeof end_of_image;
    } else {
        reader->source.next_input_byte = reader->buffer;
        reader->source.bytes_in_buffer = (size_t)count;
    }
    return TRUE;
}

static void skip_source(j_decompress_ptr codec, long count) {
    codec_jpeg_reader *reader = reader_of(codec->client_data);
    while (count > (long)reader->source.bytes_in_buffer) {
        count -= (long)reader->source.bytes_in_buffer;
        fill_source(codec);
        if (reader->past_end) return;
    }
    if (count > 0) {
        reader->source.next_input_byte += count;
        reader->source.bytes_in_buffer -= (size_t)count;
    }
}

static unsigned next_byte(j_decompress_ptr codec) {
    if (codec->src->bytes_in_buffer == 0) fill_source(codec);
    codec->src->bytes_in_buffer--;
    return *codec->src->next_input_byte++;
}

/* The processor of APP1 segments: keeps the first EXIF, passes over XMP and the rest, so that no number of segments costs
   memory. */
static boolean keep_exif(j_decompress_ptr codec) {
    static const uint8_t signature[6] = {'E', 'x', 'i', 'f', 0, 0};
    codec_jpeg_reader *reader = reader_of(codec->client_data);
    long length = (long)(next_byte(codec) << 8);
    length += (long)next_byte(codec) - 2;
    if (reader->exif == NULL && length > (long)sizeof signature) {
        uint8_t start[sizeof signature];
        for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)next_byte(codec);
        length -= (long)sizeof start;
        if (memcmp(start, signature, sizeof start) == 0) {
            uint8_t *exif = malloc(sizeof start + (size_t)length);
            if (exif != NULL) {
                reader->exif = exif;
                memcpy(exif, start, sizeof start);
                for (long i = 0; i < length; i++) exif[sizeof start + (size_t)i] = (uint8_t)next_byte(codec);
                reader->exif_length = sizeof start + (size_t)length;
                return TRUE;
            }
        }
    }
    if (length > 0) skip_source(codec, length);
    return TRUE;
}

/* Whether a component came in no scan at all; libjpeg would show it as grey without a word. */
static bool component_is_missing(const struct jpeg_decompress_struct *codec) {
    for (int c = 0; c < codec->num_components; c++)
        if (codec->comp_info[c].quant_table == NULL) return true;
    return false;
}

/* Whether a progressive picture could still have become sharper. */
static bool refinement_is_missing(const struct jpeg_decompress_struct *codec) {
    if (codec->coef_bits == NULL) return false;
    for (int c = 0; c < codec->num_components; c++)
        for (int k = 0; k < DCTSIZE2; k++)
            if (codec->coef_bits[c][k] != 0) return true;
    return false;
}

/* What a file with many scans amounts to when all of it has been taken in. */
static void judge_scans(codec_jpeg_reader *reader) {
    bool is_missing = component_is_missing(&reader->codec);
    if (reader->past_end && (is_missing || refinement_is_missing(&reader->codec)))
        fail(reader, CODEC_TRUNCATED, "premature end of file");
    else if (is_missing)
        fail(reader, CODEC_CORRUPT, "no scan for one of the components");
}

/* What the warnings so far amount to. */
static codec_status judge(codec_jpeg_reader *reader) {
    /* Arithmetic decoding takes missing data for zeros and gives no warning, so its missing end has to do. */
    if (reader->past_end && (reader->data_missing || reader->codec.arith_code))
        return fail(reader, CODEC_TRUNCATED, "premature end of file");
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

    reader->codec.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    reader->errors.output_message = print_nothing;
    reader->codec.client_data = reader;

    jmp_buf frame;
    reader->escape = &frame;
    if (setjmp(frame) == 0) {
        jpeg_create_decompress(&reader->codec);
        reader->created = true;
        reader->source.init_source = begin_source;
        reader->source.fill_input_buffer = fill_source;
        reader->source.skip_input_data = skip_source;
        reader->source.resync_to_restart = jpeg_resync_to_restart;
        reader->source.term_source = end_source;
        reader->codec.src = &reader->source;
        jpeg_set_marker_processor(&reader->codec, JPEG_APP0 + 1, keep_exif);
        jpeg_read_header(&reader->codec, TRUE);
        reader->has_many_scans = jpeg_has_multiple_scans(&reader->codec);
        /* The marker supplied at the end may have been read as a size. */
        if (reader->past_end) fail(reader, CODEC_TRUNCATED, "premature end of file");
    }
    reader->escape = NULL;
    return reader->failure.status;
}

codec_jpeg_header codec_jpeg_reader_header(const codec_jpeg_reader *reader) {
    J_COLOR_SPACE space = reader->codec.jpeg_color_space;
    return (codec_jpeg_header){
        .width = reader->codec.image_width,
        .height = reader->codec.image_height,
        .components = (uint32_t)reader->codec.num_components,
        .has_inks = space == JCS_CMYK || space == JCS_YCCK,
        .has_many_scans = reader->has_many_scans,
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
                fail(reader, CODEC_CORRUPT, "");
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
    if (reader->created) jpeg_destroy_decompress(&reader->codec);
    free(reader->exif);
    free(reader);
}
