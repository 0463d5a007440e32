#include "jpeg_reader_parts.h"

#include <stdlib.h>
#include <string.h>

/* The limit is twice the size of the largest profiles in use, which are those of printers, with about 4 MB. */
enum { MAX_PROFILE_BYTES = 8 << 20 };

/* Returns whether the part that a segment announces fits the parts that were read before. */
static bool part_fits(const codec_jpeg_reader *reader, unsigned number, unsigned count, size_t length) {
    return number >= 1 && number <= count && (reader->part_count == 0 || reader->part_count == count)
        && reader->parts[number - 1].bytes == NULL && reader->profile_length + length <= MAX_PROFILE_BYTES;
}

boolean jpeg_reader_keep_profile_part(j_decompress_ptr codec) {
    static const uint8_t signature[12] = "ICC_PROFILE";
    codec_jpeg_reader *reader = codec->client_data;
    long length = (long)(jpeg_reader_next_byte(codec) << 8);
    length += (long)jpeg_reader_next_byte(codec) - 2;
    uint8_t start[sizeof signature + 2];
    if (length <= (long)sizeof start || reader->profile != NULL || reader->profile_broken) {
        jpeg_reader_skip(codec, length);
        return TRUE;
    }
    for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)jpeg_reader_next_byte(codec);
    length -= (long)sizeof start;
    if (memcmp(start, signature, sizeof signature) != 0) {
        jpeg_reader_skip(codec, length);
        return TRUE;
    }
    unsigned number = start[sizeof signature], count = start[sizeof signature + 1];
    uint8_t *bytes = part_fits(reader, number, count, (size_t)length) ? malloc((size_t)length) : NULL;
    if (bytes == NULL) {
        reader->profile_broken = true;
        jpeg_reader_skip(codec, length);
        return TRUE;
    }
    /* The reader owns the bytes before they are read, because reading can longjmp. */
    reader->parts[number - 1] = (profile_part){bytes, (size_t)length};
    reader->part_count = count;
    reader->profile_length += (size_t)length;
    for (long i = 0; i < length; i++) bytes[i] = (uint8_t)jpeg_reader_next_byte(codec);
    return TRUE;
}

static void free_parts(codec_jpeg_reader *reader) {
    for (unsigned i = 0; i < MAX_PROFILE_PARTS; i++) {
        free(reader->parts[i].bytes);
        reader->parts[i] = (profile_part){NULL, 0};
    }
}

const uint8_t *codec_jpeg_reader_profile(codec_jpeg_reader *reader, size_t *length) {
    *length = 0;
    if (reader->profile == NULL && reader->part_count > 0 && !reader->profile_broken) {
        for (unsigned i = 0; i < reader->part_count; i++)
            if (reader->parts[i].bytes == NULL) reader->profile_broken = true;
        uint8_t *profile = reader->profile_broken ? NULL : malloc(reader->profile_length);
        if (profile != NULL) {
            uint8_t *end = profile;
            for (unsigned i = 0; i < reader->part_count; i++) {
                memcpy(end, reader->parts[i].bytes, reader->parts[i].length);
                end += reader->parts[i].length;
            }
            reader->profile = profile;
        }
        free_parts(reader);
        /* The profile is needed before the first scan. Either it or profile_broken is now set, so that parts between
           later scans are skipped. */
        reader->profile_broken = reader->profile == NULL;
    }
    if (reader->profile != NULL) *length = reader->profile_length;
    return reader->profile;
}

bool codec_jpeg_reader_profile_is_broken(const codec_jpeg_reader *reader) { return reader->profile_broken; }

void jpeg_reader_free_profile(codec_jpeg_reader *reader) {
    free_parts(reader);
    free(reader->profile);
}
