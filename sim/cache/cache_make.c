// Frames of corrected caches.
#include "sim/cache/cache_make.h"

#include "core/base/error.h"

#include <math.h>
#include <string.h>

// The simulated strands at rest, of a keyed groom at the frame of base.
static coif_status rest_term(coif_combine_term *term, const coif_cache_make_desc *desc,
                             const coif_cache_frame *base, coif_arena *arena, coif_error *error)
{
    const coif_groom *groom = desc->input->groom;
    const coif_vec4 *rest = base->strands.rest != NULL ? base->strands.rest : groom->rest.points;
    coif_strands *strands = coif_arena_new(arena, 1, coif_strands);
    coif_root_frame *roots = coif_arena_new(arena, groom->simulated_count, coif_root_frame);
    COIF_TRY(coif_groom_simulated(strands, groom, arena, error));
    for (int32_t i = 0; i < strands->strand_count; ++i) {
        memcpy(strands->points + strands->first[i], rest + groom->rest.first[groom->simulated[i]],
               (size_t)coif_strands_length(strands, i) * sizeof *rest);
    }
    coif_root_frames_rest(roots, groom, rest);
    term->strands = strands;
    term->roots = roots;
    return COIF_OK;
}

static coif_status cache_term(coif_combine_term *term, coif_cache_frame *frame,
                              const coif_cache_make_desc *desc, double pose, coif_error *error)
{
    term->strands = &frame->strands;
    if (frame->frame == pose || !coif_body_is_animated(desc->input->body)) {
        return COIF_OK;
    }
    if (frame->roots == NULL) {
        COIF_TRY(
            coif_cache_input_roots(&frame->roots, desc->input, frame->frame, &frame->arena, error));
    }
    term->roots = frame->roots;
    return COIF_OK;
}

// Rest points of a keyed groom: the sum over the cached terms.
static void combine_rest(coif_cache_output *out, const coif_combine_term *terms, int32_t count,
                         const coif_cache_make_desc *desc)
{
    const size_t points = (size_t)desc->input->groom->rest.point_count;
    float sum = 0.0f;
    for (int32_t t = 0; t < count; ++t) {
        sum += terms[t].strands->rest != NULL ? terms[t].weight : 0.0f;
    }
    if (terms[0].strands->rest == NULL) {
        return;
    }
    out->strands.rest = coif_arena_new(&out->arena, points, coif_vec4);
    if (count == 1 || !(sum > 0.0f)) {
        memcpy(out->strands.rest, terms[0].strands->rest, points * sizeof(coif_vec4));
        return;
    }
    for (int32_t t = 0; t < count; ++t) {
        const coif_vec4 *rest = terms[t].strands->rest;
        const float weight = terms[t].weight / sum;
        for (size_t i = 0; rest != NULL && i < points; ++i) {
            coif_vec4 *to = &out->strands.rest[i];
            *to = (coif_vec4){to->x + weight * rest[i].x, to->y + weight * rest[i].y,
                              to->z + weight * rest[i].z, to->w + weight * rest[i].w};
        }
    }
}

static void translate(coif_cache_output *out, const coif_cache_make_desc *desc)
{
    const float *by = desc->params->translate;
    for (int32_t s = 0; s < out->strands.strand_count; ++s) {
        const float amount = desc->mask != NULL ? desc->mask[s] : 1.0f;
        for (int32_t i = out->strands.first[s]; i < out->strands.first[s + 1]; ++i) {
            coif_vec4 *p = &out->strands.points[i];
            *p = (coif_vec4){p->x + amount * by[0], p->y + amount * by[1], p->z + amount * by[2],
                             p->w};
        }
    }
}

// Strands that have the bits of a term keep its velocities, at the same speed.
static void copy_velocities(coif_cache_output *out, const coif_combine_term *terms,
                            const coif_cache_plan *plan, coif_arena *scratch)
{
    const int32_t count = fabs(plan->rate - 1.0) < 1e-6 ? plan->count : 0;
    const int32_t strands = out->strands.strand_count;
    bool *differs = coif_arena_new(scratch, strands, bool);
    out->changed = coif_arena_new(&out->arena, strands, bool);
    memset(out->changed, 1, (size_t)strands * sizeof *out->changed);
    out->strands.velocities = coif_arena_new(&out->arena, out->strands.point_count, coif_vec3);
    for (int32_t t = 0; t < count; ++t) {
        const coif_strands *from = terms[t].strands;
        if (terms[t].roots != NULL || from->velocities == NULL) {
            continue;
        }
        coif_strands_compare(differs, &out->strands, from);
        for (int32_t s = 0; s < strands; ++s) {
            if (out->changed[s] && !differs[s]) {
                out->changed[s] = false;
                memcpy(out->strands.velocities + from->first[s], from->velocities + from->first[s],
                       (size_t)coif_strands_length(from, s) * sizeof(coif_vec3));
            }
        }
    }
}

static coif_status push_out(coif_cache_output *out, const coif_cache_make_desc *desc,
                            coif_error *error)
{
    coif_sim_scene *sim_scene = desc->sim_scene;
    COIF_TRY(coif_body_playback_hold_pose(desc->playback, sim_scene, out->frame, error));
    COIF_SCOPED_ARENA(scratch, "push out");
    coif_collider *colliders = coif_arena_new(&scratch, sim_scene->collider_count, coif_collider);
    const coif_push_out_desc push = {
        .colliders = colliders,
        .collider_count = coif_sim_scene_select_colliders(
            colliders, sim_scene, desc->groom, (int32_t)(desc->input->body - sim_scene->bodies)),
        .distance = desc->params->distance,
        .jobs = sim_scene->jobs};
    out->pushed = coif_push_out(&out->strands, &push);
    return COIF_OK;
}

static coif_status find_terms(coif_combine_term *terms, coif_cache_frame **base,
                              const coif_cache_plan *plan, const coif_cache_make_desc *desc,
                              coif_cache_output *out, coif_arena *scratch, coif_error *error)
{
    double time = 0.0, sum = 0.0;
    float largest = -1.0f;
    for (int32_t t = 0; t < plan->count; ++t) {
        const coif_cache_term *term = &plan->terms[t];
        terms[t].weight = term->weight;
        if (term->source == COIF_CACHE_REST) {
            COIF_TRY(rest_term(&terms[t], desc, *base, scratch, error));
            continue;
        }
        coif_cache_frame *frame;
        COIF_TRY(coif_cache_input_frame(&frame, desc->input, term->source, term->frame, error));
        COIF_TRY(cache_term(&terms[t], frame, desc, plan->pose, error));
        *base = t == 0 ? frame : *base;
        time += (double)term->weight * frame->info.time;
        sum += (double)term->weight;
        if (term->weight > largest) {
            largest = term->weight;
            out->info = frame->info; // statistics
        }
    }
    out->info.time = sum > 0.0 ? time / sum : out->info.time;
    out->info.metadata = coif_arena_copy_text(&out->arena, (*base)->info.metadata);
    return COIF_OK;
}

coif_status coif_cache_make(coif_cache_output *out, const coif_cache_make_desc *desc,
                            coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "correction");
    const coif_cache_params *params = desc->params;
    coif_cache_plan plan;
    coif_combine_term terms[COIF_CACHE_MAX_TERMS] = {0};
    coif_cache_frame *base = NULL;
    COIF_TRY(coif_cache_plan_frame(&plan, params, desc->input_range, out->frame, error));
    COIF_TRY(find_terms(terms, &base, &plan, desc, out, &scratch, error));
    COIF_TRY(coif_groom_simulated(&out->strands, desc->input->groom, &out->arena, error));
    if (base->strands.colors != NULL) {
        const size_t count = (size_t)out->strands.point_count;
        out->strands.colors = coif_arena_new(&out->arena, count, coif_vec3);
        memcpy(out->strands.colors, base->strands.colors, count * sizeof(coif_vec3));
    }
    coif_root_frame *roots = NULL;
    for (int32_t t = 0; t < plan.count && roots == NULL; ++t) {
        if (terms[t].roots != NULL) {
            COIF_TRY(coif_cache_input_roots(&roots, desc->input, plan.pose, &scratch, error));
        }
    }
    const coif_combine_desc combine = {.terms = terms,
                                       .term_count = plan.count,
                                       .mask = desc->mask,
                                       .roots = roots,
                                       .jobs = desc->sim_scene->jobs};
    coif_strands_combine(&out->strands, &combine);
    combine_rest(out, terms, plan.count, desc);
    if (params->operation == COIF_CACHE_OFFSET) {
        translate(out, desc);
    }
    if (params->operation == COIF_CACHE_PUSH_OUT) {
        COIF_TRY(push_out(out, desc, error));
    }
    copy_velocities(out, terms, &plan, &scratch);
    return COIF_OK;
}
