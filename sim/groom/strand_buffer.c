#include "sim/groom/strand_buffer.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

static coif_surface_point *find_roots(const coif_strand_buffer_desc *desc, coif_arena *scratch)
{
    const coif_groom *groom = desc->groom;
    coif_surface_point *roots =
        coif_arena_new(scratch, groom->rest.strand_count, coif_surface_point);
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        const float *b = groom->root_barycentric + 2 * (int64_t)s;
        roots[s] = coif_mesh_at(desc->mesh, groom->root_triangle[s], b[0], b[1]);
    }
    return roots;
}

static void load_points(coif_strand_buffer *buffer, const coif_strands *rest, coif_arena *scratch)
{
    buffer->origin = coif_arena_new(scratch, rest->point_count, float);
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        for (int32_t i = rest->first[s]; i < rest->first[s + 1]; ++i) {
            buffer->x[i] = rest->points[i].x;
            buffer->y[i] = rest->points[i].y;
            buffer->z[i] = rest->points[i].z;
            buffer->radius[i] = rest->points[i].w;
            buffer->origin[i] = (float)(i - rest->first[s]);
        }
    }
}

coif_status coif_strand_buffer_check_count(int32_t strands, int32_t points, coif_error *error)
{
    if ((int64_t)strands * points > COIF_MAX_POINTS) {
        return coif_fail(error, COIF_ERR_SCENE, "%d strands of %d points: more than %d points",
                         strands, points, COIF_MAX_POINTS);
    }
    return COIF_OK;
}

coif_status coif_strand_buffer_check_total(const int32_t *counts, int32_t strands,
                                           coif_error *error)
{
    int64_t total = 0;
    for (int32_t s = 0; s < strands; ++s) {
        total += counts[s];
    }
    if (total > COIF_MAX_POINTS) {
        return coif_fail(error, COIF_ERR_SCENE, "%d strands of %lld points in all: more than %d",
                         strands, (long long)total, COIF_MAX_POINTS);
    }
    return COIF_OK;
}

coif_status coif_strand_buffer_open(coif_strand_buffer *buffer, const coif_strand_buffer_desc *desc,
                                    coif_arena *scratch, coif_error *error)
{
    const coif_strands *rest = &desc->groom->rest;
    COIF_TRY(coif_strand_buffer_check_count(rest->strand_count, desc->points, error));
    if (desc->counts != NULL && desc->points > 0) {
        COIF_TRY(coif_strand_buffer_check_total(desc->counts, rest->strand_count, error));
    }
    int32_t *first = coif_arena_new(scratch, rest->strand_count + 1, int32_t);
    int32_t *clump = coif_arena_new(scratch, rest->strand_count, int32_t);
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        first[s + 1] = desc->points == 0      ? rest->first[s + 1]
                       : desc->counts != NULL ? first[s] + desc->counts[s]
                                              : first[s] + desc->points;
        clump[s] = -1;
    }
    const int64_t total = first[rest->strand_count];
    *buffer = (coif_strand_buffer){.strand_count = rest->strand_count,
                                   .point_count = (int32_t)total,
                                   .first = first,
                                   .x = coif_arena_new(scratch, total, float),
                                   .y = coif_arena_new(scratch, total, float),
                                   .z = coif_arena_new(scratch, total, float),
                                   .radius = coif_arena_new(scratch, total, float),
                                   .root_frame = desc->groom->root_frame,
                                   .root_uv = rest->root_uv,
                                   .random = desc->groom->random,
                                   .clump = clump,
                                   .roots = find_roots(desc, scratch),
                                   .max_points = desc->max_points,
                                   .arena = scratch};
    if (desc->points == 0) {
        load_points(buffer, rest, scratch);
    }
    return COIF_OK;
}

// Colours of a file belong to its points; refined points are interpolated.
static void interpolate_colors(coif_strands *to, const coif_strands *from,
                               const coif_strand_buffer *buffer, coif_arena *arena)
{
    to->colors = coif_arena_new(arena, to->point_count, coif_vec3);
    for (int32_t s = 0; s < to->strand_count; ++s) {
        const int32_t last = coif_strands_length(from, s) - 1;
        for (int32_t i = to->first[s]; i < to->first[s + 1]; ++i) {
            const float origin = coif_clamp(buffer->origin[i], 0.0f, (float)last);
            const int32_t k = origin < (float)last ? (int32_t)origin : last - 1;
            const coif_vec3 *colors = from->colors + from->first[s] + k;
            to->colors[i] = coif_lerp(colors[0], colors[1], origin - (float)k);
        }
    }
}

static coif_status resize_strands(coif_groom *groom, const coif_strand_buffer *buffer,
                                  coif_arena *arena, coif_error *error)
{
    const coif_strands before = groom->rest;
    int32_t *lengths = coif_arena_new(buffer->arena, buffer->strand_count, int32_t);
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        lengths[s] = buffer->first[s + 1] - buffer->first[s];
    }
    COIF_TRY(coif_strands_init(&groom->rest, lengths, buffer->strand_count, arena, error));
    groom->rest.root_uv = before.root_uv;
    if (before.colors != NULL) {
        interpolate_colors(&groom->rest, &before, buffer, arena);
    }
    return COIF_OK;
}

static bool has_clumps(const coif_strand_buffer *buffer)
{
    bool any = false;
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        any = any || buffer->clump[s] >= 0;
    }
    return any;
}

coif_status coif_strand_buffer_store(coif_groom *groom, const coif_strand_buffer *buffer,
                                     coif_arena *arena, coif_error *error)
{
    const size_t bytes = sizeof *buffer->first * ((size_t)buffer->strand_count + 1);
    if (memcmp(groom->rest.first, buffer->first, bytes) != 0) {
        COIF_TRY(resize_strands(groom, buffer, arena, error));
    }
    if (buffer->region != NULL) {
        groom->region = coif_arena_new(arena, buffer->strand_count, int32_t);
        memcpy(groom->region, buffer->region, sizeof *groom->region * (size_t)buffer->strand_count);
    }
    if (has_clumps(buffer)) {
        groom->clump = coif_arena_new(arena, buffer->strand_count, int32_t);
        memcpy(groom->clump, buffer->clump, sizeof *groom->clump * (size_t)buffer->strand_count);
    }
    for (int32_t i = 0; i < buffer->point_count; ++i) {
        groom->rest.points[i] =
            (coif_vec4){buffer->x[i], buffer->y[i], buffer->z[i], buffer->radius[i]};
    }
    return COIF_OK;
}
