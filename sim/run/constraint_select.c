#include "sim/run/constraint_select.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"

#include <stdlib.h>
#include <string.h>

// Fractions that are this near to a point, in points, count as the point.
static const float POINT_TOLERANCE = 1e-3f;

static coif_vec3 vec3_from(const float v[3])
{
    return coif_vec3_of(v[0], v[1], v[2]);
}

typedef struct selection {
    const coif_constraint_select_desc *desc;
    const float *mask;     // per simulated strand; NULL: no map
    const uint8_t *listed; // per rest point: named by the file; NULL: no file
} selection;

// Marks the points of one line: "strand" or "strand point point ...".
static coif_status read_line(uint8_t *listed, const coif_strands *rest, const char *line,
                             coif_error *error)
{
    char *end;
    const long strand = strtol(line, &end, 10);
    if (end == line || strand < 0 || strand >= rest->strand_count) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "expected the index of a strand, 0 to %d, found \"%s\"",
                         rest->strand_count - 1, line);
    }
    const int32_t first = rest->first[strand];
    const int32_t length = rest->first[strand + 1] - first;
    const char *at = end + strspn(end, " \t\r");
    if (*at == '\0') {
        memset(listed + first, 1, (size_t)length);
    }
    while (*at != '\0') {
        const long point = strtol(at, &end, 10);
        if (end == at || point < -length || point >= length) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "expected the index of a point, %d to %d, found \"%s\"", -length,
                             length - 1, at);
        }
        listed[first + (point < 0 ? length + point : point)] = 1;
        at = end + strspn(end, " \t\r");
    }
    return COIF_OK;
}

// A # begins a comment.
static coif_status read_lines(uint8_t *listed, const coif_strands *rest, char *text,
                              const char *path, coif_error *error)
{
    int number = 1;
    for (char *line = text, *next; line != NULL; line = next, ++number) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        line[strcspn(line, "#")] = '\0';
        coif_error cause = {.status = COIF_OK};
        if (line[strspn(line, " \t\r")] != '\0' &&
            read_line(listed, rest, line, &cause) != COIF_OK) {
            return coif_fail(error, cause.status, "%s:%d: %s", path, number, cause.text);
        }
    }
    return COIF_OK;
}

static coif_status read_points_file(selection *ctx, coif_arena *scratch, coif_error *error)
{
    const coif_strands *rest = &ctx->desc->groom.groom->rest;
    const char *path = ctx->desc->params->points_file;
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, path, scratch, error));
    uint8_t *listed = coif_arena_new(scratch, rest->point_count, uint8_t);
    ctx->listed = listed;
    return read_lines(listed, rest, text, path, error);
}

static bool is_inside_region(const coif_constraint_params *params, coif_vec3 p)
{
    const float *size = params->region_size;
    const coif_vec3 d = coif_sub(p, vec3_from(params->region_center));
    switch (params->region) {
    case COIF_REGION_BOX:
        return fabsf(d.x) <= 0.5f * size[0] && fabsf(d.y) <= 0.5f * size[1] &&
               fabsf(d.z) <= 0.5f * size[2];
    case COIF_REGION_BALL:
        return coif_dot(d, d) <= params->region_radius * params->region_radius;
    default:
        return true;
    }
}

static bool strand_is_chosen(const selection *ctx, int32_t strand)
{
    const coif_constraint_params *params = ctx->desc->params;
    const coif_groom *groom = ctx->desc->groom.groom;
    const int32_t region = groom->region != NULL ? groom->region[groom->simulated[strand]] : 0;
    const float mask = ctx->mask != NULL ? ctx->mask[strand] : params->mask;
    return mask >= params->mask_threshold &&
           (params->groom_region < 0 || params->groom_region == region);
}

// Points of the part of a strand; one at least.
static void find_part(int32_t *begin, int32_t *end, const coif_constraint_params *params,
                      int32_t last)
{
    const float from = params->from * (float)last;
    const float to = params->to * (float)last;
    *begin = (int32_t)ceilf(from - POINT_TOLERANCE);
    *end = (int32_t)floorf(to + POINT_TOLERANCE) + 1;
    if (*begin >= *end) {
        *begin = (int32_t)floorf(0.5f * (from + to) + 0.5f);
        *end = *begin + 1;
    }
}

static int32_t points_mode(const coif_constraint_params *params)
{
    const bool ring = params->type == COIF_CONSTRAINT_TIE && params->target != COIF_CONSTRAINT_FREE;
    return params->points != COIF_POINTS_AUTOMATIC ? params->points
           : ring                                  ? COIF_POINTS_PLANE
                                                   : COIF_POINTS_ALL;
}

// Of points begin to end - 1 of the output the one nearest to the position, or both points of the
// segment that crosses the plane of the ring nearest to it, if one does.
static void keep_nearest(coif_constraint_points *out, const selection *ctx, int32_t begin,
                         bool crossing)
{
    const coif_constraint_params *params = ctx->desc->params;
    const coif_groom *groom = ctx->desc->groom.groom;
    const coif_vec3 position = vec3_from(params->position);
    const coif_vec3 axis = vec3_from(params->axis);
    float least = INFINITY;
    int32_t nearest = begin, kept = 1;
    for (int32_t i = begin; i < out->count; ++i) {
        const int32_t strand = out->strands[i];
        const coif_vec4 *p = groom->rest.points + groom->rest.first[groom->simulated[strand]] +
                             (out->points[i] - ctx->desc->first_point[strand]);
        coif_vec3 d = coif_sub(coif_vec4_xyz(*p), position);
        const float before = coif_dot(d, axis);
        bool crosses = false;
        if (crossing && i + 1 < out->count && out->points[i + 1] == out->points[i] + 1) {
            const coif_vec3 next = coif_sub(coif_vec4_xyz(p[1]), position);
            const float after = coif_dot(next, axis);
            crosses = (before < 0.0f) != (after < 0.0f);
            d = crosses ? coif_lerp(d, next, before / (before - after)) : d;
        }
        const float distance = coif_dot(d, d);
        if (crosses ? kept == 1 || distance < least : kept == 1 && distance < least) {
            least = distance;
            nearest = i;
            kept = crosses ? 2 : 1;
        }
    }
    for (int32_t i = 0; begin < out->count && i < kept; ++i) {
        out->points[begin + i] = out->points[nearest + i];
    }
    out->count = begin < out->count ? begin + kept : begin;
}

static void add_strand(coif_constraint_points *out, const selection *ctx, int32_t strand)
{
    const coif_constraint_params *params = ctx->desc->params;
    const coif_groom *groom = ctx->desc->groom.groom;
    const int32_t rest = groom->rest.first[groom->simulated[strand]];
    const int32_t first = ctx->desc->first_point[strand];
    const int32_t mode = points_mode(params);
    const int32_t count = out->count;
    int32_t begin, end;
    find_part(&begin, &end, params, ctx->desc->first_point[strand + 1] - first - 1);
    for (int32_t k = begin < ctx->desc->root_points ? ctx->desc->root_points : begin; k < end;
         ++k) {
        if ((ctx->listed == NULL || ctx->listed[rest + k]) &&
            is_inside_region(params, coif_vec4_xyz(groom->rest.points[rest + k]))) {
            out->points[out->count] = first + k;
            out->strands[out->count] = strand;
            ++out->count;
        }
    }
    if (mode != COIF_POINTS_ALL) {
        keep_nearest(out, ctx, count, mode == COIF_POINTS_PLANE);
    }
}

static coif_status select_points(coif_constraint_points *out, selection *ctx, coif_arena *arena,
                                 coif_arena *scratch, coif_error *error)
{
    const coif_constraint_select_desc *desc = ctx->desc;
    const int32_t strands = desc->groom.groom->simulated_count;
    if (coif_values_find(&desc->node->values, "mask")->map != NULL) {
        float *mask;
        COIF_TRY(
            coif_param_fields_eval_map(&mask, &desc->groom, desc->node, "mask", scratch, error));
        ctx->mask = mask;
    }
    if (desc->params->points_file != NULL && desc->params->points_file[0] != '\0') {
        coif_error cause = {.status = COIF_OK};
        if (read_points_file(ctx, scratch, &cause) != COIF_OK) {
            return coif_fail(error, cause.status, "%s: %s/points_file: %s", desc->groom.scene->path,
                             desc->node->path, cause.text);
        }
    }
    *out = (coif_constraint_points){
        .points = coif_arena_new(arena, desc->first_point[strands], int32_t),
        .strands = coif_arena_new(arena, desc->first_point[strands], int32_t)};
    for (int32_t s = 0; s < strands; ++s) {
        if (strand_is_chosen(ctx, s)) {
            add_strand(out, ctx, s);
        }
    }
    return COIF_OK;
}

coif_status coif_constraint_select(coif_constraint_points *out,
                                   const coif_constraint_select_desc *desc, coif_arena *arena,
                                   coif_error *error)
{
    selection ctx = {.desc = desc};
    COIF_SCOPED_ARENA(scratch, "selection");
    return select_points(out, &ctx, arena, &scratch, error);
}
