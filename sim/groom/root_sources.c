// root_sources: roots of the strands: scattered, from a file, or copied from an earlier groom.
#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "core/hair/formats/strand_file.h"
#include "sim/groom/groom_generate_internal.h"
#include "sim/groom/guide_strands.h"
#include "sim/groom/root_scatter.h"
#include "sim/groom/strand_buffer.h"

#include <math.h>
#include <string.h>

static coif_status mapped_density(void *context, int32_t count, const coif_surface_point *points,
                                  float *value, coif_error *error)
{
    const coif_generate_ctx *ctx = context;
    const coif_param_ref param = coif_generate_ctx_param(ctx, "density");
    if (coif_maps_eval(&ctx->maps, &param, count, points, value) != COIF_OK) {
        return coif_fail(error, COIF_ERR_PLUGIN,
                         "density: map \"%s\" returned values that are not finite",
                         param.values->values[param.row].map);
    }
    return COIF_OK;
}

static coif_status constant_density(void *context, int32_t count, const coif_surface_point *points,
                                    float *value, coif_error *error)
{
    const coif_generate_ctx *ctx = context;
    (void)points, (void)error;
    for (int32_t i = 0; i < count; ++i) {
        value[i] = ctx->params.density;
    }
    return COIF_OK;
}

static bool deletes_strands(const coif_generate_ctx *ctx)
{
    const coif_guide_edits *edits = ctx->edits != NULL ? ctx->edits->edits : NULL;
    for (int32_t g = 0; edits != NULL && g < edits->edited.strand_count; ++g) {
        if (edits->flags[g] & COIF_GUIDE_DELETED) {
            return true;
        }
    }
    return false;
}

static bool is_deleted(const coif_generate_ctx *ctx, coif_vec3 root, coif_vec3 normal)
{
    coif_guide_weights weights;
    coif_guide_deform_bind(&weights, ctx->edits, root, normal);
    return coif_guide_deform_deletes(ctx->edits, &weights);
}

// Density of the parameters, with an edge of a quarter of the radius around the roots of guides.
static coif_status density_at(void *context, int32_t count, const coif_surface_point *points,
                              float *value, coif_error *error)
{
    const coif_generate_ctx *ctx = context;
    const coif_param_ref param = coif_generate_ctx_param(ctx, "density");
    const float radius = ctx->params.guide_radius;
    COIF_TRY((param.values->values[param.row].map != NULL ? mapped_density : constant_density)(
        context, count, points, value, error));
    for (int32_t i = 0; i < count && radius > 0.0f && ctx->guides.count > 0; ++i) {
        const float distance = coif_guides_distance(&ctx->guides, points[i].position);
        value[i] *= coif_clamp(4.0f * (1.0f - distance / radius), 0.0f, 1.0f);
    }
    const bool deletes = deletes_strands(ctx);
    for (int32_t i = 0; i < count && deletes; ++i) {
        value[i] = is_deleted(ctx, points[i].position, points[i].normal) ? 0.0f : value[i];
    }
    return COIF_OK;
}

static coif_status scatter_roots(coif_root_set *roots, coif_generate_ctx *ctx, coif_error *error)
{
    const coif_param_ref density = coif_generate_ctx_param(ctx, "density");
    COIF_TRY(coif_maps_check(&ctx->maps, &density, error));
    const bool mapped = density.values->values[density.row].map != NULL;
    coif_sequence_kind sequence = (coif_sequence_kind)ctx->params.scatter;
    // A prefix of the strands does not need blue noise when every candidate grows.
    if (ctx->desc->max_strands > 0 && sequence == COIF_SEQUENCE_BLUE_NOISE && !mapped &&
        ctx->params.density >= 1.0f && ctx->params.guide_radius == 0.0f && !deletes_strands(ctx)) {
        sequence = COIF_SEQUENCE_SOBOL;
    }
    const coif_roots_desc desc = {.mesh = &ctx->desc->body->rest,
                                  .group = ctx->params.group,
                                  .candidates = ctx->params.count,
                                  .per_area = 1e4 * (double)ctx->params.strands_per_cm2,
                                  .sequence = sequence,
                                  .seed = (uint64_t)ctx->params.seed,
                                  .density = density_at,
                                  .density_context = ctx};
    coif_error cause = {.status = COIF_OK};
    if (coif_roots_scatter(roots, &desc, ctx->scratch, ctx->jobs, &cause) != COIF_OK) {
        return coif_fail_within(error, coif_generate_ctx_path(ctx), &cause);
    }
    return COIF_OK;
}

static coif_status init_groom(coif_groom *groom, const coif_generate_ctx *ctx,
                              const coif_root_set *roots, coif_arena *arena, coif_error *error)
{
    // Point counts are known after the last modifier.
    int32_t *lengths = coif_arena_new(ctx->scratch, roots->count, int32_t);
    for (int32_t s = 0; s < roots->count; ++s) {
        lengths[s] = 2;
    }
    return coif_groom_init(groom, lengths, roots->count, arena, error);
}

static coif_status check_count(const coif_generate_ctx *ctx, int32_t strands, coif_error *error)
{
    coif_error cause = {.status = COIF_OK};
    return coif_strand_buffer_check_count(strands, ctx->params.points, &cause) == COIF_OK
               ? COIF_OK
               : coif_fail_within(error, coif_generate_ctx_path(ctx), &cause);
}

// Every prefix of the root sequence is evenly distributed, so a prefix is a sample.
static coif_status limit_count(coif_root_set *roots, const coif_generate_ctx *ctx,
                               coif_error *error)
{
    const coif_groom_generate_desc *desc = ctx->desc;
    if (ctx->params.max_strands > 0 && roots->count > ctx->params.max_strands) {
        roots->count = ctx->params.max_strands;
    }
    if (desc->total_count != NULL) {
        *desc->total_count = roots->count;
    }
    if (desc->max_strands > 0 && roots->count > desc->max_strands) {
        COIF_TRY(check_count(ctx, roots->count, error));
        roots->count = desc->max_strands;
    }
    return COIF_OK;
}

static coif_status roots_scattered(coif_groom *groom, coif_generate_ctx *ctx, coif_arena *arena,
                                   coif_error *error)
{
    coif_root_set roots;
    COIF_TRY(scatter_roots(&roots, ctx, error));
    COIF_TRY(limit_count(&roots, ctx, error));
    COIF_TRY(init_groom(groom, ctx, &roots, arena, error));
    for (int32_t s = 0; s < roots.count; ++s) {
        coif_groom_set_root(groom, s, &ctx->desc->body->rest, roots.triangles[s],
                            roots.barycentrics + 2 * (int64_t)s);
        // By candidate, not by strand: editing the density map leaves all other strands
        // unchanged.
        groom->random[s] = coif_random_word((uint64_t)ctx->params.seed,
                                            (uint64_t)roots.candidates[s], COIF_RANDOM_STRAND);
    }
    return COIF_OK;
}

// Distances of the first points of a strand file from the body.
typedef struct root_distances {
    int32_t far_count, farthest;
    float largest;
} root_distances;

// Roots far from the surface belong to another pose, unit or body.
static coif_status check_distances(const coif_generate_ctx *ctx, const root_distances *distances,
                                   int32_t strand_count, coif_error *error)
{
    if (distances->far_count == 0) {
        return COIF_OK;
    }
    const coif_body *body = ctx->desc->body;
    return coif_fail(
        error, COIF_ERR_SCENE,
        "%s: %d of %d strands of %s begin farther than %g mm from the rest mesh of body \"%s\", "
        "strand %d by %g mm: %s, check file_scale and file_up_axis, or raise root_tolerance",
        coif_generate_ctx_path(ctx), distances->far_count, strand_count, ctx->params.file,
        1e3 * (double)ctx->params.root_tolerance, body->params.name, distances->farthest,
        floor(1e4 * (double)distances->largest + 0.5) / 10.0,
        body->sequence ? "give the pose the hair was groomed on as rest or rest_frame of the body"
                       : "if the mesh is posed, give the pose the hair was groomed on as rest of "
                         "the body");
}

coif_hair_import coif_generate_ctx_import(const coif_generate_ctx *ctx, bool guides)
{
    const coif_groom_params *params = &ctx->params;
    coif_hair_import import = {.scale = params->file_scale,
                               .z_up = params->file_up_axis == 1,
                               .object = params->file_object,
                               .guides = guides};
    if (params->file_frame >= 0) {
        double *seconds = coif_arena_new(ctx->scratch, 1, double);
        *seconds = params->file_frame / coif_scene_fps(ctx->desc->scene);
        import.seconds = seconds;
        const char *path = guides ? params->guides : params->file;
        if (!coif_archive_is_archive(path)) {
            coif_log(COIF_LOG_WARNING, "%s/file_frame: no effect, %s is not an archive",
                     coif_generate_ctx_path(ctx), path);
        }
    }
    return import;
}

// The root is the point of the body closest to the first point; the points are kept.
static coif_status roots_from_file(coif_groom *groom, coif_generate_ctx *ctx, coif_arena *arena,
                                   coif_error *error)
{
    coif_strand_file file;
    const coif_hair_import import = coif_generate_ctx_import(ctx, false);
    COIF_TRY(coif_strand_file_load(&file, ctx->params.file, &import, ctx->scratch, error));
    ctx->needs_radius = !file.has_radius;
    const coif_strands *from = &file.strands;
    const int32_t strands = from->strand_count;
    coif_scalp_location *locations = coif_arena_new(ctx->scratch, strands, coif_scalp_location);
    int32_t *kept = coif_arena_new(ctx->scratch, strands, int32_t);
    int32_t *lengths = coif_arena_new(ctx->scratch, strands, int32_t);
    int32_t count = 0;
    root_distances distances = {0};
    const bool deletes = deletes_strands(ctx);
    for (int32_t s = 0; s < strands; ++s) {
        const coif_vec3 root = coif_vec4_xyz(from->points[from->first[s]]);
        coif_scalp_location *location = &locations[s];
        if (!coif_scalp_locator_closest(location, &ctx->scalp, root)) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: strand %d: the body has no triangle to attach it to",
                             ctx->params.file, s);
        }
        distances.far_count += location->distance > ctx->params.root_tolerance;
        if (location->distance > distances.largest) {
            distances.largest = location->distance;
            distances.farthest = s;
        }
        const coif_vec3 normal = coif_mesh_at(ctx->scalp.mesh, location->triangle,
                                              location->weights[0], location->weights[1])
                                     .normal;
        if (!deletes || !is_deleted(ctx, root, normal)) {
            lengths[count] = coif_strands_length(from, s);
            kept[count++] = s;
        }
    }
    COIF_TRY(check_distances(ctx, &distances, strands, error));
    if (ctx->desc->total_count != NULL) {
        *ctx->desc->total_count = count;
    }
    COIF_TRY(coif_groom_init(groom, lengths, count, arena, error));
    coif_strands *to = &groom->rest;
    to->colors =
        from->colors != NULL ? coif_arena_new(arena, to->point_count, coif_vec3) : to->colors;
    for (int32_t s = 0; s < count; ++s) {
        const size_t points = (size_t)lengths[s];
        const int32_t source = from->first[kept[s]];
        memcpy(to->points + to->first[s], from->points + source, points * sizeof *to->points);
        if (from->colors != NULL) {
            memcpy(to->colors + to->first[s], from->colors + source, points * sizeof *to->colors);
        }
        const coif_scalp_location *location = &locations[kept[s]];
        coif_groom_set_root(groom, s, &ctx->desc->body->rest, location->triangle,
                            location->weights);
        groom->random[s] =
            coif_random_word((uint64_t)ctx->params.seed, (uint64_t)kept[s], COIF_RANDOM_STRAND);
    }
    return COIF_OK;
}

// Copies the roots of an earlier groom, whose last strands may be drawn guides.
static coif_status roots_reused(coif_groom *groom, const coif_generate_ctx *ctx, coif_arena *arena,
                                coif_error *error)
{
    const coif_groom *source = ctx->roots;
    const coif_root_set roots = {.count = source->rest.strand_count - ctx->drawn_count};
    COIF_TRY(init_groom(groom, ctx, &roots, arena, error));
    const size_t count = (size_t)roots.count;
    memcpy(groom->root_triangle, source->root_triangle, count * sizeof *groom->root_triangle);
    memcpy(groom->root_barycentric, source->root_barycentric, 2 * count * sizeof(float));
    memcpy(groom->root_frame, source->root_frame, 9 * count * sizeof(float));
    memcpy(groom->rest.root_uv, source->rest.root_uv, 2 * count * sizeof(float));
    memcpy(groom->random, source->random, count * sizeof *groom->random);
    return COIF_OK;
}

coif_status coif_groom_place_roots(coif_groom *groom, coif_generate_ctx *ctx, coif_arena *arena,
                                   coif_error *error)
{
    if (coif_is_set(ctx->params.file)) {
        return roots_from_file(groom, ctx, arena, error);
    }
    return ctx->roots != NULL ? roots_reused(groom, ctx, arena, error)
                              : roots_scattered(groom, ctx, arena, error);
}
