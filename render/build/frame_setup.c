#include "render/build/frame_setup.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/pack/pack.h"
#include "render/build/strand_time.h"
#include "render/lights/mesh_light.h"
#include "render/output/image_output.h"

#include <string.h>

static uint64_t digest_mesh(uint64_t digest, const coif_mesh *mesh)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    digest =
        coif_hash64_extend(digest, mesh->positions, sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    digest = coif_hash64_extend(digest, mesh->indices, sizeof(int32_t) * corners);
    digest = coif_hash64_extend(digest, mesh->normals, sizeof(coif_vec3) * corners);
    if (mesh->uvs != NULL) {
        digest = coif_hash64_extend(digest, mesh->uvs, sizeof(coif_vec2) * corners);
    }
    if (mesh->materials != NULL) {
        digest = coif_hash64_extend(digest, mesh->materials, sizeof(int32_t) * (corners / 3));
    }
    return digest;
}

// What MTL files say is nowhere else: the scene only names the mesh.
static uint64_t digest_looks(uint64_t digest, const coif_surface_material *looks,
                             const coif_mesh *mesh)
{
    for (int32_t i = 0; i <= mesh->material_count; ++i) {
        const coif_surface_material *look = &looks[i];
        const int32_t whole[] = {(int32_t)look->wrap, look->flip_green, look->is_shadow_catcher};
        const float numbers[] = {look->normal_strength, look->bump_height, look->transparency,
                                 look->emission.x,      look->emission.y,  look->emission.z};
        const uint64_t shine = look->emission_map != NULL ? look->emission_map->digest : 0;
        digest = coif_hash64_extend(digest, &shine, sizeof shine);
        digest =
            coif_hash64_extend(digest, &look->surface, offsetof(coif_surface, dielectric_albedo));
        digest = coif_hash64_extend(digest, whole, sizeof whole);
        digest = coif_hash64_extend(digest, numbers, sizeof numbers);
        for (int map = 0; map < COIF_MATERIAL_MAP_COUNT; ++map) {
            const uint64_t picture = look->maps[map] != NULL ? look->maps[map]->digest : 0;
            digest = coif_hash64_extend(digest, &picture, sizeof picture);
        }
    }
    return digest;
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return coif_hash64_extend(digest, text, strlen(text));
}

// The digest in a frame's file stands for its strands; 0 for one that is not there.
static coif_status digest_frame(uint64_t *digest, const char *path, coif_arena *arena,
                                coif_error *error)
{
    coif_pack pack = {0};
    if (coif_path_exists(path)) {
        COIF_TRY(coif_pack_peek(&pack, path, arena, error));
    }
    *digest = coif_hash64_extend(*digest, &pack.digest, sizeof pack.digest);
    return COIF_OK;
}

static coif_status digest_strands(uint64_t *digest, const coif_frame_setup *shot, const char *cache,
                                  const coif_render_groom *groom, coif_arena *arena,
                                  coif_error *error)
{
    const char *own = coif_frame_file_path(cache, groom->name, shot->frame, arena);
    if (!coif_path_exists(own)) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: is not there; 'coif sim' makes it, --rest does without", own);
    }
    COIF_TRY(digest_frame(digest, own, arena, error));
    for (int32_t step = 0; step < shot->steps; ++step) {
        int frames[2];
        const int count = coif_strand_time_frames(frames, coif_shutter_step(&shot->shutter, step));
        for (int i = 0; i < count; ++i) {
            const char *path = coif_frame_file_path(cache, groom->name, frames[i], arena);
            COIF_TRY(frames[i] == shot->frame ? COIF_OK : digest_frame(digest, path, arena, error));
        }
    }
    for (int k = 1; k < COIF_MOTION_FRAMES && shot->poses != NULL; ++k) {
        const int frame = coif_motion_frame(shot->frame, k);
        if (coif_aovs_need_motion_frame(&shot->aovs, k)) {
            COIF_TRY(digest_frame(digest, coif_frame_file_path(cache, groom->name, frame, arena),
                                  arena, error));
        }
    }
    return COIF_OK;
}

// Of hair at rest the groom is all there is.
static coif_status digest_grooms(uint64_t *digest, const coif_frame_setup *shot,
                                 const coif_render_assets *production, coif_arena *arena,
                                 coif_error *error)
{
    for (int32_t i = 0; i < production->groom_count; ++i) {
        const coif_render_groom *groom = &production->grooms[i];
        *digest = coif_hash64_extend(*digest, &groom->digest, sizeof groom->digest);
        *digest = coif_hash64_extend(*digest, &groom->maps.digest, sizeof groom->maps.digest);
        if (groom->texture != NULL) {
            *digest =
                coif_hash64_extend(*digest, &groom->texture->digest, sizeof groom->texture->digest);
        }
        if (!production->desc->rest) {
            COIF_TRY(digest_strands(digest, shot, production->desc->cache, groom, arena, error));
        }
    }
    return COIF_OK;
}

// Textures are loaded with the looks, so that a changed picture of a scalp is noticed.
static uint64_t digest_textures(uint64_t digest, const coif_texture_cache *textures)
{
    for (const coif_image_texture *texture = textures->first; texture != NULL;
         texture = texture->next) {
        digest = coif_hash64_extend(digest, &texture->digest, sizeof texture->digest);
    }
    return digest;
}

static coif_status pose_bodies(coif_frame_setup *shot, const coif_render_assets *production,
                               coif_arena *arena, coif_error *error)
{
    shot->meshes = coif_arena_new(arena, production->body_count * shot->steps, coif_mesh);
    for (int32_t i = 0; i < production->body_count * shot->steps; ++i) {
        const coif_body *body = &production->bodies[i / shot->steps];
        const double time = coif_shutter_step(&shot->shutter, i % shot->steps);
        if (production->desc->rest) {
            shot->meshes[i] = body->rest;
        } else if (i % shot->steps > 0 && !coif_body_is_animated(body)) {
            shot->meshes[i] = shot->meshes[i - 1];
        } else {
            COIF_TRY(coif_body_pose_interpolated(&shot->meshes[i], body, &production->course, time,
                                                 arena, error));
        }
    }
    return COIF_OK;
}

static coif_status dress_bodies(coif_frame_setup *shot, coif_render_assets *production,
                                coif_arena *arena, coif_error *error)
{
    shot->materials = coif_arena_new(arena, production->body_count, coif_surface_material *);
    production->textures.max_size = shot->image.texture_size;
    for (int32_t i = 0; i < production->body_count; ++i) {
        const coif_mesh *mesh = &shot->meshes[i * shot->steps];
        if (production->desc->clay) {
            shot->materials[i] = coif_surface_materials_clay(mesh, arena);
            continue;
        }
        const coif_param_source from = {
            .node = coif_node_at(production->bodies[i].node, "material"),
            .frame = shot->frame,
            .textures = &production->textures,
            .arena = arena,
        };
        COIF_TRY(coif_surface_materials_init(&shot->materials[i], &from, mesh, error));
        COIF_TRY(coif_materials_read_emission(shot->materials[i], &from, mesh, error));
    }
    return COIF_OK;
}

// The painted colours of hair.
static coif_status paint_grooms(const coif_frame_setup *shot, coif_render_assets *production,
                                coif_error *error)
{
    for (int32_t i = 0; i < production->groom_count; ++i) {
        coif_render_groom *groom = &production->grooms[i];
        const coif_node *node = coif_node_at(groom->node, "hair");
        coif_hair_params hair;
        coif_node_read(node, shot->frame, &hair);
        groom->texture = NULL;
        if (hair.texture == NULL || hair.texture[0] == '\0') {
            continue;
        }
        const coif_param_source from = {node, shot->frame, &production->textures, NULL};
        const coif_texture_param row = {"texture", hair.texture, COIF_MAP_COLOR};
        if (hair.color_by != COIF_HAIR_BY_SURFACE) {
            const coif_error idle = {COIF_ERR_SCENE,
                                     "is only looked at with \"color_by\": \"surface\""};
            return coif_param_error(&from, row.name, &idle, error);
        }
        COIF_TRY(coif_texture_load_param(&groom->texture, &from, &row,
                                         &production->bodies[groom->body].rest, error));
    }
    return COIF_OK;
}

static bool catches(const coif_frame_setup *shot, const coif_render_assets *production)
{
    for (int32_t i = 0; i < production->body_count; ++i) {
        if (production->bodies[i].params.visible &&
            coif_materials_have_shadow_catcher(shot->materials[i],
                                               &shot->meshes[i * shot->steps])) {
            return true;
        }
    }
    return false;
}

// Layers have room in EXR alone; other pictures do not pay for them.
static coif_status choose_aovs(coif_frame_setup *shot, const coif_render_assets *production,
                               coif_arena *arena, coif_error *error)
{
    const coif_render_desc *desc = production->desc;
    const coif_image_params *image = &shot->image;
    const bool given = desc->format != NULL && desc->format[0] != '\0';
    const char *formats = given ? desc->format : coif_image_format_name(image->format);
    const bool any = image->aovs != NULL && image->aovs[0] != '\0';
    const char *names = any ? image->aovs : "albedo N Z";
    const coif_aovs_desc wish = {
        .names = image->layers && strstr(formats, "exr") != NULL ? names : "",
        .light_groups = shot->lights.groups,
        .light_group_count = shot->lights.group_count,
        .adaptive = image->noise > 0.0f,
        .denoise = image->denoise != 0,
        .has_shadow_catcher = catches(shot, production),
    };
    if (desc->aovs != NULL && wish.names[0] == '\0') {
        coif_log(COIF_LOG_WARNING, "layers have room in EXR alone, and %s is written", formats);
    }
    return coif_aovs_select(&shot->aovs, &wish, arena, error);
}

static coif_status pose_frames(coif_frame_setup *shot, const coif_render_assets *production,
                               coif_arena *arena, coif_error *error)
{
    if (!coif_aovs_need_motion_frame(&shot->aovs, 0) || production->desc->rest) {
        return COIF_OK;
    }
    const int32_t count = COIF_MOTION_FRAMES * production->body_count;
    shot->poses = coif_arena_new(arena, count, coif_mesh);
    for (int32_t i = 0; i < count; ++i) {
        const int which = i % COIF_MOTION_FRAMES;
        if (coif_aovs_need_motion_frame(&shot->aovs, which)) {
            COIF_TRY(coif_body_pose(&shot->poses[i], &production->bodies[i / COIF_MOTION_FRAMES],
                                    coif_motion_frame(shot->frame, which), arena, error));
        }
    }
    return COIF_OK;
}

// The rows of "image" that change what is gathered; how it is developed and how long it is
// gathered may change while a film waits.
static uint64_t digest_image(uint64_t digest, const coif_frame_setup *shot)
{
    const coif_image_params *image = &shot->image;
    const int32_t whole[] = {image->width,       image->height,      image->seed,
                             image->filter,      image->curves,      image->max_depth,
                             image->transparent, image->min_samples, shot->splat};
    const float numbers[] = {image->clamp,         image->min_width,     image->background[0],
                             image->background[1], image->background[2], image->noise};
    digest = coif_hash64_extend(digest, whole, sizeof whole);
    digest = coif_hash64_extend(digest, numbers, sizeof numbers);
    for (int32_t i = 0; i < shot->aovs.count; ++i) {
        digest = digest_text(digest, shot->aovs.list[i].name);
    }
    return digest;
}

// How a film becomes a picture.
static uint64_t digest_development(uint64_t digest, const coif_frame_setup *shot)
{
    const coif_image_params *image = &shot->image;
    const int32_t whole[] = {image->samples,    image->view,      image->layers,
                             image->exr_layout, image->precision, image->compression,
                             image->bits,       shot->window.x0,  shot->window.y0,
                             shot->window.x1,   shot->window.y1};
    digest = coif_hash64_extend(digest, whole, sizeof whole);
    return coif_hash64_extend(digest, &image->exposure, sizeof image->exposure);
}

void coif_frame_setup_set_samples(coif_frame_setup *shot, int32_t samples)
{
    shot->image.samples = samples;
    shot->settings = digest_development(shot->film_digest, shot);
}

// What has to be gathered so that the wanted pixels are those of the whole picture.
static void choose_region(coif_frame_setup *shot)
{
    const coif_image_params *image = &shot->image;
    const coif_rect *window = &shot->window;
    shot->splat = coif_film_can_splat(image);
    const int32_t reach = shot->splat ? COIF_FILTER_RADIUS : 0;
    coif_rect all = {window->x0 - reach, window->y0 - reach, window->x1 + reach,
                     window->y1 + reach};
    if (image->noise > 0.0f) {
        // Whole squares decide whether they are good enough, and share with those that go on.
        const int32_t x = all.x1 + COIF_BLOCK_SIZE - 1, y = all.y1 + COIF_BLOCK_SIZE - 1;
        const int32_t more = shot->splat ? COIF_BLOCK_SIZE : 0;
        all = (coif_rect){all.x0 / COIF_BLOCK_SIZE * COIF_BLOCK_SIZE - more,
                          all.y0 / COIF_BLOCK_SIZE * COIF_BLOCK_SIZE - more,
                          x - x % COIF_BLOCK_SIZE + more, y - y % COIF_BLOCK_SIZE + more};
    }
    shot->region = coif_rect_intersect(all, (coif_rect){0, 0, image->width, image->height});
}

// What the command says instead of the scene, and the part of the picture that is wanted.
static coif_status read_image(coif_frame_setup *shot, const coif_render_desc *desc,
                              coif_error *error)
{
    coif_image_params *image = &shot->image;
    coif_node_read(coif_node_at(desc->scene->root, "image"), shot->frame, image);
    image->aovs = desc->aovs != NULL ? desc->aovs : image->aovs;
    image->exr_layout = desc->exr_layout > 0 ? desc->exr_layout - 1 : image->exr_layout;
    shot->window = (coif_rect){0, 0, image->width, image->height};
    const int32_t *crop = desc->crop;
    if (crop[2] != 0) {
        if (crop[0] < 0 || crop[1] < 0 || crop[2] < 1 || crop[3] < 1 ||
            crop[0] > image->width - crop[2] || crop[1] > image->height - crop[3]) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "crop %d,%d,%d,%d: not inside the picture of %d x %d", crop[0],
                             crop[1], crop[2], crop[3], image->width, image->height);
        }
        shot->window = (coif_rect){crop[0], crop[1], crop[0] + crop[2], crop[1] + crop[3]};
    }
    return COIF_OK;
}

coif_status coif_frame_setup_init(coif_frame_setup *shot, coif_render_assets *production, int frame,
                                  coif_arena *arena, coif_error *error)
{
    const coif_render_desc *desc = production->desc;
    const coif_node *root = desc->scene->root;
    *shot = (coif_frame_setup){.frame = frame};
    COIF_TRY(read_image(shot, desc, error));
    COIF_TRY(coif_camera_validate(coif_node_at(root, "camera"), frame, &production->bounds,
                                  desc->scene->path, error));
    shot->shutter = coif_shutter_at(coif_node_at(root, "camera"), frame);
    shot->steps = desc->rest ? 1 : shot->shutter.steps;
    COIF_TRY(pose_bodies(shot, production, arena, error));
    COIF_TRY(dress_bodies(shot, production, arena, error));
    COIF_TRY(paint_grooms(shot, production, error));
    const coif_param_source lights = {
        .node = coif_node_at(root, "lights"),
        .frame = frame,
        .textures = &production->textures,
        .arena = arena,
    };
    const bool shines = coif_frame_has_mesh_lights(shot, production);
    COIF_TRY(coif_lights_init(&shot->lights, &lights, shines ? NULL : &production->bounds, error));
    COIF_TRY(coif_frame_assign_light_groups(shot, production, arena, error));
    COIF_TRY(choose_aovs(shot, production, arena, error));
    choose_region(shot);
    COIF_TRY(pose_frames(shot, production, arena, error));

    // What only concerns the simulation shows in the strands, and their digest is taken.
    static const char *const elsewhere[] = {"sim", "forces", "maps", "modifiers", "image", NULL};
    const uint64_t scene = coif_node_digest(root, elsewhere);
    const int32_t numbers[4] = {frame, desc->rest, desc->clay, desc->compact};
    uint64_t digest = digest_image(digest_text(0, COIF_VERSION), shot);
    digest = digest_text(digest, production->isa);
    digest = coif_hash64_extend(digest, &scene, sizeof scene);
    digest = coif_hash64_extend(digest, numbers, sizeof numbers);
    for (int32_t i = 0; i < production->body_count; ++i) {
        const coif_mesh *meshes = &shot->meshes[i * shot->steps];
        for (int32_t step = 0; step < shot->steps; ++step) {
            digest = digest_mesh(digest, &meshes[step]);
        }
        digest = digest_looks(digest, shot->materials[i], meshes);
        for (int k = 0; k < COIF_MOTION_FRAMES && shot->poses != NULL; ++k) {
            if (coif_aovs_need_motion_frame(&shot->aovs, k)) {
                digest = digest_mesh(digest, &shot->poses[COIF_MOTION_FRAMES * i + k]);
            }
        }
    }
    COIF_TRY(digest_grooms(&digest, shot, production, arena, error));
    shot->film_digest = digest_textures(digest, &production->textures);
    shot->settings = digest_development(shot->film_digest, shot);
    return COIF_OK;
}
