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

/* "1.6.39", "1.2.13": the versions of the libraries that are loaded, for recipes, since another one may write other
   bytes. The strings are static; they are never freed and never NULL. */
const char *codec_libpng_version(void);
const char *codec_zlib_version(void);

/* Returns a digest of the loaded libjpeg's output for a fixed pattern, encoded and decoded in every way that is used
   here: libjpeg-turbo 2 has no function for its version. Returns 0 on failure. Takes half a millisecond. */
uint64_t codec_jpeg_digest(void);

/* Returns whether the system grants so many bytes now, by the limit of the address space and strict overcommit
   accounting: the bytes are allocated and freed, but not touched. */
bool codec_memory_is_there(size_t bytes);

#endif
