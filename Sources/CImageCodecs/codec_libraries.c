#include "CImageCodecs.h"

#include <png.h>
#include <zlib.h>

const char *codec_libpng_version(void) { return png_get_libpng_ver(NULL); }

const char *codec_zlib_version(void) { return zlibVersion(); }
