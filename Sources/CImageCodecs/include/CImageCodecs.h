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

/* "libjpeg-turbo 2.1.5", "libpng 1.6.39, zlib 1.2.13": for recipes, since another version may write other bytes.
   The strings are static; they are never freed and never NULL. */
const char *codec_jpeg_library(void);
const char *codec_png_library(void);

#endif
