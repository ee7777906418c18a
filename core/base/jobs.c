// Thread pool: workers sleep until a loop is announced, then take ranges from a shared counter.
#include "core/base/jobs.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct worker {
    coif_jobs *jobs;
    int index;
    pthread_t thread;
} worker;

// The pool and worker index that the current thread executes a job for.
static _Thread_local struct {
    const coif_jobs *jobs;
    int worker;
} running;

struct coif_jobs {
    int thread_count;
    worker *workers;
    pthread_mutex_t loop_lock; // held during a loop: one caller at a time
    pthread_mutex_t lock;
    pthread_cond_t announced, finished;
    uint64_t generation; // number of loops so far, so that a worker joins each one once
    int busy;            // workers still inside the current loop
    bool closing;

    coif_job job;
    void *context;
    int64_t count, grain;
    _Atomic int64_t next;
};

static void run_ranges(coif_jobs *jobs, int index)
{
    const coif_jobs *outer_jobs = running.jobs;
    const int outer_worker = running.worker;
    running.jobs = jobs;
    running.worker = index;
    for (;;) {
        const int64_t begin = atomic_fetch_add(&jobs->next, jobs->grain);
        if (begin >= jobs->count) {
            break;
        }
        const int64_t end = begin + jobs->grain;
        jobs->job(jobs->context, begin, end < jobs->count ? end : jobs->count, index);
    }
    running.jobs = outer_jobs;
    running.worker = outer_worker;
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    coif_jobs *jobs = self->jobs;
    uint64_t seen = 0;

    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        while (!jobs->closing && jobs->generation == seen) {
            pthread_cond_wait(&jobs->announced, &jobs->lock);
        }
        if (jobs->closing) {
            break;
        }
        seen = jobs->generation;
        pthread_mutex_unlock(&jobs->lock);
        run_ranges(jobs, self->index);
        pthread_mutex_lock(&jobs->lock);
        if (--jobs->busy == 0) {
            pthread_cond_signal(&jobs->finished);
        }
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

static coif_status start_workers(coif_jobs *jobs, int threads, coif_error *error)
{
    jobs->thread_count = 1; // the caller
    for (int i = 1; i < threads; ++i) {
        jobs->workers[i] = (worker){.jobs = jobs, .index = i};
        if (pthread_create(&jobs->workers[i].thread, NULL, worker_main, &jobs->workers[i]) != 0) {
            return coif_fail(error, COIF_ERR_MEMORY, "cannot start thread %d of %d", i + 1,
                             threads);
        }
        ++jobs->thread_count;
    }
    return COIF_OK;
}

coif_status coif_jobs_open(coif_jobs **jobs, int threads, coif_arena *arena, coif_error *error)
{
    if (threads <= 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores > 0 ? (int)cores : 1;
    }
    coif_jobs *pool = coif_arena_new(arena, 1, coif_jobs);
    pool->workers = coif_arena_new(arena, threads, worker);
    pthread_mutex_init(&pool->loop_lock, NULL);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->announced, NULL);
    pthread_cond_init(&pool->finished, NULL);
    *jobs = pool;
    const coif_status status = start_workers(pool, threads, error);
    if (status != COIF_OK) {
        coif_jobs_close(pool);
    }
    return status;
}

void coif_jobs_close(coif_jobs *jobs)
{
    if (jobs == NULL) {
        return;
    }
    pthread_mutex_lock(&jobs->lock);
    jobs->closing = true;
    pthread_cond_broadcast(&jobs->announced);
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 1; i < jobs->thread_count; ++i) {
        pthread_join(jobs->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&jobs->finished);
    pthread_cond_destroy(&jobs->announced);
    pthread_mutex_destroy(&jobs->lock);
    pthread_mutex_destroy(&jobs->loop_lock);
}

int coif_jobs_threads(const coif_jobs *jobs)
{
    return jobs != NULL ? jobs->thread_count : 1;
}

static void run_serially(int64_t count, int64_t grain, coif_job job, void *context, int index)
{
    for (int64_t begin = 0; begin < count; begin += grain) {
        job(context, begin, begin + grain < count ? begin + grain : count, index);
    }
}

void coif_parallel_for(coif_jobs *jobs, int64_t count, int64_t grain, coif_job job, void *context)
{
    COIF_REQUIRE(grain > 0);
    const bool nested = jobs != NULL && running.jobs == jobs;
    if (nested || jobs == NULL || jobs->thread_count == 1 || count <= grain) {
        COIF_ASSERT(!nested || jobs->thread_count == 1 || count <= grain);
        run_serially(count, grain, job, context, nested ? running.worker : 0);
        return;
    }
    pthread_mutex_lock(&jobs->loop_lock);
    pthread_mutex_lock(&jobs->lock);
    jobs->job = job;
    jobs->context = context;
    jobs->count = count;
    jobs->grain = grain;
    atomic_store(&jobs->next, 0);
    jobs->busy = jobs->thread_count - 1;
    ++jobs->generation;
    pthread_cond_broadcast(&jobs->announced);
    pthread_mutex_unlock(&jobs->lock);

    run_ranges(jobs, 0);

    pthread_mutex_lock(&jobs->lock);
    while (jobs->busy > 0) {
        pthread_cond_wait(&jobs->finished, &jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    pthread_mutex_unlock(&jobs->loop_lock);
}
