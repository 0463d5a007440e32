#include "jpeg_reader_parts.h"

enum { MARKER_SOF55 = 0xF7 };

codec_status jpeg_reader_fail(codec_jpeg_reader *reader, codec_status status, const char *message) {
    reader->failure.status = status;
    snprintf(reader->failure.message, sizeof reader->failure.message, "%s", message);
    return status;
}

/* Returns the status for a fatal error. After the end of the file, every such error is a consequence of missing
   data. */
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
        /* A height of 0 announces a DNL segment, which states the height. A width of 0 has no meaning. */
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
    codec_jpeg_reader *reader = codec->client_data;
    if (reader->failure.status == CODEC_OK) {
        char message[JMSG_LENGTH_MAX];
        codec->err->format_message(codec, message);
        codec_status status = jpeg_reader_fail(reader, status_of_error(reader), message);
        if (status == CODEC_UNSUPPORTED) describe_unsupported(reader);
    }
    longjmp(*reader->escape, 1);
}

static void on_message(j_common_ptr codec, int level) {
    codec_jpeg_reader *reader = codec->client_data;
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

void jpeg_reader_catch_errors(codec_jpeg_reader *reader) {
    reader->codec.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    reader->errors.output_message = print_nothing;
    reader->codec.client_data = reader;
}
