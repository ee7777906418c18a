// write_obj: the mannequin as Wavefront OBJ in metres, with its material library.
#include "tools/assets/mannequin/mannequin.h"
#include "tools/assets/shared/generator.h"

typedef struct material {
    const char *name;
    double color[3];
} material;

// Diffuse colours, linear; slightly warmer where skin is thin.
static const material MATERIALS[HEAD_GROUPS] = {
    [HEAD_SCALP] = {"scalp", {0.52, 0.41, 0.34}}, [HEAD_FACE] = {"face", {0.60, 0.47, 0.39}},
    [HEAD_EAR] = {"ear", {0.60, 0.45, 0.38}},     [HEAD_NECK] = {"neck", {0.59, 0.46, 0.38}},
    [HEAD_BUST] = {"bust", {0.58, 0.46, 0.38}},
};

// Rounded to four decimals, so that small negative numbers are not written as -0.
static double rounded(double value)
{
    return round(value * 1e4) / 1e4 + 0.0;
}

static void write_points(coif_strbuf *text, const mannequin *model)
{
    for (int i = 0; i < model->mesh.point_count; ++i) {
        const coif_vec3d p = coif_vec3d_scale(model->mesh.point[i], 1e-3);
        coif_strbuf_print(text, "v %.6f %.6f %.6f\n", p.x, p.y, p.z);
    }
    for (int i = 0; i < model->uv_count; ++i) {
        coif_strbuf_print(text, "vt %.6f %.6f\n", model->uv[2 * i], model->uv[2 * i + 1]);
    }
    for (int i = 0; i < model->mesh.point_count; ++i) {
        const coif_vec3d n = model->normal[i];
        coif_strbuf_print(text, "vn %.4f %.4f %.4f\n", rounded(n.x), rounded(n.y), rounded(n.z));
    }
}

static void write_group(coif_strbuf *text, const mannequin *model, int group)
{
    coif_strbuf_print(text, "g %s\nusemtl %s\n", MATERIALS[group].name, MATERIALS[group].name);
    for (int f = 0; f < model->mesh.face_count; ++f) {
        const poly_face *face = &model->mesh.face[f];
        if (face->group != group) {
            continue;
        }
        coif_strbuf_add(text, "f");
        for (int k = 0; k < poly_face_size(face); ++k) {
            const int point = face->corner[k] + 1;
            coif_strbuf_print(text, " %d/%d/%d", point, model->uv_corner[4 * f + k] + 1, point);
        }
        coif_strbuf_add(text, "\n");
    }
}

static coif_status save_materials(const char *folder, coif_arena *arena, coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    coif_strbuf_add(&text, "# Matte clay for the mannequin. Written by coif_head.\n");
    for (int i = 0; i < HEAD_GROUPS; ++i) {
        const double *c = MATERIALS[i].color;
        coif_strbuf_print(&text,
                          "\nnewmtl %s\nKd %.2f %.2f %.2f\nKs 0.25 0.25 0.25\nNs 20\nillum 2\n",
                          MATERIALS[i].name, c[0], c[1], c[2]);
    }
    return asset_save(&text, folder, "mannequin.mtl", error);
}

coif_status mannequin_save_obj(const mannequin *model, const char *folder, coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, model->mesh.arena);
    coif_strbuf_add(
        &text,
        "# Mannequin bust of coif: metres, y up, the face looks along +z. Written by coif_head.\n"
        "mtllib mannequin.mtl\n");
    write_points(&text, model);
    for (int group = 0; group < HEAD_GROUPS; ++group) {
        write_group(&text, model, group);
    }
    COIF_TRY(asset_save(&text, folder, "mannequin.obj", error));
    return save_materials(folder, model->mesh.arena, error);
}
