// grow_modifiers, what varies: values of a row for each strand and each point.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "sim/groom/modifiers.h"

enum { BLOCK = 256 };

typedef struct map_job {
    const coif_maps *maps;
    const coif_param_ref *place;
    const coif_surface_point *points;
    float *out;
    coif_status *status; // per block
} map_job;

static void map_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const map_job *job = context;
    (void)worker;
    job->status[begin / BLOCK] = coif_maps_eval(job->maps, job->place, (int32_t)(end - begin),
                                                job->points + begin, job->out + begin);
}

// Maps of floats, and ramps, may go farther than a row allows: a radius below zero is none.
static float within(float value, const coif_param *row, double low)
{
    return row->low != row->high ? coif_clamp(value, (float)low, (float)row->high) : value;
}

coif_status coif_param_values_strands(float **out, const coif_param_ref *place,
                                      const coif_strand_buffer *growth,
                                      const coif_generate_services *tools, coif_error *error)
{
    const int64_t blocks = growth->strand_count / BLOCK + 1;
    *out = coif_arena_new(tools->arena, growth->strand_count, float);
    const map_job job = {.maps = tools->maps,
                         .place = place,
                         .points = growth->roots,
                         .out = *out,
                         .status = coif_arena_new(tools->arena, blocks, coif_status)};
    coif_parallel_for(tools->jobs, growth->strand_count, BLOCK, map_blocks, (void *)&job);
    const coif_param *row = coif_values_param(place->values, place->row);
    for (int64_t b = 0; b < blocks; ++b) {
        if (job.status[b] != COIF_OK) {
            return coif_fail(error, job.status[b],
                             "%s: %s/%s: map \"%s\" gave values that are not numbers",
                             tools->maps->scene, place->node->path, row->name,
                             place->values->values[place->row].map);
        }
    }
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        (*out)[s] = within((*out)[s], row, row->low);
    }
    return COIF_OK;
}

static const float *eval_per_point(const coif_param_ref *row, const coif_param_values *varying,
                                   const coif_strand_buffer *growth, coif_arena *arena)
{
    const coif_value *value = &row->values->values[row->row];
    const coif_param *limits = coif_values_param(row->values, row->row);
    // Any ramp may go down to nothing.
    const double low = limits->low < 0.0 ? limits->low : 0.0;
    float *out = coif_arena_new(arena, growth->point_count, float);
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        const int32_t first = growth->first[s];
        const int32_t last = growth->first[s + 1] - 1;
        const float base = varying->per_strand != NULL ? varying->per_strand[s] : varying->constant;
        for (int32_t i = first; i <= last; ++i) {
            const float place = (float)(i - first) / (float)(last - first);
            out[i] = within(base * coif_value_ramp(value, place), limits, low);
        }
    }
    return out;
}

coif_status coif_param_values_eval(coif_param_values *varying, const coif_param_ref *place,
                                   const coif_strand_buffer *growth,
                                   const coif_generate_services *tools, coif_error *error)
{
    const coif_value *value = &place->values->values[place->row];
    COIF_TRY(coif_maps_check(tools->maps, place, error));
    if (value->map != NULL) {
        float *out;
        COIF_TRY(coif_param_values_strands(&out, place, growth, tools, error));
        varying->per_strand = out;
    }
    if (value->ramp_count > 0) {
        varying->per_point = eval_per_point(place, varying, growth, tools->arena);
    }
    return COIF_OK;
}
