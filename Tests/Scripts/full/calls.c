// Preloaded before a program: numbers the calls by which it changes files or speaks to others, and at one of them ends
// the program, or lets the call fail.
//
//   CALLS_NAMES  the calls that count, each between commas: ",write,fsync,"
//   CALLS_PATH   only calls on files whose path holds this text; without it, sockets count as well
//   CALLS_LOG    a file that gets the name of each call that counts, a line each
//   CALLS_AT     the number, from 1, of the call at which something happens
//   CALLS_DO     "kill": SIGKILL before the call; "half": SIGKILL once half of the bytes are written;
//                or the number of an error that the call ends with
//   CALLS_ON     with "1" every later call ends with the error too
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long made;

static int counts(const char *name) {
  const char *names = getenv("CALLS_NAMES");
  char wanted[40];
  snprintf(wanted, sizeof wanted, ",%s,", name);
  return names && strstr(names, wanted) != NULL;
}

static int is_of(int file, const char *path) {
  const char *part = getenv("CALLS_PATH");
  if (!part) return 1;
  if (path) return strstr(path, part) != NULL;
  char link[40], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  return strstr(target, part) != NULL;
}

static void log_name(const char *name) {
  const char *log = getenv("CALLS_LOG");
  if (!log) return;
  char line[40];
  int length = snprintf(line, sizeof line, "%s\n", name);
  long file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
  syscall(SYS_write, file, line, (long)length);
  syscall(SYS_close, file);
}

static void end(void) { syscall(SYS_kill, getpid(), SIGKILL); }

// What to do instead of the call: 0 nothing, 1 half of it and an end, 2 fail with `errno`.
static int met(const char *name, int file, const char *path) {
  int before = errno;
  if (!counts(name) || !is_of(file, path)) return errno = before, 0;
  long number = atomic_fetch_add(&made, 1) + 1;
  log_name(name);
  errno = before;
  const char *at = getenv("CALLS_AT"), *what = getenv("CALLS_DO"), *on = getenv("CALLS_ON");
  if (!at || !what) return 0;
  long wanted = atol(at);
  if (number != wanted && !(on && number > wanted)) return 0;
  if (!strcmp(what, "half")) return 1;
  if (!strcmp(what, "kill")) end();
  errno = atoi(what);
  return 2;
}

#define MEETS(name, file, path, half)            \
  switch (met(name, file, path)) {               \
    case 1: half; end(); break;                  \
    case 2: return -1;                           \
  }

ssize_t write(int file, const void *bytes, size_t count) {
  MEETS("write", file, NULL, syscall(SYS_write, file, bytes, count / 2))
  return syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  MEETS("pwrite", file, NULL, syscall(SYS_pwrite64, file, bytes, count / 2, at))
  return syscall(SYS_pwrite64, file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return pwrite64(file, bytes, count, at); }

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  MEETS("pread", file, NULL, )
  return syscall(SYS_pread64, file, bytes, count, at);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) { return pread64(file, bytes, count, at); }

int fsync(int file) {
  MEETS("fsync", file, NULL, )
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  MEETS("fdatasync", file, NULL, )
  return (int)syscall(SYS_fdatasync, file);
}

int ftruncate64(int file, off64_t length) {
  MEETS("ftruncate", file, NULL, )
  return (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int close(int file) {
  MEETS("close", file, NULL, )
  return (int)syscall(SYS_close, file);
}

int unlink(const char *path) {
  MEETS("unlink", -1, path, )
  return (int)syscall(SYS_unlink, path);
}

int rename(const char *from, const char *to) {
  MEETS("rename", -1, to, )
  return (int)syscall(SYS_rename, from, to);
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
  MEETS("open", -1, path, )
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE                                     \
  mode_t mode = 0;                               \
  if (flags & (O_CREAT | __O_TMPFILE)) {         \
    va_list more;                                \
    va_start(more, flags);                       \
    mode = va_arg(more, mode_t);                 \
    va_end(more);                                \
  }

int open(const char *path, int flags, ...) {
  MODE
  return opened(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE
  return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE
  return opened(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE
  return opened(folder, path, flags | O_LARGEFILE, mode);
}

int connect(int file, const struct sockaddr *address, socklen_t length) {
  MEETS("connect", file, NULL, )
  return (int)syscall(SYS_connect, file, address, length);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
  MEETS("send", file, NULL, syscall(SYS_sendto, file, bytes, count / 2, flags, NULL, 0))
  return syscall(SYS_sendto, file, bytes, count, flags, NULL, 0);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
  MEETS("recv", file, NULL, )
  return syscall(SYS_recvfrom, file, bytes, count, flags, NULL, NULL);
}
