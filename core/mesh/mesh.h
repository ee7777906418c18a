// Triangle mesh with named groups and materials: scalp, collider and rendered body.
//
// Positions are indexed per vertex; normals and texture coordinates are per corner, so hard edges
// and UV seams need no split vertices and the surface stays connected.
#ifndef COIF_CORE_MESH_MESH_H
#define COIF_CORE_MESH_MESH_H

#include "core/base/base.h"
#include "core/base/vec.h"

// Material of an MTL file; paths are resolved, NULL when absent.
typedef struct coif_mtl {
    const char *name;
    coif_vec3 diffuse, specular, emission; // Kd, Ks, Ke; specular is -1 when absent
    float shininess;                       // Ns, -1 when absent
    float opacity;                         // d, or 1 - Tr
    float ior;                             // Ni
    float roughness, metallic, sheen;      // Pr, Pm, Ps, -1 when absent
    int32_t illum;                         // -1 when absent
    const char *diffuse_map, *specular_map, *emission_map, *opacity_map;
    const char *roughness_map, *metallic_map;
    const char *bump_map, *normal_map;
    float bump_scale; // -bm of the bump map
    bool clamp;       // -clamp on of any map
} coif_mtl;

// Options of mesh loading.
typedef struct coif_mesh_desc {
    const char *group;   // groups and materials to include, as "skin, eye"; "" for all
    const char *without; // groups and materials to exclude
    float crease;        // degrees: sharper edges stay sharp where the file has no normals
    bool z_up;           // the file is z up: (x, y, z) becomes (x, z, -y)
} coif_mesh_desc;

// The whole file with the default crease angle.
extern const coif_mesh_desc COIF_MESH_ALL_TRIANGLES;

typedef struct coif_mesh {
    int32_t vertex_count;
    int32_t triangle_count;
    coif_vec3 *positions;
    int32_t *indices;                // 3 per triangle
    const coif_vec3 *rest_positions; // of a posed mesh; NULL: it is at rest
    coif_vec3
        *normals; // unit, one per corner (3 per triangle); computed when missing, see mesh_normals
    coif_vec2 *uvs;     // one per corner; NULL when the file has none
    int32_t *groups;    // per triangle: index into group_names
    int32_t *materials; // per triangle: index into material_table, -1 for none
    int32_t *corners;   // 3 per triangle: index of the polygon corner in the file
    uint64_t
        polygon_digest; // digest of the polygons of the file, equal for all frames of a sequence
    float crease;       // degrees
    // Deformation of a posed body that varies with height; NULL: unknown.
    struct coif_height_deform *height_deform;

    int32_t group_count;
    const char **group_names;
    int32_t material_count;
    coif_mtl *material_table;
} coif_mesh;

// Loads an OBJ file and its MTL files. Quads, n-gons (also concave), negative indices, CRLF and
// line continuations are supported; degenerate faces are skipped, counted and reported in one
// warning. A missing MTL file is a warning, an invalid OBJ is COIF_ERR_FORMAT with its line;
// unknown group names are COIF_ERR_SCENE, "include_groups: ..." or "exclude_groups: ...".
coif_status coif_mesh_load(coif_mesh *mesh, const char *path, const coif_mesh_desc *desc,
                           coif_arena *arena, coif_error *error);

// Index of a group, -1 when there is none of that name.
int32_t coif_mesh_find_group(const coif_mesh *mesh, const char *name);

// Digest of triangle indices, equal for all poses of a body. (Files of one sequence have equal
// polygons, but may triangulate differently.)
uint64_t coif_mesh_topology_digest(const coif_mesh *mesh);

// Bounding box of all triangles.
void coif_mesh_bounds(const coif_mesh *mesh, coif_vec3 *low, coif_vec3 *high);

// Position, normal and texture coordinates at barycentric coordinates (1 - b1 - b2, b1, b2).
typedef struct coif_surface_point {
    coif_vec3 position, normal;
    coif_vec2 uv;
    int32_t triangle;
    float b1, b2;
} coif_surface_point;
coif_surface_point coif_mesh_at(const coif_mesh *mesh, int32_t triangle, float b1, float b2);

// Orthonormal tangent, bitangent, normal at a surface point. The tangent is the direction of u
// where the mesh has texture coordinates, else the first edge of the triangle, so that it follows
// the surface. On a posed mesh the frame turns from that at rest with the rotation of the
// triangle's deformation, the rotational part of its gradient: skin that is sheared or stretched
// does not spin the hair on it.
coif_mat3 coif_mesh_frame(const coif_mesh *mesh, int32_t triangle, float b1, float b2);

#endif
