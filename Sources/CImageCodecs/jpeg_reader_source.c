#include "jpeg_reader_parts.h"

#include <stdlib.h>
#include <string.h>

static void begin_source(j_decompress_ptr codec) { (void)codec; }
static void end_source(j_decompress_ptr codec) { (void)codec; }

static boolean fill_source(j_decompress_ptr codec) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    codec_jpeg_reader *reader = codec->client_data;
    ssize_t count = reader->past_end ? 0 : descriptor_read(reader->file, reader->buffer, sizeof reader->buffer);
    if (count < 0) {
        reader->failure.io_errno = errno;
        jpeg_reader_fail(reader, CODEC_IO, "reading failed");
        longjmp(*reader->escape, 1);
    }
    if (count == 0) {
        /* The picture can be complete all the same. An EOI marker lets libjpeg finish, and warn if data are missing. */
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
    codec_jpeg_reader *reader = codec->client_data;
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

unsigned jpeg_reader_next_byte(j_decompress_ptr codec) {
    if (codec->src->bytes_in_buffer == 0) fill_source(codec);
    codec->src->bytes_in_buffer--;
    return *codec->src->next_input_byte++;
}

void jpeg_reader_skip(j_decompress_ptr codec, long count) {
    if (count > 0) skip_source(codec, count);
}

/* The marker processor of APP1 segments. It keeps the first EXIF data and skips XMP and everything else, so that memory
   does not grow with the number of segments. */
static boolean keep_exif(j_decompress_ptr codec) {
    static const uint8_t signature[6] = {'E', 'x', 'i', 'f', 0, 0};
    codec_jpeg_reader *reader = codec->client_data;
    long length = (long)(jpeg_reader_next_byte(codec) << 8);
    length += (long)jpeg_reader_next_byte(codec) - 2;
    if (reader->exif == NULL && length > (long)sizeof signature) {
        uint8_t start[sizeof signature];
        for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)jpeg_reader_next_byte(codec);
        length -= (long)sizeof start;
        if (memcmp(start, signature, sizeof start) == 0) {
            uint8_t *exif = malloc(sizeof start + (size_t)length);
            if (exif != NULL) {
                reader->exif = exif;
                memcpy(exif, start, sizeof start);
                uint8_t *tiff = exif + sizeof start;
                for (long i = 0; i < length; i++) tiff[i] = (uint8_t)jpeg_reader_next_byte(codec);
                reader->exif_length = sizeof start + (size_t)length;
                return TRUE;
            }
        }
    }
    jpeg_reader_skip(codec, length);
    return TRUE;
}

void jpeg_reader_attach_source(codec_jpeg_reader *reader) {
    reader->source.init_source = begin_source;
    reader->source.fill_input_buffer = fill_source;
    reader->source.skip_input_data = skip_source;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = end_source;
    reader->codec.src = &reader->source;
    jpeg_set_marker_processor(&reader->codec, JPEG_APP0 + 1, keep_exif);
    jpeg_set_marker_processor(&reader->codec, JPEG_APP0 + 2, jpeg_reader_keep_profile_part);
}
