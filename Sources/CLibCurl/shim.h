#include <curl/curl.h>

// Swift cannot call C functions with a variable number of arguments. So there is one wrapper for each type of argument
// of curl_easy_setopt and curl_easy_getinfo, and one for each group of options that depends on the version of libcurl,
// which Swift's #if cannot test.

/// Sets an option that is a switch, a count, a number of milliseconds or a bit mask.
static inline CURLcode curl_easy_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets an option that is a text, of which libcurl keeps a copy.
static inline CURLcode curl_easy_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets a count of the multi handle.
static inline CURLMcode curl_multi_setopt_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

/// Adds to the data that easy handles share (CURLSHOPT_SHARE).
static inline CURLSHcode curl_share_setopt_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

/// Sets the context of a callback, or the error buffer. libcurl keeps the pointer.
static inline CURLcode curl_easy_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Reads a list, which the caller frees with curl_slist_free_all.
static inline CURLcode curl_easy_getinfo_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
    return curl_easy_getinfo(handle, info, value);
}

/// Sets CURLOPT_HTTPHEADER. libcurl keeps the pointer, and NULL removes the list.
static inline CURLcode curl_easy_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode curl_easy_setopt_write(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets CURLOPT_READFUNCTION.
static inline CURLcode curl_easy_setopt_read(CURL *handle, curl_read_callback value) {
    return curl_easy_setopt(handle, CURLOPT_READFUNCTION, value);
}

/// Sets CURLOPT_SEEKFUNCTION.
static inline CURLcode curl_easy_setopt_seek(CURL *handle, curl_seek_callback value) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

/// Sets an option that is a number of bytes.
static inline CURLcode curl_easy_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets CURLOPT_XFERINFOFUNCTION.
static inline CURLcode curl_easy_setopt_progress(CURL *handle, curl_xferinfo_callback value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

/// Sets CURLOPT_CLOSESOCKETFUNCTION.
static inline CURLcode curl_easy_setopt_closesocket(CURL *handle, CURLoption option, curl_closesocket_callback value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets CURLOPT_PREREQFUNCTION.
static inline CURLcode curl_easy_setopt_prereq(CURL *handle, CURLoption option, curl_prereq_callback value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode curl_easy_setopt_opensocket(CURL *handle, CURLoption option, curl_opensocket_callback value) {
    return curl_easy_setopt(handle, option, value);
}

/// The address of a socket that libcurl wants to open. An IPv6 address is longer than the declared member, so Swift
/// would copy only a part of it.
static inline const struct sockaddr *curl_sockaddr_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

/// Allows only http and https, for addresses and for redirects. The options for this changed in libcurl 7.85.
static inline CURLcode curl_easy_restrict_to_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") : code;
#else
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    if (code != CURLE_OK) return code;
    return curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Lets a transfer end while its name is still being looked up, instead of waiting for the resolver's thread. Without
/// this option, which is new in libcurl 7.87, a dead name server holds up every other transfer.
static inline CURLcode curl_easy_leave_resolver_behind(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
    return CURLE_OK;
#endif
}

/// Reads a count or a status code.
static inline CURLcode curl_easy_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

/// Reads a time in microseconds.
static inline CURLcode curl_easy_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
