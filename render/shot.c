#include "render/shot.h"

#include "core/arena.h"
#include "core/cache.h"
#include "core/digest.h"
#include "core/error.h"
#include "core/expand.h"
#include "core/jobs.h"
#include "core/pack.h"

#include <string.h>

static uint64_t digest_mesh(uint64_t digest, const coif_mesh *mesh)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    digest =
        coif_digest_more(digest, mesh->positions, sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    digest = coif_digest_more(digest, mesh->indices, sizeof(int32_t) * corners);
    digest = coif_digest_more(digest, mesh->normals, sizeof(coif_vec3) * corners);
    if (mesh->uvs != NULL) {
        digest = coif_digest_more(digest, mesh->uvs, sizeof(coif_vec2) * corners);
    }
    if (mesh->materials != NULL) {
        digest = coif_digest_more(digest, mesh->materials, sizeof(int32_t) * (corners / 3));
    }
    return digest;
}

// What MTL files say is nowhere else: the scene only names the mesh.
static uint64_t digest_looks(uint64_t digest, const coif_look *looks, const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        const uint64_t texture = looks[i].texture != NULL ? looks[i].texture->digest : 0;
        digest = coif_digest_more(digest, &looks[i].surface, sizeof looks[i].surface);
        digest = coif_digest_more(digest, &texture, sizeof texture);
    }
    return digest;
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return coif_digest_more(digest, text, strlen(text));
}

// Of hair at rest the groom is all there is; else the digest in the frame's file stands for it.
static coif_status digest_grooms(uint64_t *digest, const coif_production *production, int frame,
                                 coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < production->groom_count; ++i) {
        const coif_production_groom *groom = &production->grooms[i];
        *digest = coif_digest_more(*digest, &groom->groom.digest, sizeof groom->groom.digest);
        if (!production->desc->rest) {
            coif_pack pack;
            const char *path =
                coif_cache_frame_path(production->desc->cache, groom->name, frame, arena);
            if (!coif_path_exists(path)) {
                return coif_fail(error, COIF_ERR_IO,
                                 "%s: is not there; 'coif sim' makes it, --rest does without",
                                 path);
            }
            COIF_TRY(coif_pack_peek(&pack, path, arena, error));
            *digest = coif_digest_more(*digest, &pack.digest, sizeof pack.digest);
        }
    }
    return COIF_OK;
}

// Textures are loaded with the looks, so that a changed picture of a scalp is noticed.
static uint64_t digest_textures(uint64_t digest, const coif_textures *textures)
{
    for (const coif_texture *texture = textures->first; texture != NULL; texture = texture->next) {
        digest = coif_digest_more(digest, &texture->digest, sizeof texture->digest);
    }
    return digest;
}

static coif_status pose_bodies(coif_shot *shot, const coif_production *production,
                               coif_arena *arena, coif_error *error)
{
    shot->meshes = coif_arena_new(arena, production->body_count, coif_mesh);
    for (int32_t i = 0; i < production->body_count; ++i) {
        const coif_body *body = &production->bodies[i];
        if (production->desc->rest) {
            shot->meshes[i] = body->rest;
            continue;
        }
        COIF_TRY(coif_body_pose(&shot->meshes[i], body, shot->frame, arena, error));
    }
    return COIF_OK;
}

static coif_status dress_bodies(coif_shot *shot, coif_production *production, coif_arena *arena,
                                coif_error *error)
{
    shot->looks = coif_arena_new(arena, production->body_count, coif_look *);
    for (int32_t i = 0; i < production->body_count; ++i) {
        const coif_mesh *mesh = &shot->meshes[i];
        if (production->desc->clay) {
            shot->looks[i] = coif_looks_clay(mesh, arena);
            continue;
        }
        const coif_reading from = {
            .node = coif_node_at(production->bodies[i].node, "material"),
            .frame = shot->frame,
            .textures = &production->textures,
            .arena = arena,
        };
        COIF_TRY(coif_looks_init(&shot->looks[i], &from, mesh, error));
    }
    return COIF_OK;
}

coif_status coif_shot_init(coif_shot *shot, coif_production *production, int frame,
                           coif_arena *arena, coif_error *error)
{
    const coif_render_desc *desc = production->desc;
    const coif_node *root = desc->scene->root;
    *shot = (coif_shot){.frame = frame};
    coif_node_read(coif_node_at(root, "image"), frame, &shot->image);
    COIF_TRY(pose_bodies(shot, production, arena, error));
    COIF_TRY(dress_bodies(shot, production, arena, error));
    const coif_reading lights = {
        .node = coif_node_at(root, "lights"),
        .frame = frame,
        .textures = &production->textures,
        .arena = arena,
    };
    COIF_TRY(coif_lights_init(&shot->lights, &lights, &production->bounds, error));

    // What only concerns the simulation shows in the strands, and their digest is taken.
    static const char *const elsewhere[] = {"sim", "forces", "maps", "modifiers", NULL};
    const uint64_t scene = coif_node_digest(root, elsewhere);
    const int32_t numbers[3] = {frame, desc->rest, desc->clay};
    uint64_t digest = digest_text(0, COIF_VERSION);
    digest = digest_text(digest, production->isa);
    digest = coif_digest_more(digest, &scene, sizeof scene);
    digest = coif_digest_more(digest, numbers, sizeof numbers);
    for (int32_t i = 0; i < production->body_count; ++i) {
        digest = digest_mesh(digest, &shot->meshes[i]);
        digest = digest_looks(digest, shot->looks[i], &shot->meshes[i]);
    }
    COIF_TRY(digest_grooms(&digest, production, frame, arena, error));
    shot->settings = digest_textures(digest, &production->textures);
    return COIF_OK;
}

// What the parts of a stage are put together from.
typedef struct staging {
    coif_stage *stage;
    const coif_shot *shot;
    const coif_production *production;
    coif_arena *arena;
} staging;

static coif_status stage_body(const staging *work, int32_t index, coif_error *error)
{
    const coif_mesh *mesh = &work->shot->meshes[index];
    if (!work->production->bodies[index].params.visible || mesh->triangle_count == 0) {
        return COIF_OK;
    }
    work->stage->shapes[work->stage->shape_count++] =
        (coif_shape){.mesh = mesh, .looks = work->shot->looks[index]};
    return coif_accel_add_mesh(work->stage->accel, mesh, error);
}

// All strands of a groom as they are in this shot.
static coif_status find_strands(coif_strands *all, const coif_production_groom *groom,
                                const staging *work, coif_error *error)
{
    const coif_render_desc *desc = work->production->desc;
    if (desc->rest) {
        *all = groom->groom.rest;
        return COIF_OK;
    }
    const char *path =
        coif_cache_frame_path(desc->cache, groom->name, work->shot->frame, work->arena);
    coif_strands simulated;
    COIF_TRY(coif_cache_load(&simulated, NULL, &groom->groom, path, work->arena, error));
    return coif_strands_expand(all, &simulated, &groom->groom, &work->shot->meshes[groom->body],
                               work->arena, work->production->jobs, error);
}

static coif_status stage_groom(const staging *work, const coif_production_groom *groom,
                               coif_error *error)
{
    coif_strands *strands = coif_arena_new(work->arena, 1, coif_strands);
    coif_curves *curves = coif_arena_new(work->arena, 1, coif_curves);
    coif_fibre *fibre = coif_arena_new(work->arena, 1, coif_fibre);
    COIF_TRY(find_strands(strands, groom, work, error));
    if (strands->strand_count == 0) {
        return COIF_OK; // a bald head is a picture too
    }
    COIF_TRY(coif_curves_init(curves, strands, (coif_curve_kind)work->shot->image.curves,
                              work->arena, work->production->jobs, error));
    coif_hair_params hair;
    coif_node_read(coif_node_at(groom->node, "hair"), work->shot->frame, &hair);
    coif_fibre_init(fibre, &hair);
    work->stage->shapes[work->stage->shape_count++] = (coif_shape){
        .curves = curves, .strands = strands, .random = groom->groom.random, .fibre = fibre};
    return coif_accel_add_curves(work->stage->accel, curves, error);
}

coif_status coif_shot_stage(coif_stage *stage, const coif_shot *shot,
                            const coif_production *production, coif_arena *arena, coif_error *error)
{
    const coif_image_params *image = &shot->image;
    *stage = (coif_stage){
        .lights = shot->lights,
        .background = {image->background[0], image->background[1], image->background[2]},
        .transparent = image->transparent != 0,
        .max_depth = image->max_depth,
        .clamp = image->clamp,
    };
    stage->camera = coif_camera_at(coif_node_at(production->desc->scene->root, "camera"),
                                   shot->frame, image->width, image->height, &production->bounds);
    stage->shapes =
        coif_arena_new(arena, production->body_count + production->groom_count, coif_shape);
    COIF_TRY(coif_accel_open(&stage->accel, production->isa, coif_jobs_threads(production->jobs),
                             arena, error));
    const staging work = {stage, shot, production, arena};
    for (int32_t i = 0; i < production->body_count; ++i) {
        COIF_TRY(stage_body(&work, i, error));
    }
    for (int32_t i = 0; i < production->groom_count; ++i) {
        COIF_TRY(stage_groom(&work, &production->grooms[i], error));
    }
    return coif_accel_build(stage->accel, production->progress, error);
}
