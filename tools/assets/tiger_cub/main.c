// coif_cub: writes the tiger cub with its coat.
#include "tools/assets/tiger_cub/cub_mesh.h"
#include "tools/assets/shared/raster.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const GROUPS[CUB_GROUPS] = {"coat", "skin", "eye", "pupil"};

static const char MATERIALS[] =
    "# Tiger cub of coif. Written by coif_cub.\n"
    "\nnewmtl coat\nKd 1 1 1\nmap_Kd cub_coat.png\nKs 0.01 0.01 0.01\nNs 5\nillum 2\n"
    "\nnewmtl skin\nKd 0.26 0.11 0.095\nKs 0.5 0.5 0.5\nNs 30\nillum 2\n"
    "\nnewmtl eye\nKd 0.46 0.29 0.07\nKs 0.5 0.5 0.5\nNs 2000\nillum 2\n"
    "\nnewmtl pupil\nKd 0.006 0.006 0.006\nKs 0.5 0.5 0.5\nNs 2000\nillum 2\n";

static void paint_coat(const void *subject, head_vec p, int group, unsigned char *bytes)
{
    const cub_coat coat = cub_coat_at(subject, p, cub_normal(subject, p));

    (void)group;
    for (int c = 0; c < 3; ++c) {
        bytes[c] = head_byte_srgb(coat.colour[c]);
    }
}

// Red is how long hair is, green where it lies as on a leg, blue where it lies as on the head.
static void paint_maps(const void *subject, head_vec p, int group, unsigned char *bytes)
{
    const cub_coat coat = cub_coat_at(subject, p, cub_normal(subject, p));

    (void)group;
    bytes[0] = head_byte(coat.length);
    bytes[1] = head_byte(coat.legs);
    bytes[2] = head_byte(coat.head);
}

// Writes every place of the atlas once and returns the number of each corner's.
static int *number_uv(const cub_atlas *atlas, const head_mesh *mesh, FILE *file)
{
    // A point lies in one piece, or in a few where pieces meet.
    enum { MOST = 8 };
    int *number = head_allocate(4 * (size_t)mesh->face_count, sizeof *number), count = 0;
    int *known = head_allocate(MOST * (size_t)mesh->point_count, sizeof *known);

    for (int i = 0; i < 4 * mesh->face_count; ++i) {
        int *own = known + MOST * (size_t)mesh->face[i / 4].corner[i % 4], n = 0;
        const double *uv = atlas->uv + 2 * (size_t)i;
        while (n < MOST && own[n] > 0) {
            const double *other = atlas->uv + 2 * (size_t)(own[n] - 1);
            if (other[0] == uv[0] && other[1] == uv[1]) {
                break;
            }
            ++n;
        }
        if (n < MOST && own[n] > 0) {
            number[i] = number[own[n] - 1];
            continue;
        }
        if (n < MOST) {
            own[n] = i + 1;
        }
        number[i] = ++count;
        fprintf(file, "vt %.5g %.5g\n", uv[0], uv[1]);
    }
    free(known);
    return number;
}

static int save_obj(const cub *body, const head_mesh *mesh, const cub_atlas *atlas, int skin_points,
                    const char *path)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL) {
        fprintf(stderr, "coif_cub: %s: could not be opened for writing\n", path);
        return 0;
    }
    fputs("# Tiger cub of coif: metres, y up, it walks along +z. Written by coif_cub.\n"
          "mtllib cub.mtl\n",
          file);
    for (int i = 0; i < mesh->point_count; ++i) {
        const head_vec p = mesh->point[i];
        fprintf(file, "v %.5f %.5f %.5f\n", p.x * 1e-3, p.y * 1e-3, p.z * 1e-3);
    }
    int *number = number_uv(atlas, mesh, file);
    for (int i = 0; i < mesh->point_count; ++i) {
        const int eye = i < skin_points ? 0 : i < (skin_points + mesh->point_count) / 2 ? -1 : 1;
        const head_vec p = mesh->point[i];
        const head_vec n = eye == 0 ? cub_normal(body, p)
                                    : vec_unit(vec_sub(p, cub_from_head(body, cub_eye(eye))));
        fprintf(file, "vn %.3f %.3f %.3f\n", n.x + 0.0, n.y + 0.0, n.z + 0.0);
    }
    for (int group = 0; group < CUB_GROUPS; ++group) {
        fprintf(file, "g %s\nusemtl %s\n", GROUPS[group], GROUPS[group]);
        for (int f = 0; f < mesh->face_count; ++f) {
            const int *c = mesh->face[f].corner;
            for (int k = 0; mesh->face[f].group == group && k < 4; ++k) {
                fprintf(file, "%s%d/%d/%d", k == 0 ? "f " : " ", c[k] + 1, number[4 * f + k],
                        c[k] + 1);
            }
            fputs(mesh->face[f].group == group ? "\n" : "", file);
        }
    }
    free(number);
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "coif_cub: %s: could not be written\n", path);
        return 0;
    }
    return 1;
}

static int save_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    int good = file != NULL && fputs(text, file) >= 0;

    good = file != NULL && fclose(file) == 0 && good;
    if (!good) {
        fprintf(stderr, "coif_cub: %s: could not be written\n", path);
    }
    return good;
}

// Hair wants to know inside from outside: every edge has two faces, the rims of the eyes one.
static int is_whole(const head_mesh *mesh)
{
    head_edges edges;
    int bad = 0;

    head_edges_build(&edges, mesh);
    for (int e = 0; e < edges.count; ++e) {
        if (edges.edge[e].uses > 2) {
            const head_vec p = mesh->point[edges.edge[e].a];
            fprintf(stderr, "coif_cub: more than two faces at %.0f %.0f %.0f mm\n", p.x, p.y, p.z);
            ++bad;
        }
    }
    head_edges_free(&edges);
    return bad == 0;
}

int main(int argc, char **argv)
{
    char path[4][4096];
    static const char *const names[4] = {"cub.obj", "cub.mtl", "cub_coat.png", "cub_maps.png"};
    cub body;
    head_mesh mesh;
    cub_atlas atlas;

    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: coif_cub DIRECTORY   writes cub.obj, cub.mtl and two pictures there\n",
              stderr);
        return 1;
    }
    for (int i = 0; i < 4; ++i) {
        const int needed = snprintf(path[i], sizeof path[i], "%s/%s", argv[1], names[i]);
        if (needed < 0 || (size_t)needed >= sizeof path[i]) {
            fputs("coif_cub: the directory name is too long\n", stderr);
            return 1;
        }
    }
    cub_init(&body);
    cub_net_build(&mesh, &body);
    if (!is_whole(&mesh)) {
        return 2;
    }
    const int skin_points = mesh.point_count, skin_faces = mesh.face_count;
    cub_eyes_add(&mesh, &body);
    cub_atlas_build(&atlas, &mesh, 0.006);

    const int all_faces = mesh.face_count;
    head_picture coat = {.size = 1024, .channels = 3}, maps = {.size = 512, .channels = 3};
    mesh.face_count = skin_faces;
    head_picture_paint(&coat, &mesh, atlas.uv, paint_coat, &body);
    head_picture_paint(&maps, &mesh, atlas.uv, paint_maps, &body);
    mesh.face_count = all_faces;

    const int good = save_obj(&body, &mesh, &atlas, skin_points, path[0]) &&
                     save_text(path[1], MATERIALS) && head_picture_save(&coat, path[2]) &&
                     head_picture_save(&maps, path[3]);
    free(coat.bytes);
    free(maps.bytes);
    free(atlas.uv);
    head_mesh_free(&mesh);
    return good ? 0 : 3;
}
