#pragma once

/* libjq 1.6, and what it lacks: a run that can be given up. The one header of this target. */

#include <jq.h>

/* Compiles a program; 0 when it does not compile, which the state's error callback has then been told.

   libjq reads definitions from ~/.jq, if there is such a file. What a mapping means must not depend on it: a folder
   without one is shown as HOME meanwhile. Needs a lock around it. */
int cjq_compile(jq_state *state, const char *program);

typedef struct cjq_worker cjq_worker;

typedef enum {
  /* The program ended; what it gave may be an invalid value. */
  CJQ_DONE,
  /* It still runs. */
  CJQ_WORKING,
  /* It wanted more memory than it may have, or than there is; or libjq found itself in a state that must not be. The
     worker is left to itself, with all that it has, and must not be used again, not even ended. */
  CJQ_OUT_OF_MEMORY,
  CJQ_BROKEN,
} cjq_outcome;

/* A thread that runs the compiled program; it takes over the state. NULL, the state untouched, when there is no thread
   to be had.

   A run may take `most_bytes` beside its input: less where earlier workers were left to themselves with some of it, but
   64 MiB in any case. */
cjq_worker *cjq_worker_start(jq_state *state, long long most_bytes);

/* Runs the program on a value, which is consumed, until its first output. To be awaited, or stopped. */
void cjq_worker_begin(cjq_worker *worker, jv input);

/* Waits for the output. It is lent until the next run or the end. */
cjq_outcome cjq_worker_await(cjq_worker *worker, long milliseconds, jv *output);

/* Asks the program to stop, as its own `halt` would: libjq looks at a plain flag of the state before each instruction,
   not while one of its functions in C runs. 0: it did not stop soon, and the worker is left to itself, as above. */
int cjq_worker_stop(cjq_worker *worker);

/* Ends the thread and frees the state. */
void cjq_worker_end(cjq_worker *worker);
