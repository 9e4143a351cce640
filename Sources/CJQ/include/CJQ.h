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
  /* It was stopped in time. */
  CJQ_TIME_OUT,
  /* It could not be stopped, or there was no memory for it. The worker is left to itself, with all that it has, and
     must not be used again, not even ended. */
  CJQ_LOST,
  CJQ_OUT_OF_MEMORY,
} cjq_outcome;

/* A thread that runs the compiled program; it takes over the state. NULL, the state untouched, when there is no thread
   to be had. */
cjq_worker *cjq_worker_start(jq_state *state);

/* Runs the program on a value, which is consumed, until its first output. That is lent until the next run or the
   end. */
cjq_outcome cjq_worker_run(cjq_worker *worker, jv input, long milliseconds, jv *output);

/* Ends the thread and frees the state. */
void cjq_worker_end(cjq_worker *worker);
