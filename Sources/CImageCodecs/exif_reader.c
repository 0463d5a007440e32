#include "exif_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libexif/exif-data.h>

/* The most bytes that libexif may allocate for one file. Each entry of a file can refer to the same 64 KB, so without
   this limit a file of that size could make libexif allocate hundreds of megabytes. Files from cameras need a tenth of
   this limit. */
enum { MAX_ALLOCATED_BYTES = 1 << 20 };

/* The length of "Exif\0\0", which the byte order follows. */
enum { SIGNATURE_LENGTH = 6 };

/* The bytes that may still be allocated for the current file. The variable is thread-local, because libexif calls its
   allocator without a context. */
static _Thread_local size_t bytes_left;

/* After the first refusal, every further request for the same file is refused: no valid file requests so much. */
static bool take(size_t size) {
    bool is_granted = size <= bytes_left;
    bytes_left = is_granted ? bytes_left - size : 0;
    return is_granted;
}

static void *allocate(ExifLong size) { return take(size) ? calloc(size, 1) : NULL; }

static void *reallocate(void *bytes, ExifLong size) { return take(size) ? realloc(bytes, size) : NULL; }

/* Overwrites the tag of each maker note with a tag that libexif does not know, so that libexif drops the entry instead
   of parsing it. Maker notes are not used here, and most of libexif's bugs were in their parsers. A maker note is
   recognised by the start of its entry, in the byte order of the file: the tag, followed by one of the twelve
   formats. */
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
    /* `data` holds its own reference to the allocator. */
    exif_mem_unref(memory);
    if (data != NULL) {
        /* By default, libexif adds the entries that the specification requires, with values of its own. */
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
        exif_data_load_data(data, copy, (unsigned)length);
    }
    free(copy);
    return data;
}
