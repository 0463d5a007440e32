#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include "codec_failure.h"
#include "exif_reader.h"
#include "gif_reader.h"
#include "jpeg_reader.h"
#include "jpeg_writer.h"
#include "png_reader.h"
#include "png_writer.h"
#include "webp_reader.h"
#include "webp_writer.h"

/* The versions of the loaded libraries, such as "1.6.39" and "1.2.13". They are part of recipes, because another
   version may write other bytes. The strings are static and never NULL. */
const char *codec_libpng_version(void);
const char *codec_zlib_version(void);

/* Returns a digest of the loaded libjpeg's output for a fixed pattern, which is encoded with and without subsampled
   colours and decoded at each scale. The digest stands in for a version number, because libjpeg-turbo 2 has no function
   that returns one. Returns 0 on failure. Takes half a millisecond. */
uint64_t codec_jpeg_digest(void);

/* Returns whether the system would grant this many bytes now, given the limit on the address space and strict
   overcommit accounting. The bytes are allocated and freed, but not touched. */
bool codec_can_allocate(size_t bytes);

#endif
