#pragma once

#include <stdatomic.h>

/* What the program of a thread holds of memory. Its thread writes `used`, its owner `most`. */
struct cjq_account {
  /* Bytes, since the run began; what it has freed of its input counts as negative. */
  _Atomic long long used;
  _Atomic long long most;
};

static inline long long cjq_used(struct cjq_account *account) {
  return atomic_load_explicit(&account->used, memory_order_relaxed);
}

/* One thread writes: no exchange is needed. */
static inline void cjq_set_used(struct cjq_account *account, long long bytes) {
  atomic_store_explicit(&account->used, bytes, memory_order_relaxed);
}

/* NULL in threads that run no program. */
extern _Thread_local struct cjq_account *cjq_account;

/* Do not return to a thread that runs a program. */
void cjq_out_of_memory(void);
void cjq_assertion_failed(void);
