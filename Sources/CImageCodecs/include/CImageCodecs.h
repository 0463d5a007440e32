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

/* A digest of what the loaded libjpeg makes of a fixed pattern, written and read in all ways that are made use of: of
   libjpeg-turbo 2 no version can be asked for. 0 where it fails. It takes half a millisecond. */
uint64_t codec_jpeg_digest(void);

/* Whether the system would give so many bytes at this moment, as far as limits of the address space and strict
   accounting tell it: they are asked for and given back, and not touched. */
bool codec_memory_is_there(size_t bytes);

#endif
