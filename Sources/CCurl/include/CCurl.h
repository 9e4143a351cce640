#pragma once

/* libcurl, loaded when first used: linked, it would add 11 ms to every start. The types come from its real header;
   the functions are found by name in libcurl.so.4. The one header of this target. */

#include <curl/curl.h>

/* Swift sees neither variadic functions nor the type-checking macros of curl.h. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

/* Loads libcurl once for the process and initialises it. Returns NULL, or a sentence that says why there is none.
   Every other function here may be called only after this one has returned NULL. */
const char *ccurl_load(void);

/* What was loaded; lives as long as the process. */
const curl_version_info_data *ccurl_version(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_reset(CURL *easy);
void ccurl_easy_cleanup(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value);
/* The text is copied by libcurl, save for CURLOPT_POSTFIELDS. */
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);

/* Receives bytes; returns how many were taken, anything else ends the transfer. */
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver);

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_get_size(CURL *easy, CURLINFO info, curl_off_t *value);
/* The socket of the connection that was used last and is kept, or -1; to be asked before the handle leaves its multi
   handle. */
int ccurl_kept_socket(CURL *easy);

/* Notes from now on which TLS connections end as TLS wants it (close_notify): without it an end that comes too early
   looks like any other. Returns 0 when that cannot be known, which depends on the TLS library of libcurl. */
int ccurl_watch_tls(CURL *easy);
/* The connection that serves the transfer, to be asked while it receives; NULL without TLS. */
const void *ccurl_tls_connection(CURL *easy);
/* Has it ended so? To be asked on the thread of the transfer, before another one begins. */
int ccurl_tls_has_ended(const void *connection);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_ms);

/* Takes the next finished transfer: 1 and its handle and result, or 0 when there is none. */
int ccurl_multi_finished(CURLM *multi, CURL **easy, CURLcode *result);
