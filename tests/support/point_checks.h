// The points of a block one by one, in double precision, and its rest shape.
#ifndef COIF_TESTS_SUPPORT_POINT_CHECKS_H
#define COIF_TESTS_SUPPORT_POINT_CHECKS_H

#include "sim/run/bend_spans.h"
#include "sim/solver/methods/pbd/pbd.h"
#include "tests/support/hair_volume_fixture.h"

typedef struct triple {
    double x, y, z;
} triple;

static inline triple minus(triple a, triple b)
{
    return (triple){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double dot(triple a, triple b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline triple cross(triple a, triple b)
{
    return (triple){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double size(triple a)
{
    return sqrt(dot(a, a));
}

static inline const coif_pbd_kernels *pbd_of(const pack *p)
{
    return p->kernels->pbd;
}

// Point k of the first lane.
static inline triple at(const pack *p, int32_t k)
{
    const int32_t i = k * p->kernels->lanes;
    return (triple){p->work.predicted.x[i], p->work.predicted.y[i], p->work.predicted.z[i]};
}

static inline double distance(const pack *p, int32_t a, int32_t b)
{
    return size(minus(at(p, b), at(p, a)));
}

static inline void put(pack *p, int32_t k, double x, double y, double z)
{
    for (int32_t i = k * p->kernels->lanes; i < (k + 1) * p->kernels->lanes; ++i) {
        p->work.predicted.x[i] = (float)x;
        p->work.predicted.y[i] = (float)y;
        p->work.predicted.z[i] = (float)z;
    }
}

static inline void weigh(pack *p, int32_t k, double w)
{
    for (int32_t i = k * p->kernels->lanes; i < (k + 1) * p->kernels->lanes; ++i) {
        p->block.inv_mass[i] = (float)w;
    }
}

// A copy of all positions, to compare with.
typedef struct snapshot {
    float x[FLOATS], y[FLOATS], z[FLOATS];
} snapshot;

static inline snapshot remember(const pack *p)
{
    snapshot s = {{0}, {0}, {0}};
    const size_t bytes = sizeof(float) * (size_t)(LENGTH * p->kernels->lanes);
    memcpy(s.x, p->work.predicted.x, bytes);
    memcpy(s.y, p->work.predicted.y, bytes);
    memcpy(s.z, p->work.predicted.z, bytes);
    return s;
}

static inline bool is_unmoved(const pack *p, const snapshot *s)
{
    const snapshot now = remember(p);
    return memcmp(&now, s, sizeof now) == 0;
}

// The rest shape is where the points are.
static inline void rest_here(pack *p, const char *text, int32_t bending, coif_arena *arena)
{
    coif_bend_spans spans;
    coif_error error = {0};
    const size_t bytes = sizeof(float) * (size_t)(LENGTH * p->kernels->lanes);
    CHECK_OK(coif_bend_spans_parse(&spans, text, &error), error);
    memcpy(p->block.rest_local.x, p->work.predicted.x, bytes);
    memcpy(p->block.rest_local.y, p->work.predicted.y, bytes);
    memcpy(p->block.rest_local.z, p->work.predicted.z, bytes);
    coif_pbd_init(&p->block, &spans, bending, arena);
    pbd_of(p)->precompute_rest(&p->block);
}

#endif
