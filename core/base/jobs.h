// Thread pool and parallel loop, the only source of parallelism in the program.
//
// Work is split by index, never by thread number, and every index writes only its own output, so
// results do not depend on the number of threads.
#ifndef COIF_CORE_BASE_JOBS_H
#define COIF_CORE_BASE_JOBS_H

#include "core/base/base.h"

// Processes the indices [begin, end). Worker is in [0, coif_jobs_threads) and selects private
// scratch memory, nothing else.
typedef void (*coif_job)(void *context, int64_t begin, int64_t end, int worker);

// Threads 0 means one per core; the calling thread is one of them. Close before freeing the arena.
coif_status coif_jobs_open(coif_jobs **jobs, int threads, coif_arena *arena, coif_error *error);
void coif_jobs_close(coif_jobs *jobs);
int coif_jobs_threads(const coif_jobs *jobs);

// Calls job on ranges of at most grain indices until all of [0, count) is done, then returns. With
// jobs NULL everything runs on the calling thread, in order. Calls of several threads run one after
// another. A job must not start another loop on the same pool: that is an assertion failure, and
// without assertions the inner loop runs serially on the calling worker.
void coif_parallel_for(coif_jobs *jobs, int64_t count, int64_t grain, coif_job job, void *context);

#endif
