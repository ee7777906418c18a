#include "sim/bench/bench_head.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/validation/single_strand_rig.h"
#include "sim/validation/test_shapes.h"

#include <string.h>

static const coif_vec3 RADII = {0.075f, 0.105f, 0.09f};
static const float LENGTH = 0.25f;
static const float ROTATION = 3.0f * (float)M_PI / 180.0f; // per frame

enum { CELLS = 60, GRAIN = 64 };

// The scalp is the top and the back: z is forwards.
static bool is_scalp(const coif_mesh *mesh, int32_t triangle)
{
    const coif_vec3 p = coif_mesh_at(mesh, triangle, 0.33f, 0.33f).position;
    return p.y / RADII.y - 0.9f * p.z / RADII.z > 0.0f && p.y > -0.3f * RADII.y;
}

// Distance from the centre relative to the ellipsoid.
static float ellipsoid_level(coif_vec3 p)
{
    const coif_vec3 q = {p.x / RADII.x, p.y / RADII.y, p.z / RADII.z};
    return coif_length(q);
}

// Away from the skin, then over the head and down, with waves around that line.
static void generate_strand(coif_bench_head *head, int32_t strand, int32_t triangle)
{
    coif_groom *groom = &head->groom;
    const uint64_t id = (uint64_t)strand;
    float b[2] = {coif_random_unit(1, id, 0), coif_random_unit(1, id, 1)};
    if (b[0] + b[1] > 1.0f) {
        b[0] = 1.0f - b[0];
        b[1] = 1.0f - b[1];
    }
    groom->root_triangle[strand] = triangle;
    memcpy(groom->root_barycentric + 2 * (int64_t)strand, b, sizeof b);
    const coif_mat3 frame = coif_mesh_frame(&head->rest, triangle, b[0], b[1]);
    memcpy(groom->root_frame + 9 * (int64_t)strand, &frame, sizeof frame);
    const coif_surface_point root = coif_mesh_at(&head->rest, triangle, b[0], b[1]);
    const int32_t first = groom->rest.first[strand];
    const int32_t points = groom->rest.first[strand + 1] - first;
    const float step = LENGTH * (0.9f + 0.2f * coif_random_unit(1, id, 2)) / (float)(points - 1);
    const float phase = 6.2831853f * coif_random_unit(1, id, 3);
    coif_vec3 p = root.position;
    coif_vec3 direction = root.normal;
    for (int32_t k = 0; k < points; ++k) {
        const float s = (float)k * step;
        const float wave = 0.002f * fminf(s / 0.03f, 1.0f);
        groom->rest.points[first + k] = (coif_vec4){p.x + wave * sinf(120.0f * s + phase), p.y,
                                                    p.z + wave * cosf(120.0f * s + phase), 4e-5f};
        direction =
            coif_normalize(coif_mad(direction, 40.0f * step, coif_vec3_of(0.0f, -1.0f, -0.2f)));
        p = coif_mad(p, step, direction);
        const float level = ellipsoid_level(p) / (1.04f + 0.1f * coif_random_unit(1, id, 4));
        if (level < 1.0f && k > 1) {
            p = coif_scale(p, 1.0f / level);
        }
    }
}

typedef struct generate_ctx {
    coif_bench_head *head;
    const int32_t *scalp;
    int32_t scalp_count;
} generate_ctx;

static void generate_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const generate_ctx *ctx = context;
    const int64_t strands = ctx->head->groom.rest.strand_count;
    for (int64_t s = begin; s < end; ++s) {
        const int64_t index = s * ctx->scalp_count / strands;
        generate_strand(ctx->head, (int32_t)s, ctx->scalp[index]);
    }
}

static coif_status generate_groom(coif_bench_head *head, const coif_bench_head_desc *desc,
                                  coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "head growth");
    int32_t *lengths = coif_arena_new(&scratch, desc->strands, int32_t);
    for (int32_t s = 0; s < desc->strands; ++s) {
        lengths[s] = desc->points;
    }
    int32_t *scalp = coif_arena_new(&scratch, head->rest.triangle_count, int32_t);
    generate_ctx ctx = {.head = head, .scalp = scalp};
    for (int32_t t = 0; t < head->rest.triangle_count; ++t) {
        if (is_scalp(&head->rest, t)) {
            scalp[ctx.scalp_count++] = t;
        }
    }
    COIF_TRY(coif_groom_init(&head->groom, lengths, desc->strands, arena, error));
    coif_parallel_for(jobs, desc->strands, GRAIN, generate_strands, &ctx);
    return COIF_OK;
}

static coif_mesh copy_mesh(const coif_mesh *mesh, coif_arena *arena)
{
    coif_mesh copy = *mesh;
    copy.positions = coif_arena_new(arena, mesh->vertex_count, coif_vec3);
    copy.normals = coif_arena_new(arena, 3 * (int64_t)mesh->triangle_count, coif_vec3);
    memcpy(copy.positions, mesh->positions, sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    memcpy(copy.normals, mesh->normals, sizeof(coif_vec3) * 3 * (size_t)mesh->triangle_count);
    return copy;
}

coif_status coif_bench_head_open(coif_bench_head *head, const coif_bench_head_desc *desc,
                                 coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    *head = (coif_bench_head){.collide = desc->collide,
                              .turn = desc->turn != 0.0f ? desc->turn : ROTATION};
    COIF_TRY(coif_strand_rig_settings(&head->params, desc->settings, arena, error));
    head->rest = coif_shape_ellipsoid(coif_vec3_of(0.0f, 0.0f, 0.0f), RADII, CELLS, arena);
    head->begin = copy_mesh(&head->rest, arena);
    head->end = copy_mesh(&head->rest, arena);
    COIF_TRY(generate_groom(head, desc, arena, jobs, error));
    coif_collider_build(&head->collider, &head->rest, arena);
    if (desc->collide) {
        coif_collider_build_sdf(&head->collider, &head->rest, arena);
    }
    const coif_groom_solver_desc solver = {
        .groom = &head->groom,
        .rest = &head->rest,
        .body = desc->collide ? &head->collider : NULL,
        .params = &head->params,
        .kernels = desc->kernels,
        .pinned = coif_solver_vtable_at(head->params.solver)->pinned_points,
        .seed = 1};
    coif_groom_solver_init(&head->solver, &solver, arena, jobs);
    return COIF_OK;
}

static coif_vec3 rotated(coif_vec3 p, float sine, float cosine)
{
    return coif_vec3_of(cosine * p.x + sine * p.z, p.y, cosine * p.z - sine * p.x);
}

static void rotate_mesh(coif_mesh *mesh, const coif_mesh *rest, float angle)
{
    const float sine = sinf(angle);
    const float cosine = cosf(angle);
    for (int32_t v = 0; v < rest->vertex_count; ++v) {
        mesh->positions[v] = rotated(rest->positions[v], sine, cosine);
    }
    for (int32_t c = 0; c < 3 * rest->triangle_count; ++c) {
        mesh->normals[c] = rotated(rest->normals[c], sine, cosine);
    }
}

coif_status coif_bench_head_step(coif_bench_head *head, coif_jobs *jobs, coif_progress *progress)
{
    if (head->collide) {
        rotate_mesh(&head->begin, &head->rest, head->turn * (float)head->frame);
        rotate_mesh(&head->end, &head->rest, head->turn * (float)(head->frame + 1));
        coif_collider_refit(&head->collider, head->begin.positions, head->end.positions);
    }
    const double seconds = coif_frame_seconds(&head->params);
    const coif_groom_solver_frame frame = {.params = &head->params,
                                           .begin = &head->begin,
                                           .end = &head->end,
                                           .bodies = &head->collider,
                                           .body_count = head->collide,
                                           .frame_begin = head->frame,
                                           .frame_end = head->frame + 1,
                                           .time = head->frame * seconds,
                                           .seconds = seconds};
    coif_solver_report report;
    const coif_status status =
        coif_groom_solver_step(&head->solver, &frame, &report, jobs, progress);
    head->frame += 1;
    head->reset_count += report.stats.reset_strands;
    return status;
}
