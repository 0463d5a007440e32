#include "exif_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libexif/exif-data.h>

/* The bytes that libexif may allocate for one file. Each entry of a file may refer to the same 64 KB, so a file of that
   size could request hundreds of megabytes without this limit; files of cameras need a tenth of it. */
enum { MAX_ALLOCATED_BYTES = 1 << 20 };

/* The offset of the byte order, after "Exif\0\0". */
enum { SIGNATURE_LENGTH = 6 };

/* The remaining allowance is thread-local, because libexif calls its allocator without a context. */
static _Thread_local size_t bytes_left;

/* The first refusal ends all allocation for the file: no honest file requests so much. */
static bool take(size_t size) {
    bool is_granted = size <= bytes_left;
    bytes_left = is_granted ? bytes_left - size : 0;
    return is_granted;
}

static void *allocate(ExifLong size) { return take(size) ? calloc(size, 1) : NULL; }

static void *reallocate(void *bytes, ExifLong size) { return take(size) ? realloc(bytes, size) : NULL; }

/* Makes the tag of each maker's note one that libexif does not know and therefore drops: it would otherwise
   interpret them, which nobody asks for here and which is where most of its faults were. The pattern is the start of
   an entry in the byte order of the file, the tag and one of the twelve formats. */
static void hide_makers_notes(uint8_t *exif, size_t length) {
    bool is_big = exif[SIGNATURE_LENGTH] == 'M';
    for (size_t i = SIGNATURE_LENGTH; i + 4 <= length; i++) {
        const uint8_t *entry = exif + i;
        unsigned tag = is_big ? entry[0] << 8 | entry[1] : entry[1] << 8 | entry[0];
        unsigned format = is_big ? entry[2] << 8 | entry[3] : entry[3] << 8 | entry[2];
        if (tag == EXIF_TAG_MAKER_NOTE && format >= EXIF_FORMAT_BYTE && format <= EXIF_FORMAT_DOUBLE)
            memset(exif + i, 0xFF, 2);
    }
}

ExifData *codec_exif_read(const uint8_t *exif, size_t length) {
    if (length <= SIGNATURE_LENGTH || length > CODEC_EXIF_MAX_LENGTH) return NULL;
    uint8_t *copy = malloc(length);
    if (copy == NULL) return NULL;
    memcpy(copy, exif, length);
    hide_makers_notes(copy, length);

    bytes_left = MAX_ALLOCATED_BYTES;
    ExifMem *memory = exif_mem_new(allocate, reallocate, free);
    ExifData *data = memory != NULL ? exif_data_new_mem(memory) : NULL;
    /* The data keep their own reference to the allocator. */
    exif_mem_unref(memory);
    if (data != NULL) {
        /* libexif would otherwise add the mandatory entries of the specification with values of its own. */
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
        exif_data_load_data(data, copy, (unsigned)length);
    }
    free(copy);
    return data;
}
