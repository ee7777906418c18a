#include "sim/groom/varying_params.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"

enum { BLOCK = 256 };

typedef struct map_job {
    const coif_maps *maps;
    const coif_param_ref *param;
    const coif_surface_point *points;
    float *out;
    coif_status *status; // per block
} map_job;

static void map_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const map_job *job = context;
    (void)worker;
    job->status[begin / BLOCK] = coif_maps_eval(job->maps, job->param, (int32_t)(end - begin),
                                                job->points + begin, job->out + begin);
}

// Float maps and ramps may exceed the range of a parameter.
static float clamp_to_row(float value, const coif_param *row, double low)
{
    return row->low != row->high ? coif_clamp(value, (float)low, (float)row->high) : value;
}

coif_status coif_param_values_strands(float **out, const coif_param_ref *param,
                                      const coif_strand_buffer *buffer,
                                      const coif_generate_services *services, coif_error *error)
{
    const int64_t blocks = buffer->strand_count / BLOCK + 1;
    *out = coif_arena_new(services->arena, buffer->strand_count, float);
    map_job job = {.maps = services->maps,
                   .param = param,
                   .points = buffer->roots,
                   .out = *out,
                   .status = coif_arena_new(services->arena, blocks, coif_status)};
    coif_parallel_for(services->jobs, buffer->strand_count, BLOCK, map_blocks, &job);
    const coif_param *row = &param->values->rows[param->row];
    for (int64_t b = 0; b < blocks; ++b) {
        if (job.status[b] != COIF_OK) {
            return coif_fail(error, job.status[b],
                             "%s: %s/%s: map \"%s\" returned values that are not finite",
                             services->maps->scene, param->node->path, row->name,
                             param->values->values[param->row].map);
        }
    }
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        (*out)[s] = clamp_to_row((*out)[s], row, row->low);
    }
    return COIF_OK;
}

static const float *eval_per_point(const coif_param_ref *row, const coif_param_values *varying,
                                   const coif_strand_buffer *buffer, coif_arena *arena)
{
    const coif_value *value = &row->values->values[row->row];
    const coif_param *limits = &row->values->rows[row->row];
    // A ramp may always reach zero.
    const double low = limits->low < 0.0 ? limits->low : 0.0;
    float *out = coif_arena_new(arena, buffer->point_count, float);
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        const int32_t first = buffer->first[s];
        const int32_t last = buffer->first[s + 1] - 1;
        const float base = varying->per_strand != NULL ? varying->per_strand[s] : varying->constant;
        for (int32_t i = first; i <= last; ++i) {
            const float t = (float)(i - first) / (float)(last - first);
            out[i] = clamp_to_row(base * coif_value_ramp(value, t), limits, low);
        }
    }
    return out;
}

coif_status coif_param_values_eval(coif_param_values *varying, const coif_param_ref *param,
                                   const coif_strand_buffer *buffer,
                                   const coif_generate_services *services, coif_error *error)
{
    const coif_value *value = &param->values->values[param->row];
    COIF_TRY(coif_maps_check(services->maps, param, error));
    if (value->map != NULL) {
        float *out;
        COIF_TRY(coif_param_values_strands(&out, param, buffer, services, error));
        varying->per_strand = out;
    }
    if (value->ramp_count > 0) {
        varying->per_point = eval_per_point(param, varying, buffer, services->arena);
    }
    return COIF_OK;
}
