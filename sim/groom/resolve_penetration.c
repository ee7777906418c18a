#include "sim/groom/resolve_penetration.h"

#include "core/base/jobs.h"

enum { ATTEMPTS = 32, BLOCK = 64 };

// Near the root hair has to be near the scalp: the distance kept grows with the way along the
// strand at this rate.
static const float LIFT = 0.3f;

typedef struct laying {
    coif_strand_buffer *growth;
    const coif_collider *body;
    const coif_param_values *clearance;
} laying;

typedef struct segment {
    coif_vec3 from, to;
    float length, keep; // keep: distance of its end from the body
    int32_t hint;
} segment;

// Turns the segment until its end is clear: out along the shortest way, then back to its length.
static void turn(segment *seg, const coif_collider *body)
{
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        const coif_closest_point_query search = {
            .position = seg->to, .max_distance = seg->keep + 2.0f * seg->length, .hint = seg->hint};
        coif_closest_point nearest;
        if (!coif_collider_closest_point(&nearest, body, &search)) {
            return;
        }
        seg->hint = nearest.triangle;
        // A hair's breadth less is good enough; insisting would only wear the attempts out.
        if (nearest.distance >= 0.98f * seg->keep) {
            return;
        }
        seg->to = coif_mad(seg->to, seg->keep - nearest.distance, nearest.normal);
        const coif_vec3 way = coif_sub(seg->to, seg->from);
        const float length = coif_length(way);
        seg->to = length > 0.0f ? coif_mad(seg->from, seg->length / length, way)
                                : coif_mad(seg->from, seg->length, nearest.normal);
    }
}

static void lay_strand(const laying *all, int32_t strand)
{
    coif_strand_buffer *g = all->growth;
    const float clearance = all->clearance->per_strand != NULL ? all->clearance->per_strand[strand]
                                                               : all->clearance->constant;
    segment seg = {.hint = -1};
    coif_vec3 carried = {0.0f, 0.0f, 0.0f};
    float gone = 0.0f;
    for (int32_t i = g->first[strand] + 1; i < g->first[strand + 1]; ++i) {
        const coif_vec3 from = coif_vec3_of(g->x[i - 1], g->y[i - 1], g->z[i - 1]);
        const coif_vec3 was = coif_vec3_of(g->x[i], g->y[i], g->z[i]);
        // What comes before has moved by carried already, this point has not.
        seg.from = from;
        seg.to = coif_add(was, carried);
        seg.length = coif_length(coif_sub(seg.to, from));
        gone += seg.length;
        const float *ramped = all->clearance->per_point;
        const float keep = (ramped != NULL ? ramped[i] : clearance) + g->radius[i];
        seg.keep = LIFT * gone < keep ? LIFT * gone : keep;
        const coif_vec3 wanted = seg.to;
        turn(&seg, all->body);
        const coif_vec3 turned = coif_sub(seg.to, wanted);
        if (turned.x != 0.0f || turned.y != 0.0f || turned.z != 0.0f) {
            carried = coif_add(carried, turned);
        }
        g->x[i] = seg.to.x;
        g->y[i] = seg.to.y;
        g->z[i] = seg.to.z;
    }
}

static void lay_block(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    for (int64_t s = begin; s < end; ++s) {
        lay_strand(context, (int32_t)s);
    }
}

void coif_resolve_penetration(coif_strand_buffer *growth, const coif_collider *body,
                              const coif_param_values *clearance, coif_jobs *jobs)
{
    laying all = {growth, body, clearance};
    coif_parallel_for(jobs, growth->strand_count, BLOCK, lay_block, &all);
}
