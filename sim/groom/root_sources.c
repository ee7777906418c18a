// grow, roots: where strands begin: scattered, those of a file, or those of an earlier groom.
#include "core/base/arena.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "core/hair/formats/strand_file.h"
#include "sim/groom/groom_generate_internal.h"
#include "sim/groom/root_scatter.h"
#include "sim/groom/strand_buffer.h"

#include <string.h>

static coif_status mapped_density(void *context, int32_t count, const coif_surface_point *points,
                                  float *value, coif_error *error)
{
    const coif_generate_ctx *all = context;
    const coif_param_ref place = coif_generate_ctx_param(all, "density");
    if (coif_maps_eval(&all->maps, &place, count, points, value) != COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "density: map \"%s\" gave values that are not numbers",
                         place.values->values[place.row].map);
    }
    return COIF_OK;
}

static coif_status constant_density(void *context, int32_t count, const coif_surface_point *points,
                                    float *value, coif_error *error)
{
    const coif_generate_ctx *all = context;
    (void)points, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = all->params.density;
    }
    return COIF_OK;
}

static coif_status scatter_roots(coif_root_set *roots, coif_generate_ctx *all, coif_error *error)
{
    const coif_param_ref density = coif_generate_ctx_param(all, "density");
    COIF_TRY(coif_maps_check(&all->maps, &density, error));
    const bool mapped = density.values->values[density.row].map != NULL;
    coif_sequence_kind sequence = (coif_sequence_kind)all->params.scatter;
    // Who wants a sample does not wait for blue noise, where as many roots grow without it.
    if (all->desc->most > 0 && sequence == COIF_SEQUENCE_BLUE_NOISE && !mapped &&
        all->params.density >= 1.0f) {
        sequence = COIF_SEQUENCE_SOBOL;
    }
    const coif_roots_desc desc = {.mesh = &all->desc->body->rest,
                                  .group = all->params.group,
                                  .candidates = all->params.count,
                                  .per_area = 1e4 * (double)all->params.per_cm2,
                                  .sequence = sequence,
                                  .seed = (uint64_t)all->params.seed,
                                  .density = mapped ? mapped_density : constant_density,
                                  .density_context = all};
    coif_error cause = {.status = COIF_OK};
    if (coif_roots_scatter(roots, &desc, all->scratch, all->jobs, &cause) != COIF_OK) {
        return coif_fail_within(error, coif_generate_ctx_param_ref(all), &cause);
    }
    return COIF_OK;
}

static coif_status init_groom(coif_groom *groom, const coif_generate_ctx *all,
                              const coif_root_set *roots, coif_arena *arena, coif_error *error)
{
    // How many points a strand has is known when the last modifier is done.
    int32_t *lengths = coif_arena_new(all->scratch, roots->count, int32_t);
    for (int32_t s = 0; s < roots->count; ++s) {
        lengths[s] = 2;
    }
    return coif_groom_init(groom, lengths, roots->count, arena, error);
}

// Everything a strand knows of its root.
static void set_root(coif_groom *groom, int32_t strand, const coif_mesh *mesh, int32_t triangle,
                     const float *weights)
{
    const coif_surface_point at = coif_mesh_at(mesh, triangle, weights[0], weights[1]);
    const coif_mat3 frame = coif_mesh_frame(mesh, triangle, weights[0], weights[1]);
    groom->root_triangle[strand] = triangle;
    memcpy(groom->root_barycentric + 2 * (int64_t)strand, weights, 2 * sizeof(float));
    memcpy(groom->root_frame + 9 * (int64_t)strand, &frame, 9 * sizeof(float));
    groom->rest.root_uv[2 * (int64_t)strand] = at.uv.x;
    groom->rest.root_uv[2 * (int64_t)strand + 1] = at.uv.y;
}

static coif_status check_count(const coif_generate_ctx *all, int32_t strands, coif_error *error)
{
    coif_error cause = {.status = COIF_OK};
    return coif_strand_buffer_check_count(strands, all->params.points, &cause) == COIF_OK
               ? COIF_OK
               : coif_fail_within(error, coif_generate_ctx_param_ref(all), &cause);
}

// The sequence of roots is even in every beginning of it, so that a few are a sample of all.
static coif_status take_first(coif_root_set *roots, const coif_generate_ctx *all, coif_error *error)
{
    const coif_groom_generate_desc *desc = all->desc;
    if (all->params.strands_most > 0 && roots->count > all->params.strands_most) {
        roots->count = all->params.strands_most;
    }
    if (desc->whole != NULL) {
        *desc->whole = roots->count;
    }
    if (desc->most > 0 && roots->count > desc->most) {
        COIF_TRY(check_count(all, roots->count, error));
        roots->count = desc->most;
    }
    return COIF_OK;
}

static coif_status grow_new(coif_groom *groom, coif_generate_ctx *all, coif_arena *arena,
                            coif_error *error)
{
    coif_root_set roots;
    COIF_TRY(scatter_roots(&roots, all, error));
    COIF_TRY(take_first(&roots, all, error));
    COIF_TRY(init_groom(groom, all, &roots, arena, error));
    for (int32_t s = 0; s < roots.count; ++s) {
        set_root(groom, s, &all->desc->body->rest, roots.triangles[s],
                 roots.barycentrics + 2 * (int64_t)s);
        // By candidate, not by strand: painting a map leaves every other strand as it was.
        groom->random[s] = coif_random_word((uint64_t)all->params.seed,
                                            (uint64_t)roots.candidates[s], COIF_RANDOM_STRAND);
    }
    return COIF_OK;
}

// Hair of a file whose first point is farther away has another unit, or belongs to another body.
static const float FAR = 0.05f;

// Strands of a file grow where the body is nearest to their first point, and stay where they are.
static coif_status grow_from_file(coif_groom *groom, coif_generate_ctx *all, coif_arena *arena,
                                  coif_error *error)
{
    coif_strand_file file;
    const coif_hair_import import = {.scale = all->params.file_scale,
                                     .z_up = all->params.file_up == 1};
    COIF_TRY(coif_strand_file_load(&file, all->params.file, &import, all->scratch, error));
    const coif_strands *from = &file.strands;
    all->thin = !file.thick;
    int32_t *lengths = coif_arena_new(all->scratch, from->strand_count, int32_t);
    for (int32_t s = 0; s < from->strand_count; ++s) {
        lengths[s] = coif_strands_length(from, s);
    }
    if (all->desc->whole != NULL) {
        *all->desc->whole = from->strand_count;
    }
    COIF_TRY(coif_groom_init(groom, lengths, from->strand_count, arena, error));
    memcpy(groom->rest.points, from->points, sizeof(coif_vec4) * (size_t)from->point_count);
    if (from->colors != NULL) {
        groom->rest.colors = coif_arena_new(arena, from->point_count, coif_vec3);
        memcpy(groom->rest.colors, from->colors, sizeof(coif_vec3) * (size_t)from->point_count);
    }

    int32_t far = 0;
    for (int32_t s = 0; s < from->strand_count; ++s) {
        coif_scalp_location place;
        if (!coif_scalp_locator_closest(&place, &all->scalp,
                                        coif_vec4_xyz(from->points[from->first[s]]))) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d is nowhere near the body",
                             all->params.file, s);
        }
        far += place.distance > FAR;
        set_root(groom, s, &all->desc->body->rest, place.triangle, place.weights);
        groom->random[s] =
            coif_random_word((uint64_t)all->params.seed, (uint64_t)s, COIF_RANDOM_STRAND);
    }
    if (far > 0 && all->desc->again == NULL && !all->counting) {
        coif_log(
            COIF_LOG_WARNING,
            "%s: %d of %d strands begin more than %g m from the body's mesh as it is before it "
            "is moved (see file_scale and file_up)",
            all->params.file, far, from->strand_count, (double)FAR);
    }
    return COIF_OK;
}

// The roots of a groom that has grown before.
static coif_status grow_again(coif_groom *groom, const coif_generate_ctx *all, coif_arena *arena,
                              coif_error *error)
{
    const coif_groom *before = all->roots;
    const coif_root_set roots = {.count = before->rest.strand_count};
    COIF_TRY(init_groom(groom, all, &roots, arena, error));
    const size_t count = (size_t)roots.count;
    memcpy(groom->root_triangle, before->root_triangle, count * sizeof *groom->root_triangle);
    memcpy(groom->root_barycentric, before->root_barycentric, 2 * count * sizeof(float));
    memcpy(groom->root_frame, before->root_frame, 9 * count * sizeof(float));
    memcpy(groom->rest.root_uv, before->rest.root_uv, 2 * count * sizeof(float));
    memcpy(groom->random, before->random, count * sizeof *groom->random);
    return COIF_OK;
}

coif_status coif_groom_place_roots(coif_groom *groom, coif_generate_ctx *all, coif_arena *arena,
                                   coif_error *error)
{
    if (coif_generate_ctx_named(all->params.file)) {
        return grow_from_file(groom, all, arena, error);
    }
    return all->roots != NULL ? grow_again(groom, all, arena, error)
                              : grow_new(groom, all, arena, error);
}
