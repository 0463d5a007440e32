#include <libxml/xmlversion.h>
// Debian's libxml2 is built with ICU, and its headers include ICU's own. Those define the types that Foundation has
// from its copy of ICU a second time, and Swift can't import both. Nothing here uses libxml2's ICU converters; without
// this macro the headers leave them out, and the last members of xmlCharEncodingHandler, which is never looked into.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/catalog.h>
#include <libxml/xmlerror.h>

/// The version of the library that is loaded: "20914". Swift takes the variable for one that anybody may change.
static inline const char *gallerygen_libxml2_version(void) { return xmlParserVersion; }
