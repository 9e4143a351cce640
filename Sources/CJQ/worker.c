#define _GNU_SOURCE
#include "CJQ.h"
#include "account.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The environment with another HOME. It is made once and stays: others may be reading it. */
static char **homeless_environment(void) {
  static char **made;
  static char home[] = "HOME=/dev/null";
  if (made) return made;
  size_t count = 0;
  while (environ[count]) count++;
  char **copy = calloc(count + 1, sizeof *copy);
  if (!copy) return environ;
  for (size_t i = 0; i < count; i++) copy[i] = strncmp(environ[i], "HOME=", 5) ? environ[i] : home;
  return made = copy;
}

static int has_home_file(void) {
  const char *home = getenv("HOME");
  char path[4096];
  int length = home ? snprintf(path, sizeof path, "%s/.jq", home) : 0;
  return length > 0 && ((size_t)length >= sizeof path || access(path, F_OK) == 0);
}

/* libjq compiles long programs and frees nested values by recursion: room for as many levels as fit in the memory that
   a program may take, or, where addresses are limited (ulimit -v), for a million. It is only reserved. */
static const size_t stack_bytes = 1 << 30;
static const size_t least_stack_bytes = 64 << 20;
static const long grace_milliseconds = 100;

static pthread_t start_thread(void *(*body)(void *), void *context, size_t stack, int *failure) {
  pthread_t thread = 0;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  /* Signals are for the threads of the program. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  *failure = pthread_create(&thread, &attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return thread;
}

struct compilation {
  jq_state *state;
  const char *program;
  int compiled;
};

static void *compile(void *context) {
  struct compilation *compilation = context;
  compilation->compiled = jq_compile(compilation->state, compilation->program);
  return NULL;
}

int cjq_compile(jq_state *state, const char *program) {
  struct compilation compilation = {state, program, 0};
  char **before = environ;
  int failure;
  if (has_home_file()) environ = homeless_environment();
  pthread_t thread = start_thread(compile, &compilation, least_stack_bytes, &failure);
  if (!failure) pthread_join(thread, NULL);
  environ = before;
  return compilation.compiled;
}

enum phase { IDLE, RUNNING, FINISHED, ENDING, EXHAUSTED, BROKEN, GIVEN_UP };

struct cjq_worker {
  jq_state *state;
  pthread_t thread;
  sem_t question;
  sem_t answer;
  /* Who may touch the rest: the worker's thread while it is RUNNING or GIVEN_UP, else the owner. */
  _Atomic int phase;
  struct cjq_account account;
  /* What it held when it was given up; written before, by the owner. */
  long long lost;
  jv input;
  jv output;
};

/* What workers hold that were left to themselves. */
static _Atomic long long lost_bytes;
/* What a program may take however much is lost. */
static const long long least_bytes = 64 << 20;

static void release(cjq_worker *worker) {
  sem_destroy(&worker->question);
  sem_destroy(&worker->answer);
  free(worker);
}

/* The worker whose thread this is: libjq 1.6 does not hand its context to the handlers. */
static _Thread_local cjq_worker *current;

/* libjq cannot be unwound: the thread waits here until the process ends. */
static _Noreturn void park(enum phase phase) {
  int running = RUNNING;
  if (atomic_compare_exchange_strong(&current->phase, &running, phase)) sem_post(&current->answer);
  for (;;) pause();
}

void cjq_out_of_memory(void) {
  if (current) park(EXHAUSTED);
}

void cjq_assertion_failed(void) {
  if (current) park(BROKEN);
}

static void *work(void *context) {
  cjq_worker *worker = context;
  current = worker;
  cjq_account = &worker->account;
  for (;;) {
    while (sem_wait(&worker->question) != 0) {}
    jv_free(worker->output);
    worker->output = jv_invalid();
    if (atomic_load(&worker->phase) == ENDING) break;
    cjq_set_used(&worker->account, 0);
    jq_start(worker->state, worker->input, 0);
    worker->output = jq_next(worker->state);
    int running = RUNNING;
    if (!atomic_compare_exchange_strong(&worker->phase, &running, FINISHED)) {
      /* Given up, and ended after all: nobody else knows of it any more. */
      jv_free(worker->output);
      jq_teardown(&worker->state);
      atomic_fetch_sub(&lost_bytes, worker->lost);
      release(worker);
      return NULL;
    }
    sem_post(&worker->answer);
  }
  jq_teardown(&worker->state);
  return NULL;
}

cjq_worker *cjq_worker_start(jq_state *state, long long most_bytes) {
  cjq_worker *worker = calloc(1, sizeof *worker);
  if (!worker) return NULL;
  worker->state = state;
  worker->output = jv_invalid();
  atomic_init(&worker->phase, IDLE);
  long long left = most_bytes - atomic_load(&lost_bytes);
  long long least = most_bytes < least_bytes ? most_bytes : least_bytes;
  atomic_init(&worker->account.most, left > least ? left : least);
  sem_init(&worker->question, 0, 0);
  sem_init(&worker->answer, 0, 0);

  struct rlimit addresses;
  int is_limited = getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
  int failure;
  worker->thread = start_thread(work, worker, is_limited ? least_stack_bytes : stack_bytes, &failure);
  if (failure) worker->thread = start_thread(work, worker, least_stack_bytes, &failure);
  if (failure) {
    release(worker);
    return NULL;
  }
  return worker;
}

void cjq_worker_begin(cjq_worker *worker, jv input) {
  worker->input = input;
  atomic_store(&worker->phase, RUNNING);
  sem_post(&worker->question);
}

/* 0 when the answer is there, else the time is over. */
static int await(cjq_worker *worker, long milliseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += milliseconds / 1000;
  end.tv_nsec += milliseconds % 1000 * 1000000;
  if (end.tv_nsec >= 1000000000) {
    end.tv_sec += 1;
    end.tv_nsec -= 1000000000;
  }
  int status;
  while ((status = sem_clockwait(&worker->answer, CLOCK_MONOTONIC, &end)) != 0 && errno == EINTR) {}
  return status;
}

static void lose(cjq_worker *worker) {
  pthread_detach(worker->thread);
  long long used = cjq_used(&worker->account);
  if (used > 0) atomic_fetch_add(&lost_bytes, used);
}

/* The answer is there: what is it? */
static cjq_outcome outcome(cjq_worker *worker) {
  switch (atomic_load(&worker->phase)) {
  case EXHAUSTED:
    lose(worker);
    return CJQ_OUT_OF_MEMORY;
  case BROKEN:
    lose(worker);
    return CJQ_BROKEN;
  default:
    atomic_store(&worker->phase, IDLE);
    return CJQ_DONE;
  }
}

cjq_outcome cjq_worker_await(cjq_worker *worker, long milliseconds, jv *output) {
  if (await(worker, milliseconds) != 0) return CJQ_WORKING;
  cjq_outcome found = outcome(worker);
  if (found == CJQ_DONE) *output = worker->output;
  return found;
}

int cjq_worker_stop(cjq_worker *worker) {
  jq_halt(worker->state, jv_invalid(), jv_invalid());
  if (await(worker, grace_milliseconds) != 0) {
    /* It gets no more memory: what builds in C without end stops there. */
    long long most = atomic_exchange(&worker->account.most, -1);
    /* Once it is given up it may end, and be freed, at any moment. */
    pthread_t thread = worker->thread;
    long long used = cjq_used(&worker->account);
    worker->lost = used > 0 ? used : 0;
    long long lost = worker->lost;
    int running = RUNNING;
    if (atomic_compare_exchange_strong(&worker->phase, &running, GIVEN_UP)) {
      atomic_fetch_add(&lost_bytes, lost);
      pthread_detach(thread);
      return 0;
    }
    while (sem_wait(&worker->answer) != 0) {}
    atomic_store(&worker->account.most, most);
  }
  return outcome(worker) == CJQ_DONE;
}

void cjq_worker_end(cjq_worker *worker) {
  atomic_store(&worker->phase, ENDING);
  sem_post(&worker->question);
  pthread_join(worker->thread, NULL);
  release(worker);
}
