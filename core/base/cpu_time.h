// CPU time of the process, summed over all threads; for benchmarks and statistics only.
#ifndef COIF_CORE_BASE_CPU_TIME_H
#define COIF_CORE_BASE_CPU_TIME_H

#include <time.h>

static inline double coif_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
