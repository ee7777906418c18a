// mesh: triangles with named groups and materials; what hair grows on and bumps into.
//
// Positions are shared by index; normals and texture coordinates belong to corners, so hard edges
// and seams need no split vertices and the surface stays connected.
#ifndef COIF_CORE_MESH_MESH_H
#define COIF_CORE_MESH_MESH_H

#include "core/base/base.h"
#include "core/base/vec.h"

// What an MTL file says of a surface; paths are resolved, NULL when absent.
typedef struct coif_mtl {
    const char *name;
    coif_vec3 diffuse, specular, emission; // Kd, Ks, Ke; specular is -1 when not said
    float shininess;                       // Ns, -1 when not said
    float opacity;                         // d, or 1 - Tr
    float ior;                             // Ni
    float roughness, metallic, sheen;      // Pr, Pm, Ps, -1 when not said
    int32_t illum;                         // -1 when not said
    const char *diffuse_map, *specular_map, *emission_map, *opacity_map;
    const char *roughness_map, *metallic_map;
    const char *bump_map, *normal_map;
    float bump_scale; // -bm of the bump map
    bool clamp;       // some map has -clamp on
} coif_mtl;

// What is made of a file.
typedef struct coif_mesh_desc {
    const char *group;   // names of groups and materials that are kept, as "skin, eye"; "" for all
    const char *without; // and of those that are left out
    float crease;        // degrees: where a file has no normals, edges this sharp stay sharp
} coif_mesh_desc;

// All of a file; the crease of a body that says nothing.
extern const coif_mesh_desc COIF_MESH_ALL_TRIANGLES;

typedef struct coif_mesh {
    int32_t vertex_count;
    int32_t triangle_count;
    coif_vec3 *positions;
    int32_t *indices;        // 3 per triangle
    coif_vec3 *normals;      // one per corner (3 per triangle), unit; see mesh_normals when missing
    coif_vec2 *uvs;          // one per corner; NULL when the file has none at all
    int32_t *groups;         // per triangle: index into group_names
    int32_t *materials;      // per triangle: index into material_table, -1 for none
    int32_t *corners;        // 3 per triangle: which corner of the file's polygons each one was
    uint64_t polygon_digest; // digest of the file's polygons: files of one body have the same
    float crease;            // degrees
    // How a posed body was moved, where that differs with the height; NULL: not known.
    struct coif_height_deform *height_deform;

    int32_t group_count;
    const char **group_names;
    int32_t material_count;
    coif_mtl *material_table;
} coif_mesh;

// Reads an OBJ file and the MTL files it names. Quads, n-gons (concave ones too), negative indices,
// CRLF and continued lines are fine; faces that cannot be used are left out, counted and reported
// in one warning. A missing MTL file is a warning, a broken OBJ is COIF_ERR_FORMAT with its line;
// names that the file does not have are COIF_ERR_SCENE, "group: ..." or "without: ...".
coif_status coif_mesh_load(coif_mesh *mesh, const char *path, const coif_mesh_desc *desc,
                           coif_arena *arena, coif_error *error);

// The index of a group, -1 when there is none of that name.
int32_t coif_mesh_find_group(const coif_mesh *mesh, const char *name);

// Digest of triangle indices: equal for every pose of one body. (Two files of one body have equal
// polygons; their triangles may differ, because a polygon is cut as it lies.)
uint64_t coif_mesh_topology_digest(const coif_mesh *mesh);

// The box around all triangles.
void coif_mesh_bounds(const coif_mesh *mesh, coif_vec3 *low, coif_vec3 *high);

// Edges not shared by exactly two triangles, for closedness checks and `coif info`.
typedef struct coif_mesh_edges {
    int64_t boundary, nonmanifold; // one triangle; more than two
} coif_mesh_edges;
coif_mesh_edges coif_mesh_count_edges(const coif_mesh *mesh, coif_arena *scratch);

// The point, normal and texture coordinates at (triangle, second and third weight).
typedef struct coif_surface_point {
    coif_vec3 position, normal;
    coif_vec2 uv;
    int32_t triangle; // and these, again
    float b1, b2;
} coif_surface_point;
coif_surface_point coif_mesh_at(const coif_mesh *mesh, int32_t triangle, float b1, float b2);

// Orthonormal tangent, bitangent, normal at a surface point. The tangent follows u where the mesh
// has texture coordinates, else the triangle's first edge, so that it moves with the surface.
coif_mat3 coif_mesh_frame(const coif_mesh *mesh, int32_t triangle, float b1, float b2);

#endif
