#include <libxml/xmlversion.h>
// Debian's libxml2 is built with ICU, and its headers include those of ICU. They define types that Foundation also has,
// from its own copy of ICU, and Swift can't import both. Without this macro, the headers leave out libxml2's ICU
// converters, which are not used here, and the last members of xmlCharEncodingHandler, which are never accessed.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/catalog.h>
#include <libxml/xmlerror.h>

/// The version of the library that is loaded: "20914". To Swift, the variable itself is mutable shared state.
static inline const char *gallerygen_libxml2_version(void) { return xmlParserVersion; }
