// guide_curves: loads guide curves and locates their roots on the scalp.
#include "sim/groom/guide_curves.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/formats/strand_file.h"

#include <math.h>
#include <stdlib.h>

// Largest distance of a first point from the scalp; beyond it the file has another unit.
static const float MAX_ROOT_DISTANCE = 0.05f;

static coif_vec3 point_at(const coif_vec4 *points, int32_t k)
{
    return coif_vec4_xyz(points[k]);
}

static float segment_length(const coif_vec4 *points, int32_t k)
{
    return coif_length(coif_sub(point_at(points, k + 1), point_at(points, k)));
}

// Resamples a guide to equally long segments: their directions and total length.
static void resample(coif_guides *guides, int32_t guide, const coif_vec4 *points, int32_t count)
{
    const int32_t segments = guides->points - 1;
    coif_vec3 *steps = guides->steps + (int64_t)guide * segments;
    float length = 0.0f;
    for (int32_t k = 0; k + 1 < count; ++k) {
        length += segment_length(points, k);
    }
    int32_t at = 0;
    float span_begin = 0.0f, span = segment_length(points, 0), total = 0.0f;
    coif_vec3 previous = point_at(points, 0);
    for (int32_t i = 1; i <= segments; ++i) {
        const float arc_length = length * (float)i / (float)segments;
        while (at + 2 < count && span_begin + span < arc_length) {
            span_begin += span;
            span = segment_length(points, ++at);
        }
        const float t =
            span > 0.0f ? coif_clamp((arc_length - span_begin) / span, 0.0f, 1.0f) : 0.0f;
        const coif_vec3 position =
            i < segments ? coif_lerp(point_at(points, at), point_at(points, at + 1), t)
                         : point_at(points, count - 1);
        const coif_vec3 step = coif_sub(position, previous);
        const float size = coif_length(step);
        steps[i - 1] = size > 0.0f ? coif_scale(step, 1.0f / size)
                       : i > 1     ? steps[i - 2]
                                   : guides->roots[guide].normal;
        total += size;
        previous = position;
    }
    guides->length[guide] = total;
}

static coif_status locate_root(coif_guides *guides, int32_t guide, const coif_guides_desc *desc,
                               coif_vec3 root, coif_error *error)
{
    coif_scalp_location position;
    if (!coif_scalp_locator_closest(&position, desc->scalp, root) ||
        position.distance > MAX_ROOT_DISTANCE) {
        return coif_fail(
            error, COIF_ERR_FORMAT,
            "%s: curve %d begins at %g %g %g, %g m from the scalp; wanted within %g m, "
            "in the space of the body's mesh before it is moved (see file_scale and "
            "file_up_axis)",
            desc->path, guide + 1, (double)root.x, (double)root.y, (double)root.z,
            (double)position.distance, (double)MAX_ROOT_DISTANCE);
    }
    guides->roots[guide] = coif_mesh_at(desc->scalp->mesh, position.triangle, position.weights[0],
                                        position.weights[1]);
    return COIF_OK;
}

static int compare_x(const void *left, const void *right)
{
    const coif_guide_at *a = left, *b = right;
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->guide > b->guide) - (a->guide < b->guide);
}

coif_guide_at *coif_guides_sort(const coif_surface_point *roots, int32_t count, coif_arena *arena)
{
    coif_guide_at *by_x = coif_arena_new(arena, count, coif_guide_at);
    for (int32_t g = 0; g < count; ++g) {
        by_x[g] = (coif_guide_at){roots[g].position.x, g};
    }
    qsort(by_x, (size_t)count, sizeof *by_x, compare_x);
    return by_x;
}

static void init_root_grid(coif_guides *guides, coif_arena *arena)
{
    coif_vec3 *roots = coif_arena_new(arena, guides->count, coif_vec3);
    for (int32_t g = 0; g < guides->count; ++g) {
        roots[g] = guides->roots[g].position;
    }
    const coif_point_grid_desc desc = {.points = roots,
                                       .count = guides->count,
                                       .cells = sqrtf((float)guides->count),
                                       .max_cells = 128};
    coif_point_grid_init(&guides->root_grid, &desc, arena);
}

coif_status coif_guides_load(coif_guides *guides, const coif_guides_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    coif_strand_file file;
    COIF_TRY(coif_strand_file_load(&file, desc->path, &desc->import, arena, error));
    const coif_strands *from = &file.strands;
    int32_t max_count = desc->points;
    for (int32_t g = 0; g < from->strand_count; ++g) {
        const int32_t count = coif_strands_length(from, g);
        max_count = count > max_count ? count : max_count;
    }
    const int32_t limit = desc->max_points > desc->points ? desc->max_points : desc->points;
    *guides = (coif_guides){.count = from->strand_count,
                            .points = max_count < limit ? max_count : limit,
                            .roots = coif_arena_new(arena, from->strand_count, coif_surface_point),
                            .region = coif_arena_new(arena, from->strand_count, int32_t),
                            .length = coif_arena_new(arena, from->strand_count, float),
                            .group_count = desc->own_regions     ? from->strand_count
                                           : file.groups != NULL ? file.group_names.count
                                                                 : 1};
    guides->steps =
        coif_arena_new(arena, (int64_t)from->strand_count * (guides->points - 1), coif_vec3);
    for (int32_t g = 0; g < from->strand_count; ++g) {
        const coif_vec4 *points = from->points + from->first[g];
        COIF_TRY(locate_root(guides, g, desc, point_at(points, 0), error));
        resample(guides, g, points, coif_strands_length(from, g));
        guides->region[g] = desc->own_regions ? g : file.groups != NULL ? file.groups[g] : 0;
    }
    guides->by_x = coif_guides_sort(guides->roots, guides->count, arena);
    init_root_grid(guides, arena);
    return COIF_OK;
}

float coif_guides_distance(const coif_guides *guides, coif_vec3 position)
{
    const int32_t nearest = coif_point_grid_nearest(&guides->root_grid, position);
    return coif_length(coif_sub(guides->root_grid.points[nearest], position));
}
