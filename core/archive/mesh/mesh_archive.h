// Files of static meshes (PLY, GLB) as archives: objects with one sample at time 0.
#ifndef COIF_CORE_ARCHIVE_MESH_MESH_ARCHIVE_H
#define COIF_CORE_ARCHIVE_MESH_MESH_ARCHIVE_H

#include "core/archive/archive.h"
#include "core/archive/transform.h"
#include "core/base/fs.h"

// Sets all members but the paths of objects. Where nothing gives the unit, it is the metre.
void coif_mesh_archive_init(coif_archive *archive, const coif_archive_vtable *vtable,
                            const char *path, const coif_archive_import *import,
                            int32_t object_count, coif_arena *arena);

// Completes a mesh with positions, face sizes and corners. Positions and normals are transformed.
// Normals and uv that are given per vertex become those of corners, and vertices that they split
// are welded, so that the surface is connected; either may be NULL.
void coif_mesh_archive_finish(coif_archive_mesh *mesh, const coif_transform *to_world,
                              const coif_vec3 *normals, const coif_vec2 *uv, coif_arena *arena);

// Files in memory, followed by a zero byte. The archive does not refer to the bytes.
coif_status coif_ply_archive_open_bytes(coif_archive **archive, const coif_bytes *bytes,
                                        const coif_archive_import *import, coif_arena *arena,
                                        coif_error *error);
coif_status coif_ply_archive_read_bytes(const coif_archive *archive, const coif_bytes *bytes,
                                        coif_archive_mesh *mesh, coif_arena *arena,
                                        coif_error *error);
coif_status coif_glb_archive_open_bytes(coif_archive **archive, const coif_bytes *bytes,
                                        const coif_archive_import *import, coif_arena *arena,
                                        coif_error *error);
coif_status coif_glb_archive_read_bytes(const coif_archive *archive, const coif_bytes *bytes,
                                        int32_t object, coif_archive_mesh *mesh, coif_arena *arena,
                                        coif_error *error);

#endif
