// grow_guides: from a file to guides on the scalp.
#include "sim/grow_guides.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/formats/hair_file.h"
#include "core/obj_curves.h"

#include <stdlib.h>
#include <string.h>

// A first point farther than this from the scalp is on no head: the file has another unit.
static const float FARTHEST = 0.05f;

// The curves of a file, whatever its format.
typedef struct guide_file {
    int32_t count;
    const int32_t *first;
    coif_vec3 *points;
    const int32_t *groups; // NULL: one
    int32_t group_count;
} guide_file;

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static coif_status read_hair(guide_file *file, const coif_guides_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    coif_hair_file hair;
    const coif_hair_import import = {.scale = desc->scale, .z_up = desc->z_up};
    COIF_TRY(coif_hair_file_load(&hair, desc->path, &import, arena, error));
    const coif_strands *strands = &hair.strands;
    file->count = strands->strand_count;
    file->first = strands->first;
    file->points = coif_arena_new(arena, strands->point_count, coif_vec3);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        file->points[i] = coif_vec4_xyz(strands->points[i]);
    }
    file->group_count = 1;
    return COIF_OK;
}

static coif_status read_curves(guide_file *file, const coif_guides_desc *desc, coif_arena *arena,
                               coif_error *error)
{
    coif_curves curves;
    COIF_TRY(coif_curves_load(&curves, desc->path, arena, error));
    *file = (guide_file){.count = curves.count,
                         .first = curves.first,
                         .points = curves.points,
                         .groups = curves.groups,
                         .group_count = curves.group_names.count};
    for (int32_t i = 0; i < curves.point_count; ++i) {
        const coif_vec3 p = coif_scale(curves.points[i], desc->scale);
        file->points[i] = desc->z_up ? coif_vec3_of(p.x, p.z, -p.y) : p;
    }
    return COIF_OK;
}

static float segment_of(const coif_vec3 *points, int32_t k)
{
    return coif_length(coif_sub(points[k + 1], points[k]));
}

// The guide with even segments: their directions, and the length that they have together.
static void redraw(coif_guides *guides, int32_t guide, const coif_vec3 *points, int32_t count)
{
    const int32_t segments = guides->points - 1;
    coif_vec3 *steps = guides->steps + (int64_t)guide * segments;
    float length = 0.0f;
    for (int32_t k = 0; k + 1 < count; ++k) {
        length += segment_of(points, k);
    }
    int32_t at = 0;
    float begin = 0.0f, span = segment_of(points, 0), drawn = 0.0f;
    coif_vec3 before = points[0];
    for (int32_t i = 1; i <= segments; ++i) {
        const float wanted = length * (float)i / (float)segments;
        while (at + 2 < count && begin + span < wanted) {
            begin += span;
            span = segment_of(points, ++at);
        }
        const float t = span > 0.0f ? coif_clamp((wanted - begin) / span, 0.0f, 1.0f) : 0.0f;
        const coif_vec3 place =
            i < segments ? coif_lerp(points[at], points[at + 1], t) : points[count - 1];
        const coif_vec3 step = coif_sub(place, before);
        const float size = coif_length(step);
        steps[i - 1] = size > 0.0f ? coif_scale(step, 1.0f / size)
                       : i > 1     ? steps[i - 2]
                                   : guides->roots[guide].normal;
        drawn += size;
        before = place;
    }
    guides->length[guide] = drawn;
}

static coif_status place_guide(coif_guides *guides, int32_t guide, const coif_guides_desc *desc,
                               coif_vec3 root, coif_error *error)
{
    coif_scalp_place place;
    if (!coif_scalp_find(&place, desc->scalp, root) || place.distance > FARTHEST) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: curve %d begins at %g %g %g, %g m from the scalp; wanted within %g m "
                         "(see file_scale and file_up)",
                         desc->path, guide + 1, (double)root.x, (double)root.y, (double)root.z,
                         (double)place.distance, (double)FARTHEST);
    }
    guides->roots[guide] =
        coif_mesh_at(desc->scalp->mesh, place.triangle, place.weights[0], place.weights[1]);
    return COIF_OK;
}

static int compare_x(const void *left, const void *right)
{
    const coif_guide_at *a = left, *b = right;
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->guide > b->guide) - (a->guide < b->guide);
}

coif_status coif_guides_load(coif_guides *guides, const coif_guides_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    guide_file file = {0};
    COIF_TRY(ends_with(desc->path, ".hair") ? read_hair(&file, desc, arena, error)
                                            : read_curves(&file, desc, arena, error));
    int32_t most = desc->points;
    for (int32_t g = 0; g < file.count; ++g) {
        const int32_t count = file.first[g + 1] - file.first[g];
        most = count > most ? count : most;
    }
    const int32_t allowed = desc->points_most > desc->points ? desc->points_most : desc->points;
    *guides = (coif_guides){.count = file.count,
                            .points = most < allowed ? most : allowed,
                            .roots = coif_arena_new(arena, file.count, coif_surface_point),
                            .region = coif_arena_new(arena, file.count, int32_t),
                            .length = coif_arena_new(arena, file.count, float),
                            .by_x = coif_arena_new(arena, file.count, coif_guide_at),
                            .group_count = file.group_count};
    guides->steps = coif_arena_new(arena, (int64_t)file.count * (guides->points - 1), coif_vec3);
    for (int32_t g = 0; g < file.count; ++g) {
        const coif_vec3 *points = file.points + file.first[g];
        COIF_TRY(place_guide(guides, g, desc, points[0], error));
        redraw(guides, g, points, file.first[g + 1] - file.first[g]);
        guides->region[g] = file.groups != NULL ? file.groups[g] : 0;
        guides->by_x[g] = (coif_guide_at){guides->roots[g].position.x, g};
    }
    qsort(guides->by_x, (size_t)file.count, sizeof *guides->by_x, compare_x);
    return COIF_OK;
}
