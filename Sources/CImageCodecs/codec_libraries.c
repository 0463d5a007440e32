#include "CImageCodecs.h"

#include <stdio.h>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#define QUOTED_(text) #text
#define QUOTED(text) QUOTED_(text)

const char *codec_jpeg_library(void) { return "libjpeg-turbo " QUOTED(LIBJPEG_TURBO_VERSION); }

const char *codec_png_library(void) { return "libpng " PNG_LIBPNG_VER_STRING ", zlib " ZLIB_VERSION; }
