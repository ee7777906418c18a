// What readers of static meshes share.
#include "core/archive/mesh/mesh_archive.h"

#include "core/base/arena.h"
#include "core/mesh/mesh_topology.h"

void coif_mesh_archive_init(coif_archive *archive, const coif_archive_vtable *vtable,
                            const char *path, const coif_archive_import *import,
                            int32_t object_count, coif_arena *arena)
{
    static const double start = 0.0;
    const bool has_unit = import != NULL && import->meters_per_unit > 0.0;
    archive->vtable = vtable;
    archive->path = coif_arena_copy_text(arena, path);
    archive->application = "";
    archive->meters_per_unit = has_unit ? import->meters_per_unit : 1.0;
    archive->up_axis = import != NULL && import->up_axis == 'z' ? 'z' : 'y';
    archive->states_units = has_unit;
    archive->object_count = object_count;
    archive->objects = coif_arena_new(arena, object_count, coif_archive_object);
    for (int32_t i = 0; i < object_count; ++i) {
        archive->objects[i] = (coif_archive_object){.kind = COIF_ARCHIVE_MESH,
                                                    .constant_topology = true,
                                                    .sample_count = 1,
                                                    .times = &start};
    }
}

static void weld(coif_archive_mesh *mesh, coif_arena *arena)
{
    int32_t *first = coif_arena_new(arena, mesh->vertex_count, int32_t);
    int32_t *vertex = coif_arena_new(arena, mesh->vertex_count, int32_t);
    const coif_mesh points = {.vertex_count = mesh->vertex_count, .positions = mesh->positions};
    coif_mesh_weld(first, &points, 0.0f, arena);
    int32_t count = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) { // the first of equal ones precedes them
        vertex[v] = first[v] == v ? count++ : vertex[first[v]];
        mesh->positions[vertex[v]] = mesh->positions[v];
    }
    mesh->vertex_count = count;
    for (int32_t c = 0; c < mesh->corner_count; ++c) {
        mesh->corners[c] = vertex[mesh->corners[c]];
    }
}

void coif_mesh_archive_finish(coif_archive_mesh *mesh, const coif_transform *to_world,
                              const coif_vec3 *normals, const coif_vec2 *uv, coif_arena *arena)
{
    if (normals != NULL) {
        const coif_transform of_normals = coif_transform_of_normals(to_world);
        mesh->normals = coif_arena_new(arena, mesh->corner_count, coif_vec3);
        for (int32_t c = 0; c < mesh->corner_count; ++c) {
            mesh->normals[c] =
                coif_normalize(coif_transform_vector(&of_normals, normals[mesh->corners[c]]));
        }
    }
    if (uv != NULL) {
        mesh->uv = coif_arena_new(arena, 2 * (size_t)mesh->corner_count, float);
        for (int32_t c = 0; c < mesh->corner_count; ++c) {
            mesh->uv[2 * c] = uv[mesh->corners[c]].x;
            mesh->uv[2 * c + 1] = uv[mesh->corners[c]].y;
        }
    }
    if (normals != NULL || uv != NULL) {
        weld(mesh, arena);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v] = coif_transform_point(to_world, mesh->positions[v]);
    }
}
