// save: the model as Wavefront OBJ in metres, with a small material library.
#include "tools/assets/shared/files.h"
#include "tools/assets/mannequin/mannequin.h"

#include <stdio.h>
#include <string.h>

typedef struct material {
    const char *name;
    double colour[3];
} material;

// One matte clay, a little warmer where skin is thin. Linear values.
static const material MATERIALS[HEAD_GROUPS] = {
    [HEAD_SCALP] = {"scalp", {0.52, 0.41, 0.34}}, [HEAD_FACE] = {"face", {0.60, 0.47, 0.39}},
    [HEAD_EAR] = {"ear", {0.60, 0.45, 0.38}},     [HEAD_NECK] = {"neck", {0.59, 0.46, 0.38}},
    [HEAD_BUST] = {"bust", {0.58, 0.46, 0.38}},
};

// Rounds first, so that a tiny negative number is written as 0 and not as -0.
static double tidy(double value)
{
    return round(value * 1e4) / 1e4 + 0.0;
}

static void write_points(FILE *file, const head_model *model)
{
    for (int i = 0; i < model->mesh.point_count; ++i) {
        const head_vec p = vec_scale(model->mesh.point[i], 1e-3);
        fprintf(file, "v %.6f %.6f %.6f\n", p.x, p.y, p.z);
    }
    for (int i = 0; i < model->uv_count; ++i) {
        fprintf(file, "vt %.6f %.6f\n", model->uv[2 * i], model->uv[2 * i + 1]);
    }
    for (int i = 0; i < model->mesh.point_count; ++i) {
        const head_vec n = model->normal[i];
        fprintf(file, "vn %.4f %.4f %.4f\n", tidy(n.x), tidy(n.y), tidy(n.z));
    }
}

static void write_group(FILE *file, const head_model *model, int group)
{
    fprintf(file, "g %s\nusemtl %s\n", MATERIALS[group].name, MATERIALS[group].name);
    for (int f = 0; f < model->mesh.face_count; ++f) {
        const head_face *face = &model->mesh.face[f];
        if (face->group != group) {
            continue;
        }
        fputc('f', file);
        for (int k = 0; k < head_face_size(face); ++k) {
            const int point = face->corner[k] + 1;
            fprintf(file, " %d/%d/%d", point, model->uv_corner[4 * f + k] + 1, point);
        }
        fputc('\n', file);
    }
}

static int save_materials(const char *path)
{
    FILE *file = head_create(path);

    if (file == NULL) {
        return 0;
    }
    fputs("# Matte clay for the mannequin. Written by coif_head.\n", file);
    for (int i = 0; i < HEAD_GROUPS; ++i) {
        const double *c = MATERIALS[i].colour;
        fprintf(file, "\nnewmtl %s\nKd %.2f %.2f %.2f\nKs 0.25 0.25 0.25\nNs 20\nillum 2\n",
                MATERIALS[i].name, c[0], c[1], c[2]);
    }
    return head_finish(file, path);
}

int head_model_save(const head_model *model, const char *obj_path, const char *mtl_path)
{
    FILE *file = head_create(obj_path);
    const char *slash = strrchr(mtl_path, '/');

    if (file == NULL) {
        return 0;
    }
    fputs(
        "# Mannequin bust of coif: metres, y up, the face looks along +z. Written by coif_head.\n",
        file);
    fprintf(file, "mtllib %s\n", slash != NULL ? slash + 1 : mtl_path);
    write_points(file, model);
    for (int group = 0; group < HEAD_GROUPS; ++group) {
        write_group(file, model, group);
    }
    return head_finish(file, obj_path) && save_materials(mtl_path);
}
