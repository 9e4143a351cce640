// Preloaded before tests that are built with the thread sanitizer: tells it what a `Mutex` orders.
//
// Swift's mutex is taken and given back by code of its caller, which the sanitizer sees, or, where another thread holds
// it or waits for it, by its library, which was built without the sanitizer: what the lock keeps apart would be races.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Part of the program under test; not there in what starts it.
__attribute__((weak)) void __tsan_acquire(void *place);
__attribute__((weak)) void __tsan_release(void *place);

static void taken(void *mutex) {
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF void *mutex) {
  ((SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  taken(mutex);
}

SWIFT bool try_lock(SELF void *mutex) __asm__(TRY);
SWIFT bool try_lock(SELF void *mutex) {
  bool is_ours = ((SWIFT bool (*)(SELF void *))dlsym(RTLD_NEXT, TRY))(mutex);
  if (is_ours) taken(mutex);
  return is_ours;
}

SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
