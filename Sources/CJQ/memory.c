#define _GNU_SOURCE
#include "account.h"

#include <dlfcn.h>
#include <errno.h>
#include <jq.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libjq has no limit on what a program builds, and cannot be interrupted within its functions in C. It reaches its own
   allocator, and what else is defined here, by way of the dynamic linker, which takes these definitions in place of the
   library's: so its memory is counted, and a program that goes too far ends up here and not in an abort. */

_Thread_local struct cjq_account *cjq_account;

static void admit(long long bytes) {
  struct cjq_account *account = cjq_account;
  if (!account) return;
  if (cjq_used(account) + bytes > atomic_load_explicit(&account->most, memory_order_relaxed)) cjq_out_of_memory();
}

static void add(long long bytes) {
  struct cjq_account *account = cjq_account;
  if (account) cjq_set_used(account, cjq_used(account) + bytes);
}

static long long size_of(void *block) { return block ? (long long)malloc_usable_size(block) : 0; }

static void *counted(void *block) {
  add(size_of(block));
  return block;
}

/* As libjq does it, where no program runs. */
static void *guarded(void *block) {
  if (block) return block;
  cjq_out_of_memory();
  fprintf(stderr, "jq: error: cannot allocate memory\n");
  abort();
}

static long long bounded(size_t size) { return size > INT64_MAX / 2 ? INT64_MAX / 2 : (long long)size; }

void *jv_mem_alloc_unguarded(size_t size) {
  admit(bounded(size));
  return counted(malloc(size));
}

void *jv_mem_alloc(size_t size) { return guarded(jv_mem_alloc_unguarded(size)); }

void *jv_mem_calloc_unguarded(size_t count, size_t size) {
  size_t bytes;
  admit(__builtin_mul_overflow(count, size, &bytes) ? INT64_MAX / 2 : bounded(bytes));
  return counted(calloc(count, size));
}

void *jv_mem_calloc(size_t count, size_t size) { return guarded(jv_mem_calloc_unguarded(count, size)); }

char *jv_mem_strdup_unguarded(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = jv_mem_alloc_unguarded(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

char *jv_mem_strdup(const char *text) { return guarded(jv_mem_strdup_unguarded(text)); }

void *jv_mem_realloc(void *block, size_t size) {
  long long before = size_of(block);
  admit(bounded(size) - before);
  void *moved = guarded(realloc(block, size));
  add(size_of(moved) - before);
  return moved;
}

void jv_mem_free(void *block) {
  add(-size_of(block));
  free(block);
}

static jv (*library_array_set)(jv, int, jv);

static void find_array_set(void) { *(void **)&library_array_set = dlsym(RTLD_NEXT, "jv_array_set"); }

/* libjq computes the size of an array in 32 bits: an element far behind the end would be written outside of it. */
jv jv_array_set(jv array, int index, jv value) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_array_set);
  if (index > 0) admit(index * (long long)sizeof(jv));
  return library_array_set(array, index, value);
}

/* libjq checks itself by `assert`, on values that a program can make. */
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  cjq_assertion_failed();
  fprintf(
      stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file, line,
      function ? function : "?", assertion);
  abort();
}
