#ifndef EXIF_READER_H
#define EXIF_READER_H

#include <stddef.h>
#include <stdint.h>

/* The length of the longest EXIF data that are read: the capacity of a JPEG's APP1 segment. */
enum { CODEC_EXIF_MAX_LENGTH = 65533 };

struct _ExifData;

/* Parses untrusted EXIF data, which start with "Exif\0\0". The memory that libexif may allocate is bounded, and maker
   notes are skipped. The caller owns the bytes, which are not used after the call. Returns NULL if the data are too
   short or too long, or if there is no memory; malformed data give a result without entries. The caller owns the result
   and releases it with exif_data_unref. Any number of threads may call this function at the same time. */
struct _ExifData *codec_exif_read(const uint8_t *exif, size_t length);

#endif
