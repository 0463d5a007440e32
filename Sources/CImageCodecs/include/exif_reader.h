#ifndef EXIF_READER_H
#define EXIF_READER_H

#include <stddef.h>
#include <stdint.h>

/* The longest EXIF that is read: the capacity of the APP1 segment of a JPEG. */
enum { CODEC_EXIF_MAX_LENGTH = 65533 };

struct _ExifData;

/* Reads EXIF with "Exif\0\0" in front, from a file that nobody vouches for: what libexif may allocate is bounded,
   and the notes of the cameras' makers are passed over. The bytes stay the caller's and are not kept. NULL if they
   are too long or there is no memory; data that mean nothing give a result without entries. The caller owns it and
   gives it to exif_data_unref. Any number of threads may call this at the same time. */
struct _ExifData *codec_exif_read(const uint8_t *exif, size_t length);

#endif
