#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CURL_FUNCTIONS(X)                                                                                              \
  X(curl_global_init)                                                                                                  \
  X(curl_version_info)                                                                                                 \
  X(curl_easy_init)                                                                                                    \
  X(curl_easy_reset)                                                                                                   \
  X(curl_easy_cleanup)                                                                                                 \
  X(curl_easy_setopt)                                                                                                  \
  X(curl_easy_getinfo)                                                                                                 \
  X(curl_easy_strerror)                                                                                                \
  X(curl_slist_append)                                                                                                 \
  X(curl_slist_free_all)                                                                                               \
  X(curl_multi_init)                                                                                                   \
  X(curl_multi_cleanup)                                                                                                \
  X(curl_multi_add_handle)                                                                                             \
  X(curl_multi_remove_handle)                                                                                          \
  X(curl_multi_perform)                                                                                                \
  X(curl_multi_poll)                                                                                                   \
  X(curl_multi_info_read)

#define SLOT(function) __typeof__(function) *function;
static struct {
  CURL_FUNCTIONS(SLOT)
} table;
#undef SLOT

static char failure[512];
static int failed = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Of OpenSSL, which libcurl brings along; NULL where it has another TLS library. */
typedef void (*tls_event)(const void *connection, int event, int detail);
static void (*set_tls_event)(void *context, tls_event callback);

/* The last connection of this thread whose other end has said that it sends no more. */
static _Thread_local const void *ended;

/* CURLOPT_PROTOCOLS_STR, which bounds the protocols, came with 7.85. */
enum { OLDEST_VERSION = 0x075500 };

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failed = 1;
    snprintf(
        failure, sizeof failure,
        "libcurl.so.4, which is needed to fetch, cannot be loaded (install the package libcurl4): %s", dlerror());
    return;
  }
#define FIND(function)                                                                                                 \
  table.function = (__typeof__(table.function))dlsym(library, #function);                                              \
  if (!table.function) {                                                                                               \
    failed = 1;                                                                                                        \
    snprintf(failure, sizeof failure, "libcurl.so.4 is too old: it has no %s; 7.85 or newer is needed", #function);   \
    return;                                                                                                            \
  }
  CURL_FUNCTIONS(FIND)
#undef FIND
  const curl_version_info_data *version = table.curl_version_info(CURLVERSION_NOW);
  if (version->version_num < OLDEST_VERSION) {
    failed = 1;
    snprintf(failure, sizeof failure, "libcurl %s is too old: 7.85 or newer is needed", version->version);
    return;
  }
  if (version->ssl_version && !strncmp(version->ssl_version, "OpenSSL/", 8)) {
    set_tls_event = (__typeof__(set_tls_event))dlsym(library, "SSL_CTX_set_info_callback");
  }
  CURLcode code = table.curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    failed = 1;
    snprintf(failure, sizeof failure, "libcurl cannot be started: %s", table.curl_easy_strerror(code));
  }
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return failed ? failure : NULL;
}

const curl_version_info_data *ccurl_version(void) { return table.curl_version_info(CURLVERSION_NOW); }

CURL *ccurl_easy_init(void) { return table.curl_easy_init(); }
void ccurl_easy_reset(CURL *easy) { table.curl_easy_reset(easy); }
void ccurl_easy_cleanup(CURL *easy) { table.curl_easy_cleanup(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return table.curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return table.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return table.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return table.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return table.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver receiver) {
  return table.curl_easy_setopt(easy, option, receiver);
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) { return table.curl_easy_getinfo(easy, info, value); }

CURLcode ccurl_get_size(CURL *easy, CURLINFO info, curl_off_t *value) {
  return table.curl_easy_getinfo(easy, info, value);
}

int ccurl_kept_socket(CURL *easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  if (table.curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) != CURLE_OK) return -1;
  return value == CURL_SOCKET_BAD ? -1 : (int)value;
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return table.curl_slist_append(list, text);
}

void ccurl_slist_free_all(struct curl_slist *list) { table.curl_slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return table.curl_multi_init(); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return table.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return table.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return table.curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi, int *running) { return table.curl_multi_perform(multi, running); }

CURLMcode ccurl_multi_poll(CURLM *multi, int timeout_ms) {
  return table.curl_multi_poll(multi, NULL, 0, timeout_ms, NULL);
}

int ccurl_multi_finished(CURLM *multi, CURL **easy, CURLcode *result) {
  int waiting = 0;
  CURLMsg *message;
  while ((message = table.curl_multi_info_read(multi, &waiting))) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *result = message->data.result;
    return 1;
  }
  return 0;
}

static void note_tls_event(const void *connection, int event, int detail) {
  /* Of openssl/ssl.h, which is not needed to build: SSL_CB_HANDSHAKE_START, SSL_CB_READ_ALERT; the second byte of an
     alert is its kind, of which 0 is close_notify. */
  enum { HANDSHAKE_START = 0x10, READ_ALERT = 0x4004 };
  if (event == READ_ALERT && (detail & 0xff) == 0) {
    ended = connection;
  } else if (event == HANDSHAKE_START && ended == connection) {
    /* Another connection, in the memory of that one. */
    ended = NULL;
  }
}

static CURLcode watch_tls(CURL *easy, void *context, void *unused) {
  (void)easy;
  (void)unused;
  set_tls_event(context, note_tls_event);
  return CURLE_OK;
}

int ccurl_watch_tls(CURL *easy) {
  if (!set_tls_event) return 0;
  return table.curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, watch_tls) == CURLE_OK;
}

const void *ccurl_tls_connection(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (table.curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
  return session->internals;
}

int ccurl_tls_has_ended(const void *connection) { return connection && ended == connection; }
