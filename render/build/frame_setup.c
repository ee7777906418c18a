#include "render/build/frame_setup.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/frame_list.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/image/image_format.h"
#include "core/pack/pack.h"
#include "render/build/scene_digest.h"
#include "render/build/strand_time.h"
#include "render/lights/mesh_light.h"
#include "render/output/image_output.h"

#include <math.h>
#include <string.h>

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return coif_hash64_extend(digest, text, strlen(text));
}

// The digest stored in a frame file; 0 without the file.
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

static coif_status missing_frame(double frame, const char *path, coif_error *error)
{
    if (coif_frame_is_whole(frame)) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: no such file; run 'coif sim' first, or use --rest", path);
    }
    return coif_fail(
        error, COIF_ERR_IO,
        "%s: no such file; frame %.10g is interpolated between two frames of the cache", path,
        frame);
}

static coif_status digest_strands(uint64_t *digest, const coif_frame_setup *setup,
                                  const char *cache, const coif_render_groom *groom,
                                  coif_arena *arena, coif_error *error)
{
    int own[2];
    const int own_count = coif_strand_time_frames(own, setup->frame);
    for (int i = 0; i < own_count; ++i) {
        const char *path = coif_frame_file_path(cache, groom->name, own[i], arena);
        if (!coif_path_exists(path)) {
            return missing_frame(setup->frame, path, error);
        }
        COIF_TRY(digest_frame(digest, path, arena, error));
    }
    for (int32_t step = 0; step < setup->steps; ++step) {
        int frames[2];
        const int count = coif_strand_time_frames(frames, coif_shutter_step(&setup->shutter, step));
        for (int i = 0; i < count; ++i) {
            const char *path = coif_frame_file_path(cache, groom->name, frames[i], arena);
            const bool done = frames[i] == own[0] || frames[i] == own[own_count - 1];
            COIF_TRY(done ? COIF_OK : digest_frame(digest, path, arena, error));
        }
    }
    for (int k = 1; k < COIF_MOTION_FRAMES && setup->motion_meshes != NULL; ++k) {
        int frames[2];
        const int count = coif_strand_time_frames(frames, coif_motion_frame(setup->frame, k));
        for (int i = 0; i < count && coif_aovs_need_motion_frame(&setup->aovs, k); ++i) {
            const char *path = coif_frame_file_path(cache, groom->name, frames[i], arena);
            COIF_TRY(digest_frame(digest, path, arena, error));
        }
    }
    return COIF_OK;
}

static coif_status digest_grooms(uint64_t *digest, const coif_frame_setup *setup,
                                 const coif_render_assets *assets, coif_arena *arena,
                                 coif_error *error)
{
    for (int32_t i = 0; i < assets->groom_count; ++i) {
        const coif_render_groom *groom = &assets->grooms[i];
        *digest = coif_hash64_extend(*digest, &groom->digest, sizeof groom->digest);
        *digest = coif_hash64_extend(*digest, &groom->maps.digest, sizeof groom->maps.digest);
        if (groom->texture != NULL) {
            *digest =
                coif_hash64_extend(*digest, &groom->texture->digest, sizeof groom->texture->digest);
        }
        if (!assets->source->use_rest_pose) {
            COIF_TRY(digest_strands(digest, setup, assets->source->cache, groom, arena, error));
        }
    }
    return COIF_OK;
}

// Simulated hair may move on bodies at rest; rest hair follows its body.
static bool is_animated(const coif_render_assets *assets)
{
    bool animated = !assets->source->use_rest_pose;
    for (int32_t i = 0; i < assets->body_count && !animated; ++i) {
        animated = coif_body_is_animated(&assets->bodies[i]);
    }
    return animated;
}

static coif_status pose_bodies(coif_frame_setup *setup, const coif_render_assets *assets,
                               coif_arena *arena, coif_error *error)
{
    setup->meshes = coif_arena_new(arena, assets->body_count * setup->steps, coif_mesh);
    for (int32_t i = 0; i < assets->body_count * setup->steps; ++i) {
        const coif_body *body = &assets->bodies[i / setup->steps];
        const double time = coif_shutter_step(&setup->shutter, i % setup->steps);
        if (i % setup->steps > 0 && !coif_body_is_animated(body)) {
            setup->meshes[i] = setup->meshes[i - 1];
        } else {
            COIF_TRY(coif_body_pose_interpolated(&setup->meshes[i], body, &assets->interpolation,
                                                 time, arena, error));
        }
    }
    return COIF_OK;
}

static coif_status load_materials(coif_frame_setup *setup, coif_render_assets *assets,
                                  coif_arena *arena, coif_error *error)
{
    setup->materials = coif_arena_new(arena, assets->body_count, coif_surface_material *);
    assets->textures.max_size = setup->image.max_texture_size;
    for (int32_t i = 0; i < assets->body_count; ++i) {
        const coif_mesh *mesh = &setup->meshes[i * setup->steps];
        if (assets->source->bodies_only || assets->source->wire) {
            setup->materials[i] =
                coif_surface_materials_clay(mesh, assets->source->wire ? 0.12f : 0.5f, arena);
            continue;
        }
        const coif_param_source from = {
            .node = coif_node_at(assets->bodies[i].node, "material"),
            .frame = setup->frame,
            .textures = &assets->textures,
            .arena = arena,
        };
        COIF_TRY(coif_surface_materials_init(&setup->materials[i], &from, mesh, error));
        COIF_TRY(coif_materials_read_emission(setup->materials[i], &from, mesh, error));
    }
    return COIF_OK;
}

// Painted colours and maps of hair.
static coif_status load_hair_textures(const coif_frame_setup *setup, coif_render_assets *assets,
                                      coif_error *error)
{
    for (int32_t i = 0; i < assets->groom_count; ++i) {
        coif_render_groom *groom = &assets->grooms[i];
        COIF_TRY(coif_render_groom_evaluate_maps(groom, assets, setup->frame, error));
        const coif_node *node = coif_node_at(groom->node, "hair");
        coif_hair_params hair;
        coif_node_read(node, setup->frame, &hair);
        groom->texture = NULL;
        if (hair.texture == NULL || hair.texture[0] == '\0') {
            continue;
        }
        const coif_param_source from = {node, setup->frame, &assets->textures, NULL};
        const coif_texture_param param = {"texture", hair.texture, COIF_MAP_COLOR};
        if (hair.color_model != COIF_HAIR_BY_SURFACE) {
            const coif_error unused = {COIF_ERR_SCENE,
                                       "is only used with \"color_by\": \"surface\""};
            return coif_param_error(&from, param.name, &unused, error);
        }
        COIF_TRY(coif_texture_load_param(&groom->texture, &from, &param,
                                         &assets->bodies[groom->body].rest, error));
    }
    return COIF_OK;
}

static bool has_shadow_catcher(const coif_frame_setup *setup, const coif_render_assets *assets)
{
    for (int32_t i = 0; i < assets->body_count; ++i) {
        if (assets->bodies[i].params.visible &&
            coif_materials_have_shadow_catcher(setup->materials[i],
                                               &setup->meshes[i * setup->steps])) {
            return true;
        }
    }
    return false;
}

// Light groups must be known before AOVs are selected.
static coif_status assign_light_groups(coif_frame_setup *setup, const coif_render_assets *assets,
                                       coif_arena *arena, coif_error *error)
{
    setup->light_groups = coif_arena_new(arena, assets->body_count, int32_t);
    for (int32_t i = 0; i < assets->body_count; ++i) {
        if (!coif_materials_are_emissive(setup->materials[i], &setup->meshes[i * setup->steps])) {
            continue;
        }
        coif_material_params params;
        coif_node_read(coif_node_at(assets->bodies[i].node, "material"), setup->frame, &params);
        COIF_TRY(coif_lights_group_index(&setup->light_groups[i], &setup->lights,
                                         params.light_group, error));
    }
    return COIF_OK;
}

static bool frame_has_mesh_lights(const coif_frame_setup *setup, const coif_render_assets *assets)
{
    for (int32_t i = 0; i < assets->body_count; ++i) {
        if (assets->bodies[i].params.visible &&
            coif_materials_are_emissive(setup->materials[i], &setup->meshes[i * setup->steps])) {
            return true;
        }
    }
    return false;
}

// AOVs are written to EXR only; other formats do not pay for them.
static coif_status select_aovs(coif_frame_setup *setup, const coif_render_assets *assets,
                               coif_arena *arena, coif_error *error)
{
    const coif_render_source *source = assets->source;
    const coif_image_params *image = &setup->image;
    const bool given = source->format != NULL && source->format[0] != '\0';
    const char *formats = given ? source->format : COIF_IMAGE_FORMATS[image->format];
    const bool any = image->aovs != NULL && image->aovs[0] != '\0';
    const char *names = any ? image->aovs : "albedo N Z";
    const coif_aovs_desc selection = {
        .names = image->write_aovs && strstr(formats, "exr") != NULL ? names : "",
        .light_groups = setup->lights.groups,
        .light_group_count = setup->lights.group_count,
        .adaptive = image->adaptive_threshold > 0.0f,
        .denoise = image->denoise != 0,
        .denoise_film = setup->denoise_film,
        .has_shadow_catcher = has_shadow_catcher(setup, assets),
    };
    if (source->aovs != NULL && selection.names[0] == '\0') {
        coif_log(COIF_LOG_WARNING,
                 "AOVs are only written to EXR; output format is %s, --aov is ignored", formats);
    }
    return coif_aovs_select(&setup->aovs, &selection, arena, error);
}

static coif_status pose_motion_frames(coif_frame_setup *setup, const coif_render_assets *assets,
                                      coif_arena *arena, coif_error *error)
{
    if (!coif_aovs_need_motion_frame(&setup->aovs, 0) || !is_animated(assets) ||
        assets->source->turntable > 0) {
        return COIF_OK;
    }
    const int32_t count = COIF_MOTION_FRAMES * assets->body_count;
    setup->motion_meshes = coif_arena_new(arena, count, coif_mesh);
    for (int32_t i = 0; i < count; ++i) {
        const int which = i % COIF_MOTION_FRAMES;
        if (coif_aovs_need_motion_frame(&setup->aovs, which)) {
            COIF_TRY(coif_body_pose_interpolated(
                &setup->motion_meshes[i], &assets->bodies[i / COIF_MOTION_FRAMES],
                &assets->interpolation, coif_motion_frame(setup->frame, which), arena, error));
        }
    }
    return COIF_OK;
}

// Parameters of "image" that the film depends on; the others may change while a checkpoint waits.
static uint64_t digest_film_params(uint64_t digest, const coif_frame_setup *setup)
{
    const coif_image_params *image = &setup->image;
    const int32_t integers[] = {image->width,
                                image->height,
                                image->seed,
                                image->filter,
                                image->curve_type,
                                image->max_depth,
                                image->indirect_cache,
                                image->hair_filtering,
                                image->film_transparent,
                                image->adaptive_min_samples,
                                setup->splat};
    const float floats[] = {image->clamp_indirect, image->min_pixel_width,
                            image->background[0],  image->background[1],
                            image->background[2],  image->adaptive_threshold};
    digest = coif_hash64_extend(digest, integers, sizeof integers);
    digest = coif_hash64_extend(digest, floats, sizeof floats);
    for (int32_t i = 0; i < setup->aovs.count; ++i) {
        digest = digest_text(digest, setup->aovs.list[i].name);
    }
    if (image->working_space != COIF_WORKING_REC709) {
        digest = coif_hash64_extend(digest, &image->working_space, sizeof image->working_space);
    }
    if (setup->denoise_film) {
        digest = coif_hash64_extend(digest, &setup->aovs.half_run, sizeof setup->aovs.half_run);
    }
    return digest;
}

// Parameters of "image" that the files depend on beside the film.
static uint64_t digest_output(uint64_t digest, const coif_frame_setup *setup)
{
    const coif_image_params *image = &setup->image;
    const int32_t integers[] = {image->samples,    image->view_transform, image->write_aovs,
                                image->exr_layout, image->exr_pixel_type, image->exr_compression,
                                image->bit_depth,  setup->window.x0,      setup->window.y0,
                                setup->window.x1,  setup->window.y1};
    digest = coif_hash64_extend(digest, integers, sizeof integers);
    if (setup->output.display != NULL) {
        const uint64_t display = coif_display_transform_digest(setup->output.display);
        digest = coif_hash64_extend(digest, &display, sizeof display);
    }
    return coif_hash64_extend(digest, &image->exposure, sizeof image->exposure);
}

void coif_frame_setup_set_samples(coif_frame_setup *setup, int32_t samples)
{
    setup->image.samples = setup->sampling.samples = samples;
    setup->settings = digest_output(setup->film_digest, setup);
}

// The pixels to render so that those of a window equal those of the whole image.
static coif_rect region_of(const coif_frame_setup *setup, const coif_rect *window)
{
    const coif_image_params *image = &setup->image;
    const int32_t radius = setup->splat ? COIF_FILTER_RADIUS : 0;
    coif_rect region = {window->x0 - radius, window->y0 - radius, window->x1 + radius,
                        window->y1 + radius};
    if (image->adaptive_threshold > 0.0f) {
        // Adaptive sampling needs whole blocks and, with splatting, their neighbours.
        const int32_t x = region.x1 + COIF_BLOCK_SIZE - 1, y = region.y1 + COIF_BLOCK_SIZE - 1;
        const int32_t margin = setup->splat ? COIF_BLOCK_SIZE : 0;
        region = (coif_rect){region.x0 / COIF_BLOCK_SIZE * COIF_BLOCK_SIZE - margin,
                             region.y0 / COIF_BLOCK_SIZE * COIF_BLOCK_SIZE - margin,
                             x - x % COIF_BLOCK_SIZE + margin, y - y % COIF_BLOCK_SIZE + margin};
    }
    return coif_rect_intersect(region, (coif_rect){0, 0, image->width, image->height});
}

coif_rect coif_frame_setup_tile_region(const coif_frame_setup *setup, coif_render_tile tile)
{
    const coif_rect pixels = coif_render_tile_pixels(tile, setup->image.width, setup->image.height);
    return region_of(setup, &pixels);
}

static coif_status check_tile(const coif_frame_setup *setup, coif_error *error)
{
    const coif_render_tile *tile = &setup->tile;
    const coif_image_params *image = &setup->image;
    if (tile->columns * COIF_BLOCK_SIZE > image->width ||
        tile->rows * COIF_BLOCK_SIZE > image->height) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%d x %d tiles: expected tiles of at least %d x %d pixels, the image has "
                         "%d x %d",
                         tile->columns, tile->rows, COIF_BLOCK_SIZE, COIF_BLOCK_SIZE, image->width,
                         image->height);
    }
    return COIF_OK;
}

static void find_region(coif_frame_setup *setup)
{
    setup->splat = coif_image_splats(&setup->image);
    setup->region = setup->tile.index > 0 ? coif_frame_setup_tile_region(setup, setup->tile)
                                          : region_of(setup, &setup->window);
}

// Reads "image" with the overrides of the command line.
static coif_status read_image(coif_frame_setup *setup, const coif_render_source *source,
                              coif_error *error)
{
    coif_image_params *image = &setup->image;
    coif_node_read(coif_node_at(source->scene->root, "image"), setup->frame, image);
    image->aovs = source->aovs != NULL ? source->aovs : image->aovs;
    image->exr_layout = source->exr_layout > 0 ? source->exr_layout - 1 : image->exr_layout;
    if (image->animate_seed != 0) {
        const double whole = floor(setup->number), part = setup->number - whole;
        const uint32_t offset =
            (uint32_t)((int32_t)whole - 1) + 1000003u * (uint32_t)(1000.0 * part + 0.5);
        image->seed = (int32_t)(((uint32_t)image->seed + offset) & INT32_MAX);
    }
    setup->denoise_film = source->film && image->denoise != 0 && image->denoise_frames > 0;
    setup->sampling = coif_image_sampling(image);
    setup->output = coif_image_output(image);
    setup->window = (coif_rect){0, 0, image->width, image->height};
    const int32_t *crop = source->crop;
    if (crop[2] != 0) {
        if (crop[0] < 0 || crop[1] < 0 || crop[2] < 1 || crop[3] < 1 ||
            crop[0] > image->width - crop[2] || crop[1] > image->height - crop[3]) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "crop %d,%d,%d,%d: not inside the image of %d x %d", crop[0], crop[1],
                             crop[2], crop[3], image->width, image->height);
        }
        setup->window = (coif_rect){crop[0], crop[1], crop[0] + crop[2], crop[1] + crop[3]};
    }
    return COIF_OK;
}

static coif_status open_display(coif_frame_setup *setup, coif_render_assets *assets,
                                coif_error *error)
{
    coif_error cause = {0};
    if (coif_output_open_display(&setup->output, &cause) == COIF_OK) {
        return COIF_OK;
    }
    const coif_param_source from = {.node = coif_node_at(assets->source->scene->root, "image"),
                                    .textures = &assets->textures};
    return coif_param_error(&from, "view_transform", &cause, error);
}

static coif_status set_camera(coif_frame_setup *setup, const coif_render_assets *assets,
                              coif_arena *arena, coif_error *error)
{
    const coif_render_source *source = assets->source;
    const double frame = setup->frame;
    const coif_shutter still = {.open = frame, .close = frame, .steps = 1};
    setup->camera = coif_node_at(source->scene->root, "camera");
    COIF_TRY(
        coif_camera_validate(setup->camera, frame, &assets->bounds, source->scene->path, error));
    if (source->turntable > 0) {
        setup->camera = coif_camera_turntable(setup->camera, frame, (int32_t)setup->number - 1,
                                              source->turntable, arena);
    }
    setup->camera_shutter = source->wire ? still : coif_shutter_at(setup->camera, frame);
    setup->shutter = source->turntable > 0 ? still : setup->camera_shutter;
    return COIF_OK;
}

coif_status coif_frame_setup_init(coif_frame_setup *setup, coif_render_assets *assets,
                                  double number, coif_arena *arena, coif_error *error)
{
    const coif_render_source *source = assets->source;
    const coif_node *root = source->scene->root;
    const double frame = source->turntable > 0 ? source->turntable_frame : number;
    *setup = (coif_frame_setup){.frame = frame, .number = number, .tile = source->tile};
    COIF_TRY(read_image(setup, source, error));
    COIF_TRY(open_display(setup, assets, error));
    assets->textures.space = setup->output.working_space;
    COIF_TRY(check_tile(setup, error));
    COIF_TRY(set_camera(setup, assets, arena, error));
    setup->steps = is_animated(assets) ? setup->shutter.steps : 1;
    COIF_TRY(pose_bodies(setup, assets, arena, error));
    COIF_TRY(load_materials(setup, assets, arena, error));
    COIF_TRY(load_hair_textures(setup, assets, error));
    const coif_param_source lights = {
        .node = coif_node_at(root, "lights"),
        .frame = frame,
        .textures = &assets->textures,
        .arena = arena,
    };
    const bool emissive = frame_has_mesh_lights(setup, assets);
    COIF_TRY(coif_lights_init(&setup->lights, &lights, emissive ? NULL : &assets->bounds, error));
    COIF_TRY(assign_light_groups(setup, assets, arena, error));
    COIF_TRY(select_aovs(setup, assets, arena, error));
    find_region(setup);
    COIF_TRY(pose_motion_frames(setup, assets, arena, error));

    // Simulation and groom sections act through the strands, whose digest is taken.
    static const char *const excluded[] = {"sim", "forces", "maps", "modifiers", "image", NULL};
    const uint64_t scene = coif_node_digest(root, excluded);
    const int32_t numbers[4] = {(int32_t)floor(frame), source->use_rest_pose, source->bodies_only,
                                source->compact};
    uint64_t digest = digest_film_params(digest_text(0, COIF_VERSION), setup);
    digest = digest_text(digest, assets->isa);
    digest = coif_hash64_extend(digest, &scene, sizeof scene);
    digest = coif_hash64_extend(digest, numbers, sizeof numbers);
    if (!coif_frame_is_whole(frame)) {
        digest = coif_hash64_extend(digest, &frame, sizeof frame);
    }
    if (source->turntable > 0) {
        const double turn[2] = {number, source->turntable};
        digest = coif_hash64_extend(digest, turn, sizeof turn);
    }
    if (source->wire) {
        digest = coif_hash64_extend(digest, &source->wire_strands, sizeof source->wire_strands);
    }
    for (int32_t i = 0; i < assets->body_count; ++i) {
        const coif_mesh *meshes = &setup->meshes[i * setup->steps];
        for (int32_t step = 0; step < setup->steps; ++step) {
            digest = coif_digest_mesh(digest, &meshes[step]);
        }
        digest = coif_digest_materials(digest, setup->materials[i], meshes->material_count + 1);
        for (int k = 0; k < COIF_MOTION_FRAMES && setup->motion_meshes != NULL; ++k) {
            if (coif_aovs_need_motion_frame(&setup->aovs, k)) {
                digest =
                    coif_digest_mesh(digest, &setup->motion_meshes[COIF_MOTION_FRAMES * i + k]);
            }
        }
    }
    COIF_TRY(digest_grooms(&digest, setup, assets, arena, error));
    setup->film_digest = coif_digest_textures(digest, &assets->textures);
    setup->settings = digest_output(setup->film_digest, setup);
    return COIF_OK;
}
