#include <lcms2.h>

/* Pixel formats are macros of shifts and ors, which Swift does not import. Intents and flags are plain integers, which
   Swift does not import as cmsUInt32Number. */
static const cmsUInt32Number lcms_grey_8 = TYPE_GRAY_8;
static const cmsUInt32Number lcms_grey_16 = TYPE_GRAY_16;
static const cmsUInt32Number lcms_rgb_8 = TYPE_RGB_8;
static const cmsUInt32Number lcms_rgb_16 = TYPE_RGB_16;
static const cmsUInt32Number lcms_rgba_8 = TYPE_RGBA_8;
static const cmsUInt32Number lcms_rgba_16 = TYPE_RGBA_16;
static const cmsUInt32Number lcms_inverted_cmyk_8 = TYPE_CMYK_8_REV;
static const cmsUInt32Number lcms_perceptual = INTENT_PERCEPTUAL;
static const cmsUInt32Number lcms_black_point_compensation = cmsFLAGS_BLACKPOINTCOMPENSATION;
static const cmsUInt32Number lcms_copy_alpha = cmsFLAGS_COPY_ALPHA;
static const cmsUInt32Number lcms_no_optimization = cmsFLAGS_NOOPTIMIZE;
