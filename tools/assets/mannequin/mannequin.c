// model: from field to mesh, and from the half to the whole.
#include "tools/assets/mannequin/mannequin.h"

#include "tools/assets/mannequin/uv_layout.h"
#include "tools/assets/shared/surface_nets.h"
#include "tools/assets/mannequin/regions.h"

#include <stdlib.h>

// The file has six decimals of a metre. Rounding here means that what is checked is what is
// written.
static void round_points(head_mesh *mesh)
{
    for (int i = 0; i < mesh->point_count; ++i) {
        head_vec *p = &mesh->point[i];
        *p = vec(round(p->x * 1e3) / 1e3, round(p->y * 1e3) / 1e3, round(p->z * 1e3) / 1e3);
    }
}

static void build_half(head_mesh *half, const head_sculpture *sculpture)
{
    head_regions regions;

    head_regions_init(&regions, sculpture);
    head_net_build(half, sculpture);
    head_net_relax(half, sculpture, 6);
    for (int round = 0; round < 2; ++round) {
        head_net_refine(half, sculpture, round);
        head_net_relax(half, sculpture, 3);
    }
    head_regions_cut(half, &regions);
    head_net_relax(half, sculpture, 3);
    round_points(half);
    head_mesh_turn_quads(half);
}

static void add_normals(head_model *model, const head_mesh *half, const head_sculpture *sculpture)
{
    model->normal = head_allocate((size_t)model->mesh.point_count, sizeof *model->normal);
    for (int i = 0; i < half->point_count; ++i) {
        const head_vec n = head_sculpture_normal(sculpture, half->point[i]);
        model->normal[model->twin[i]] = vec(-n.x, n.y, n.z);
        model->normal[i] = n;
    }
}

// The far half uses the same texture coordinates with u turned into 1 - u. On u = 0.5 both agree
// and share one entry.
static void mirror_uv(head_model *model, const head_mesh *half, const head_atlas *atlas)
{
    int *twin = head_allocate((size_t)atlas->uv_count, sizeof *twin);

    model->uv = head_allocate((size_t)atlas->uv_count * 4, sizeof *model->uv);
    model->uv_corner = head_allocate((size_t)half->face_count * 8, sizeof *model->uv_corner);
    model->uv_count = atlas->uv_count;
    for (int i = 0; i < atlas->uv_count; ++i) {
        const double u = round(atlas->uv[2 * i] * 1e6) / 1e6;
        const double v = round(atlas->uv[2 * i + 1] * 1e6) / 1e6;
        twin[i] = u == 0.5 ? i : model->uv_count++;
        model->uv[2 * i] = u;
        model->uv[2 * i + 1] = v;
        if (twin[i] != i) {
            model->uv[2 * twin[i]] = 1.0 - u;
            model->uv[2 * twin[i] + 1] = v;
        }
    }
    for (int f = 0; f < half->face_count; ++f) {
        const int size = head_face_size(&half->face[f]);
        for (int k = 0; k < size; ++k) {
            model->uv_corner[4 * f + k] = atlas->corner[4 * f + k];
            model->uv_corner[4 * (half->face_count + f) + k] =
                twin[atlas->corner[4 * f + (size - k) % size]];
        }
    }
    free(twin);
}

int head_model_build(head_model *model, const head_sculpture *sculpture)
{
    head_mesh half;
    head_atlas atlas;

    *model = (head_model){0};
    build_half(&half, sculpture);
    model->twin = head_allocate((size_t)half.point_count * 2, sizeof *model->twin);
    head_mesh_mirror(&model->mesh, &half, model->twin);
    for (int i = 0; i < half.point_count; ++i) {
        model->twin[model->twin[i]] = i;
    }
    add_normals(model, &half, sculpture);

    const int good = head_atlas_build(&atlas, &half, sculpture);
    if (good) {
        mirror_uv(model, &half, &atlas);
    }
    head_atlas_free(&atlas);
    head_mesh_free(&half);
    return good;
}

void head_model_free(head_model *model)
{
    head_mesh_free(&model->mesh);
    free(model->normal);
    free(model->twin);
    free(model->uv);
    free(model->uv_corner);
    *model = (head_model){0};
}
