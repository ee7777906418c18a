// Fuzz target: OBJ and MTL text gives an error or a valid mesh.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/mesh/mesh_build.h"
#include "core/mesh/mesh_topology.h"
#include "core/mesh/mtl.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool sound)
{
    if (!sound) {
        abort();
    }
}

static void check_mesh(const coif_mesh *mesh, coif_arena *arena)
{
    demand(mesh->triangle_count > 0 && coif_mesh_topology_digest(mesh) != 0);
    for (int32_t i = 0; i < 3 * mesh->triangle_count; ++i) {
        const coif_vec3 n = mesh->normals[i];
        demand(mesh->indices[i] >= 0 && mesh->indices[i] < mesh->vertex_count);
        demand(fabsf(coif_dot(n, n) - 1.0f) < 1e-4f);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        demand(mesh->groups[t] >= 0 && mesh->groups[t] < mesh->group_count);
        demand(mesh->materials[t] >= -1 && mesh->materials[t] < mesh->material_count);
    }
    const coif_mat3 frame = coif_mesh_frame(mesh, 0, 0.25f, 0.25f);
    demand(fabsf(coif_dot(frame.row[2], frame.row[2]) - 1.0f) < 1e-4f);
    demand(coif_mesh_count_edges(mesh, arena).boundary >= 0);
}

// The same text once more, as the MTL file of the materials it names.
static void read_materials(coif_mesh *mesh, const coif_obj *obj, const char *text, size_t size,
                           coif_arena *arena)
{
    char *copy = coif_arena_new(arena, size + 1, char);
    memcpy(copy, text, size);
    coif_mtl_read(mesh->material_table, &obj->material_names, copy, "fuzz.mtl", arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    COIF_SCOPED_ARENA(arena, "fuzz");
    char *text = coif_arena_new(&arena, size + 1, char);
    memcpy(text, data, size);
    coif_error error = {.status = COIF_OK};
    coif_obj obj;
    coif_mesh mesh;
    if (coif_obj_read(&obj, "fuzz.obj", text, size, &arena, &error) == COIF_OK &&
        coif_mesh_build(&mesh, &obj, &(coif_mesh_file){"fuzz.obj", &COIF_MESH_ALL_TRIANGLES},
                        &arena, &error) == COIF_OK) {
        check_mesh(&mesh, &arena);
        read_materials(&mesh, &obj, (const char *)data, size, &arena);
    }
    return 0;
}

static const char *const SEEDS[] = {
    "# a cube\nmtllib a b.mtl\no cube\nv -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\n"
    "v 1 -1 1\nv 1 1 1\nv -1 1 1\nvt 0 0\nvt 1 .5 0\nvn 0 0 1\ng a b\nusemtl skin\ns off\n"
    "f 1/1/1 4//1 3/2 2\nf -4 -3 -2 -1\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n",
    "v 0 0 0\r\nv 2e0 0 \\\r\n 0\r\nv 2 1 0\r\nv 1 1 0\r\nv 1 3 0\r\nv 0 3 0\r\n"
    "f 1 2 3 4 5 6\r\nf 1 1 2\r\nf 6 5 4 3 2 1 1 2 3 4 5 6 1 2 3 4 5 6 1 2\r\n",
    "v 0.1 1e-3 -.5 1 1 1\nv 1.5E+2 12345678901234567890 0\nv 0.000001 3 9e37\nf 1 2 3\n",
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\nnewmtl m\nKd 0.1 0.2 0.3\nd -halo 0.5\n"
    "map_Kd -s 1 1 1 -bm 2 a\\b c.png\nmap_Bump \"q\"\nTr 0.5\nNs 10\nnorm -x\nKs spectral f\n",
};

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    if (index < 0 || (size_t)index >= COIF_COUNT_OF(SEEDS)) {
        return 0;
    }
    const size_t size = strlen(SEEDS[index]);
    if (size > capacity) {
        return 0;
    }
    memcpy(data, SEEDS[index], size);
    return size;
}
