// coif_cub: generates the tiger cub with the textures of its coat.
#include "core/base/fs.h"
#include "tools/assets/shared/generator.h"
#include "tools/assets/shared/raster.h"
#include "tools/assets/tiger_cub/cub_mesh.h"

static const char *const GROUPS[CUB_GROUPS] = {"coat", "skin", "eye", "pupil"};

static const char MATERIALS[] =
    "# Tiger cub of coif. Written by coif_cub.\n"
    "\nnewmtl coat\nKd 1 1 1\nmap_Kd cub_coat.png\nKs 0.01 0.01 0.01\nNs 5\nillum 2\n"
    "\nnewmtl skin\nKd 0.26 0.11 0.095\nKs 0.5 0.5 0.5\nNs 30\nillum 2\n"
    "\nnewmtl eye\nKd 0.46 0.29 0.07\nKs 0.5 0.5 0.5\nNs 2000\nillum 2\n"
    "\nnewmtl pupil\nKd 0.006 0.006 0.006\nKs 0.5 0.5 0.5\nNs 2000\nillum 2\n";

static void shade_color(const void *cub, coif_vec3d p, int group, double texel[RASTER_CHANNELS])
{
    const cub_coat coat = cub_coat_at(cub, p, cub_normal(cub, p));
    (void)group;
    for (int c = 0; c < 3; ++c) {
        texel[c] = coat.color[c];
    }
}

static void shade_maps(const void *cub, coif_vec3d p, int group, double texel[RASTER_CHANNELS])
{
    const cub_coat coat = cub_coat_at(cub, p, cub_normal(cub, p));
    (void)group;
    texel[0] = coat.length;
    texel[1] = coat.legs;
    texel[2] = coat.head;
}

// Writes each texture coordinate of a point once; returns the index of that of each corner.
static int *write_uv(coif_strbuf *text, const poly_mesh *mesh, const double *uv)
{
    enum { MAX_ISLANDS = 8 }; // at one point
    int *index = coif_arena_new(mesh->arena, 4 * (size_t)mesh->face_count, int), count = 0;
    int *known = coif_arena_new(mesh->arena, MAX_ISLANDS * (size_t)mesh->point_count, int);
    for (int i = 0; i < 4 * mesh->face_count; ++i) {
        int *corners = known + MAX_ISLANDS * (size_t)mesh->face[i / 4].corner[i % 4], n = 0;
        const double *own = uv + 2 * (size_t)i;
        while (n < MAX_ISLANDS && corners[n] > 0) {
            const double *other = uv + 2 * (size_t)(corners[n] - 1);
            if (other[0] == own[0] && other[1] == own[1]) {
                break;
            }
            ++n;
        }
        if (n < MAX_ISLANDS && corners[n] > 0) {
            index[i] = index[corners[n] - 1];
            continue;
        }
        if (n < MAX_ISLANDS) {
            corners[n] = i + 1;
        }
        index[i] = ++count;
        coif_strbuf_print(text, "vt %.5g %.5g\n", own[0], own[1]);
    }
    return index;
}

static void write_normals(coif_strbuf *text, const tiger_cub *cub, const poly_mesh *mesh,
                          int skin_points)
{
    const int eye_points = (mesh->point_count - skin_points) / 2;
    for (int i = 0; i < mesh->point_count; ++i) {
        const coif_vec3d p = mesh->point[i];
        coif_vec3d n = cub_normal(cub, p);
        if (i >= skin_points) {
            const coif_vec3d center = cub_eye(i < skin_points + eye_points ? -1 : 1);
            n = coif_vec3d_normalize(coif_vec3d_sub(p, cub_from_head(cub, center)));
        }
        coif_strbuf_print(text, "vn %.3f %.3f %.3f\n", n.x + 0.0, n.y + 0.0, n.z + 0.0);
    }
}

static coif_status save_obj(const tiger_cub *cub, const poly_mesh *mesh, const double *uv,
                            int skin_points, const char *folder, coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, mesh->arena);
    coif_strbuf_add(&text,
                    "# Tiger cub of coif: metres, y up, it walks along +z. Written by coif_cub.\n"
                    "mtllib cub.mtl\n");
    for (int i = 0; i < mesh->point_count; ++i) {
        const coif_vec3d p = mesh->point[i];
        coif_strbuf_print(&text, "v %.5f %.5f %.5f\n", p.x * 1e-3, p.y * 1e-3, p.z * 1e-3);
    }
    const int *uv_index = write_uv(&text, mesh, uv);
    write_normals(&text, cub, mesh, skin_points);
    for (int group = 0; group < CUB_GROUPS; ++group) {
        coif_strbuf_print(&text, "g %s\nusemtl %s\n", GROUPS[group], GROUPS[group]);
        for (int f = 0; f < mesh->face_count; ++f) {
            const int *c = mesh->face[f].corner;
            for (int k = 0; mesh->face[f].group == group && k < 4; ++k) {
                coif_strbuf_print(&text, "%s%d/%d/%d%s", k == 0 ? "f " : " ", c[k] + 1,
                                  uv_index[4 * f + k], c[k] + 1, k == 3 ? "\n" : "");
            }
        }
    }
    return asset_save(&text, folder, "cub.obj", error);
}

// Hair needs an inside and an outside: every edge of the skin has two faces.
static coif_status check_manifold(const poly_mesh *mesh, coif_error *error)
{
    const poly_edges edges = poly_edges_build(mesh);
    for (int e = 0; e < edges.count; ++e) {
        if (edges.edge[e].uses != 2) {
            const coif_vec3d p = mesh->point[edges.edge[e].a];
            return coif_fail(error, COIF_ERR_LIMIT, "edge with %d faces at %.0f %.0f %.0f mm",
                             edges.edge[e].uses, p.x, p.y, p.z);
        }
    }
    return COIF_OK;
}

static coif_status save_texture(const char *name, int size, bool srgb, raster_shader *shader,
                                const tiger_cub *cub, const poly_mesh *skin, const double *uv,
                                const char *folder, coif_error *error)
{
    raster image;
    raster_init(&image, size, 3, srgb, skin->arena);
    raster_bake(&image, skin, uv, shader, cub);
    return raster_save(&image, coif_path_join(folder, name, skin->arena), error);
}

static coif_status generate(const char *folder, coif_arena *arena, coif_error *error)
{
    tiger_cub cub;
    poly_mesh mesh;
    coif_strbuf materials;
    cub_init(&cub);
    cub_mesh_build(&mesh, &cub, arena);
    COIF_TRY(check_manifold(&mesh, error));
    const poly_mesh skin = mesh; // eyes are appended behind its faces
    cub_mesh_add_eyes(&mesh, &cub);
    const double *uv = cub_uv_build(&mesh, 0.006);
    COIF_TRY(save_obj(&cub, &mesh, uv, skin.point_count, folder, error));
    coif_strbuf_init(&materials, arena);
    coif_strbuf_add(&materials, MATERIALS);
    COIF_TRY(asset_save(&materials, folder, "cub.mtl", error));
    COIF_TRY(save_texture("cub_coat.png", 1024, true, shade_color, &cub, &skin, uv, folder, error));
    return save_texture("cub_maps.png", 512, false, shade_maps, &cub, &skin, uv, folder, error);
}

int main(int argc, char **argv)
{
    const asset_generator generator = {
        .name = "coif_cub", .writes = "the tiger cub and its textures", .generate = generate};
    return asset_generator_main(&generator, argc, argv);
}
