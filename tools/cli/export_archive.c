#include "tools/cli/export_archive.h"

#include "core/base/error.h"
#include "core/body/body_interpolate.h"
#include "core/hair/formats/strand_curves.h"
#include "core/mesh/mesh_polygons.h"
#include "render/camera/camera.h"
#include "render/shading/hair_params.h"
#include "sim/run/simulate.h"

#include <string.h>

static coif_vec3 tint_of(const float *tint, float weight)
{
    return (coif_vec3){weight * tint[0], weight * tint[1], weight * tint[2]};
}

// The fibre of a strand without variation at its root.
static coif_archive_hair_look look_of(const coif_export_groom *source, double frame)
{
    coif_hair_params params;
    coif_hair_material material;
    coif_node_read(coif_node_at(source->node, "hair"), frame, &params);
    coif_hair_material_init(&material, &params, COIF_WORKING_REC709);
    return (coif_archive_hair_look){
        .absorption = coif_hair_material_absorption(&material, &material.default_color, 0.0f),
        .tint = {tint_of(params.r_tint, params.r_weight), tint_of(params.tt_tint, params.tt_weight),
                 tint_of(params.trt_tint, params.trt_weight)},
        .ior = params.ior,
        .longitudinal_variance = material.lobes.variance[0],
        .azimuthal_scale = material.lobes.scale / 0.626657069f, // sqrt(pi / 8)
        .cuticle_angle = params.cuticle_angle};
}

// USD has its materials below /looks.
static bool is_taken(const coif_archive_write_object *objects, int32_t count, const char *path)
{
    if (strcmp(path, "/looks") == 0) {
        return true;
    }
    for (int32_t i = 0; i < count; ++i) {
        if (strcmp(objects[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

// A body may have the name of a groom: "/head" becomes "/head_".
static int32_t add_object(coif_archive_write_object *objects, int32_t *count, const char *name,
                          coif_archive_kind kind, bool animated, coif_arena *arena)
{
    const char *path = coif_arena_print(arena, "/%s", name);
    while (is_taken(objects, *count, path)) {
        path = coif_arena_print(arena, "%s_", path);
    }
    objects[*count] = (coif_archive_write_object){.path = path, .kind = kind, .animated = animated};
    return (*count)++;
}

static bool grows_hair(const coif_archive_export *file, const coif_body *body)
{
    for (int32_t g = 0; g < file->sources->count; ++g) {
        if (file->sources->items[g].body == body) {
            return true;
        }
    }
    return false;
}

// Bodies that are seen and those of the grooms; proxies of collision alone stay behind.
static void add_bodies(coif_archive_export *file, coif_archive_write_object *objects,
                       int32_t *count, bool animated)
{
    const coif_export_groom *source = &file->sources->items[0];
    file->bodies = coif_arena_new(&file->arena, source->body_count, coif_archive_export_body);
    for (int32_t b = 0; b < source->body_count; ++b) {
        const coif_body *body = &source->bodies[b];
        file->bodies[b].object = -1;
        if (body->params.visible || grows_hair(file, body)) {
            file->bodies[b].moves = animated && coif_body_is_animated(body);
            file->bodies[b].polygons = coif_mesh_polygons_of(&body->rest, &file->arena);
            file->bodies[b].object =
                add_object(objects, count, body->params.name, COIF_ARCHIVE_MESH,
                           file->bodies[b].moves, &file->arena);
        }
    }
}

// The groom is one group of its name, or one per region: NAME_0, NAME_1. Returns their number.
static int32_t name_groups(coif_archive_export_groom *groom, const coif_export_groom *source,
                           coif_arena *arena)
{
    const int32_t *region = source->groom.region;
    int32_t count = 1;
    for (int32_t s = 0; region != NULL && s < source->groom.rest.strand_count; ++s) {
        count = region[s] >= count ? region[s] + 1 : count;
    }
    groom->group_names = coif_arena_new(arena, count, const char *);
    for (int32_t i = 0; i < count; ++i) {
        groom->group_names[i] = region == NULL
                                    ? source->params.name
                                    : coif_arena_print(arena, "%s_%d", source->params.name, i);
    }
    return count;
}

// Strands and guides of all grooms.
static void add_grooms(coif_archive_export *file, coif_archive_write_object *objects,
                       int32_t *count, const coif_archive_export_times *times)
{
    const coif_archive_export_desc *desc = &file->desc;
    const bool animated = times->count > 1;
    int32_t first_id = 0, first_group = 0;
    file->grooms = coif_arena_new(&file->arena, file->sources->count, coif_archive_export_groom);
    for (int32_t g = 0; g < file->sources->count; ++g) {
        const coif_export_groom *source = &file->sources->items[g];
        coif_archive_export_groom *groom = &file->grooms[g];
        const char *name = source->params.name;
        *groom = (coif_archive_export_groom){.look = look_of(source, times->first),
                                             .hair = -1,
                                             .guides = -1,
                                             .first_id = first_id,
                                             .first_group = first_group};
        first_id += source->groom.rest.strand_count;
        first_group += name_groups(groom, source, &file->arena);
        if (!desc->guides_only) {
            groom->hair =
                add_object(objects, count, name, COIF_ARCHIVE_CURVES, animated, &file->arena);
            objects[groom->hair].look = &groom->look;
        }
        if (desc->guides_only || desc->with_guides) {
            groom->guides =
                add_object(objects, count, coif_arena_print(&file->arena, "%s_guides", name),
                           COIF_ARCHIVE_CURVES, animated, &file->arena);
            objects[groom->guides].is_guide = true;
            objects[groom->guides].look = &groom->look;
        }
    }
}

coif_status coif_archive_export_begin(coif_archive_export *file, const char *path,
                                      const coif_archive_export_desc *desc,
                                      const coif_export_grooms *sources,
                                      const coif_archive_export_times *times, coif_error *error)
{
    const bool usd = desc->format != &COIF_ARCHIVE_WRITE_ALEMBIC, animated = times->count > 1;
    const coif_export_groom *any = &sources->items[0];
    *file = (coif_archive_export){.desc = *desc, .sources = sources, .camera = -1};
    if (desc->automatic_basis) {
        file->desc.basis = usd ? COIF_BASIS_CATMULL_ROM : COIF_BASIS_LINEAR;
    }
    coif_arena_init(&file->arena, "export");
    const int32_t capacity = 2 * sources->count + any->body_count + 1; // and the camera
    coif_archive_write_object *objects =
        coif_arena_new(&file->arena, capacity, coif_archive_write_object);
    int32_t count = 0;
    add_grooms(file, objects, &count, times);
    if (desc->with_body) {
        add_bodies(file, objects, &count, animated);
    }
    if (desc->with_camera) {
        file->camera =
            add_object(objects, &count, "camera", COIF_ARCHIVE_CAMERA, animated, &file->arena);
    }
    const coif_archive_write_desc written = {.fps = coif_timeline_of(any->scene).fps,
                                             .first_frame = times->first,
                                             .frame_step = times->step,
                                             .sample_count = times->count,
                                             .meters_per_unit = desc->meters_per_unit,
                                             .up_axis = desc->up_axis,
                                             .basis = file->desc.basis,
                                             .application = "coif " COIF_VERSION,
                                             .varying_widths = desc->varying_widths};
    const coif_status status =
        desc->format->create(&file->writer, path, &written, objects, count, &file->arena, error);
    if (status != COIF_OK) {
        coif_arena_free(&file->arena);
    }
    return status;
}

// Of several grooms in a file each is a group, or each of its regions; ids are distinct.
static void set_group(coif_archive_curves *curves, const coif_archive_export *file,
                      const coif_archive_export_groom *groom, coif_arena *arena)
{
    const int32_t count = curves->curve_count;
    if (file->sources->count == 1) {
        return;
    }
    const int32_t *regions = curves->group_ids;
    curves->group_ids = coif_arena_new(arena, count, int32_t);
    curves->group_names = coif_arena_new(arena, count, const char *);
    for (int32_t s = 0; s < count; ++s) {
        const int32_t region = regions != NULL ? regions[s] : 0;
        curves->group_ids[s] = groom->first_group + region;
        curves->group_names[s] = groom->group_names[region];
        if (curves->ids != NULL) {
            curves->ids[s] += groom->first_id;
        }
        for (int32_t k = 3 * s; curves->closest_guides != NULL && k < 3 * s + 3; ++k) {
            curves->closest_guides[k] += curves->closest_guides[k] >= 0 ? groom->first_id : 0;
        }
    }
}

static coif_status write_curves(coif_archive_export *file, int32_t groom, bool guides,
                                int32_t sample, const coif_strands *strands, coif_arena *arena,
                                coif_error *error)
{
    const coif_curve_basis basis = file->desc.basis;
    const coif_archive_export_groom *to = &file->grooms[groom];
    coif_archive_curves curves = basis == COIF_BASIS_BSPLINE
                                     ? coif_strands_bspline(strands, arena)
                                     : coif_strands_curves(strands, basis, arena);
    coif_curves_set_groom(&curves, &file->sources->items[groom].groom, guides, arena);
    set_group(&curves, file, to, arena);
    return file->desc.format->write_curves(file->writer, guides ? to->guides : to->hair, sample,
                                           &curves, error);
}

// The mesh of a pose with the polygons of its file.
static coif_archive_mesh mesh_of(const coif_mesh *pose, const coif_mesh_polygons *polygons,
                                 coif_arena *arena)
{
    const int32_t corner_count = polygons->corner_count;
    coif_archive_mesh mesh = {.vertex_count = pose->vertex_count,
                              .face_count = polygons->count,
                              .corner_count = corner_count,
                              .face_sizes = polygons->sizes,
                              .corners = coif_arena_new(arena, corner_count, int32_t),
                              .positions = pose->positions,
                              .normals = coif_arena_new(arena, corner_count, coif_vec3),
                              .group_count = pose->group_count,
                              .group_names = pose->group_names,
                              .face_group = coif_arena_new(arena, polygons->count, int32_t)};
    for (int32_t i = 0; i < corner_count; ++i) {
        mesh.corners[i] = pose->indices[polygons->corners[i]];
        mesh.normals[i] = pose->normals[polygons->corners[i]];
    }
    for (int32_t f = 0; f < polygons->count; ++f) {
        mesh.face_group[f] = pose->groups[polygons->triangles[f]];
    }
    if (pose->uvs != NULL) {
        mesh.uv = coif_arena_new(arena, 2 * (size_t)corner_count, float);
        for (int32_t i = 0; i < corner_count; ++i) {
            mesh.uv[2 * i] = pose->uvs[polygons->corners[i]].x;
            mesh.uv[2 * i + 1] = pose->uvs[polygons->corners[i]].y;
        }
    }
    return mesh;
}

static coif_status write_body(coif_archive_export *file, int32_t index,
                              const coif_archive_export_sample *sample, coif_arena *arena,
                              coif_error *error)
{
    const coif_archive_export_body *written = &file->bodies[index];
    if (written->object < 0 || (!written->moves && sample->index > 0)) {
        return COIF_OK;
    }
    const coif_export_groom *source = &file->sources->items[0];
    const coif_body *body = &source->bodies[index];
    const coif_body_interpolation interpolation = coif_body_interpolation_of(source->scene);
    coif_mesh pose = body->rest;
    if (!sample->rest) {
        COIF_TRY(
            coif_body_pose_interpolated(&pose, body, &interpolation, sample->frame, arena, error));
    }
    const coif_archive_mesh mesh = mesh_of(&pose, &written->polygons, arena);
    return file->desc.format->write_mesh(file->writer, written->object, sample->index, &mesh,
                                         error);
}

static coif_bounds bounds_of_bodies(const coif_export_groom *source)
{
    coif_bounds all = coif_bounds_empty();
    for (int32_t b = 0; b < source->body_count; ++b) {
        coif_vec3 low, high;
        coif_mesh_bounds(&source->bodies[b].rest, &low, &high);
        coif_bounds_add(&all, low);
        coif_bounds_add(&all, high);
    }
    return all;
}

static coif_status write_camera(coif_archive_export *file, const coif_archive_export_sample *sample,
                                coif_error *error)
{
    const coif_scene *scene = file->sources->items[0].scene;
    const coif_node *node = coif_node_at(scene->root, "camera");
    const coif_node *image = coif_node_at(scene->root, "image");
    const int32_t width = (int32_t)coif_values_find(&image->values, "width")->numbers[0];
    const int32_t height = (int32_t)coif_values_find(&image->values, "height")->numbers[0];
    const coif_bounds bounds = bounds_of_bodies(&file->sources->items[0]);
    coif_camera_params params;
    coif_node_read(node, sample->frame, &params);
    const coif_camera view = coif_camera_at(node, sample->frame, width, height, &bounds);
    const float aspect = (float)width / (float)height;
    const float film = params.film_width > 0.0f ? params.film_width / aspect : params.film_height;
    const double fps = coif_timeline_of(scene).fps;
    const coif_archive_camera camera = {
        .to_world = {view.right.x, view.up.x, -view.forward.x, view.origin.x, view.right.y,
                     view.up.y, -view.forward.y, view.origin.y, view.right.z, view.up.z,
                     -view.forward.z, view.origin.z},
        .focal_length = 0.5f * film / view.half_height,
        .film_width = film * aspect,
        .film_height = film,
        .film_offset = {params.film_offset_x, params.film_offset_y},
        .focus_distance = view.focus_distance,
        .f_stop = params.f_stop,
        .shutter_open = (float)((double)params.shutter_open / fps),
        .shutter_close = (float)((double)params.shutter_close / fps)};
    return file->desc.format->write_camera(file->writer, file->camera, sample->index, &camera,
                                           error);
}

coif_status coif_archive_export_write(coif_archive_export *file,
                                      const coif_archive_export_sample *sample, coif_arena *arena,
                                      coif_error *error)
{
    const int32_t index = sample->index, body_count = file->sources->items[0].body_count;
    for (int32_t g = 0; g < file->sources->count; ++g) {
        const coif_archive_export_groom *groom = &file->grooms[g];
        if (groom->hair >= 0) {
            COIF_TRY(write_curves(file, g, false, index, &sample->strands[g], arena, error));
        }
        if (groom->guides >= 0) {
            COIF_TRY(write_curves(file, g, true, index, &sample->simulated[g], arena, error));
        }
    }
    for (int32_t b = 0; file->bodies != NULL && b < body_count; ++b) {
        COIF_TRY(write_body(file, b, sample, arena, error));
    }
    return file->camera >= 0 ? write_camera(file, sample, error) : COIF_OK;
}

coif_status coif_archive_export_end(coif_archive_export *file, coif_status status,
                                    coif_error *error)
{
    status = status == COIF_OK ? file->desc.format->commit(file->writer, error) : status;
    file->desc.format->discard(file->writer);
    coif_arena_free(&file->arena);
    return status;
}
