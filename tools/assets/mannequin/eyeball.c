// eyeball: the eyes as a separate mesh with a material of its own.
//
// The cornea bulges over the iris; it carries the highlights.
#include "core/base/fs.h"
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/shared/generator.h"
#include "tools/assets/shared/raster.h"

static const double TAU = 6.283185307179586;
static const double GAZE_X = 2.1, GAZE_Y = 0.7; // both eyes look slightly to +x
static const double OFFSET = 0.15;              // above the eyeball of the mannequin mesh
static const double MARGIN = 1.0;               // below the lids
static const double CORNEA = 6.8, CORNEA_HEIGHT = 1.15;
static const double TEXTURE_RADIUS = 22.0; // distance from the iris at v = 1

enum { TEXTURE_SIZE = 256 };

static const char *const KINDS[IRIS_KINDS] = {"eye_brown.png", "eye_blue.png", "eye_green.png"};

// z of the surface.
static double depth(const eyeball *eye, double x, double y)
{
    const double r = hypot(x - eye->iris.x, y - eye->iris.y) / CORNEA;
    const double bulge = r < 1.0 ? (1.0 - r * r) * (1.0 - r * r) : 0.0;
    return eyeball_depth(x, y, OFFSET) + CORNEA_HEIGHT * bulge;
}

// Distance from the iris to the border of the mesh in a direction.
static double border_distance(const eyeball *eye, double dx, double dy)
{
    const double step = 0.05;
    double distance = 0.0;
    for (;;) {
        const double x = eye->iris.x + (distance + step) * dx;
        const double y = eye->iris.y + (distance + step) * dy;
        if (eye_opening_distance(xyz(x, y, 0)) > MARGIN ||
            isnan(eyeball_depth(x, y, OFFSET - 1.6))) {
            return distance;
        }
        distance += step;
    }
}

void eyeball_build(eyeball *eye, int side)
{
    const coif_vec3d center = eyeball_center();
    eye->side = side;
    eye->iris = xyz(side * center.x + GAZE_X, center.y + GAZE_Y, 0);
    eye->iris.z = depth(eye, eye->iris.x, eye->iris.y);
    for (int a = 0; a < EYEBALL_SECTORS; ++a) {
        // Angles start at the nose, so that the textures of both eyes are mirror images.
        const double dx = -side * cos(a * TAU / EYEBALL_SECTORS);
        const double dy = sin(a * TAU / EYEBALL_SECTORS);
        const double longest = border_distance(eye, dx, dy);
        for (int r = 0; r <= EYEBALL_RINGS; ++r) {
            const double distance = longest * r / EYEBALL_RINGS, h = 0.02;
            const double x = eye->iris.x + distance * dx, y = eye->iris.y + distance * dy;
            const double slope_x = (depth(eye, x + h, y) - depth(eye, x - h, y)) / (2 * h);
            const double slope_y = (depth(eye, x, y + h) - depth(eye, x, y - h)) / (2 * h);
            eye->point[r][a] = xyz(x, y, depth(eye, x, y));
            eye->normal[r][a] = coif_vec3d_normalize(xyz(-slope_x, -slope_y, 1));
            eye->distance[r][a] = distance;
        }
    }
}

static void write_face(coif_strbuf *text, const int *corner, int size)
{
    coif_strbuf_add(text, "f");
    for (int k = 0; k < size; ++k) {
        coif_strbuf_print(text, " %d/%d/%d", corner[k], corner[k], corner[k]);
    }
    coif_strbuf_add(text, "\n");
}

// The first and the last column of vertices coincide: the texture has a seam there.
static void write_eye(coif_strbuf *text, const eyeball *eye, int first)
{
    const int row = EYEBALL_SECTORS + 1;
    for (int i = 0; i < (EYEBALL_RINGS + 1) * row; ++i) {
        const int r = i / row, a = i % row % EYEBALL_SECTORS;
        const coif_vec3d p = coif_vec3d_scale(eye->point[r][a], 1e-3), n = eye->normal[r][a];
        coif_strbuf_print(text, "v %.6f %.6f %.6f\nvt %.5f %.5f\nvn %.4f %.4f %.4f\n", p.x, p.y,
                          p.z, (double)(i % row) / EYEBALL_SECTORS,
                          eye->distance[r][a] / TEXTURE_RADIUS, n.x, n.y, n.z);
    }
    coif_strbuf_add(text, eye->side > 0 ? "g left\nusemtl eye\n" : "g right\nusemtl eye\n");
    for (int i = 0; i < EYEBALL_RINGS * row; ++i) {
        const int a = first + i, b = a + 1, c = b + row, d = a + row;
        if (i % row == EYEBALL_SECTORS) {
            continue;
        }
        if (i < row) { // the innermost ring is a point
            write_face(text, eye->side > 0 ? (int[]){a, c, d} : (int[]){a, d, c}, 3);
        } else {
            write_face(text, eye->side > 0 ? (int[]){a, b, c, d} : (int[]){a, d, c, b}, 4);
        }
    }
}

static coif_status save_mesh(const char *folder, coif_arena *arena, coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    coif_strbuf_add(&text,
                    "# Eyes of the mannequin of coif: metres, in its place. Written by coif_head.\n"
                    "mtllib eyes.mtl\n");
    for (int i = 0; i < 2; ++i) {
        eyeball eye;
        eyeball_build(&eye, i == 0 ? 1 : -1);
        write_eye(&text, &eye, 1 + i * (EYEBALL_RINGS + 1) * (EYEBALL_SECTORS + 1));
    }
    COIF_TRY(asset_save(&text, folder, "eyes.obj", error));
    coif_strbuf_init(&text, arena);
    coif_strbuf_print(&text,
                      "# Eyes of the mannequin. Written by coif_head.\n\n"
                      "newmtl eye\nKd 1 1 1\nmap_Kd %s\nKs 0.35 0.35 0.35\nPr 0.07\nillum 2\n",
                      KINDS[0]);
    return asset_save(&text, folder, "eyes.mtl", error);
}

// The texture in polar coordinates: u is the angle, v the distance from the iris.
static coif_status save_texture(int kind, const char *folder, coif_arena *arena, coif_error *error)
{
    const int n = TEXTURE_SIZE;
    raster image;
    raster_init(&image, n, 3, true, arena);
    for (int i = 0; i < n * n; ++i) {
        double color[3];
        iris_color(kind, (i % n + 0.5) / n, (n - i / n - 0.5) / n * TEXTURE_RADIUS, color);
        raster_put(&image, (size_t)i, color);
    }
    return raster_save(&image, coif_path_join(folder, KINDS[kind], arena), error);
}

coif_status eyes_save(const char *folder, coif_arena *arena, coif_error *error)
{
    COIF_TRY(save_mesh(folder, arena, error));
    for (int kind = 0; kind < IRIS_KINDS; ++kind) {
        COIF_TRY(save_texture(kind, folder, arena, error));
    }
    return COIF_OK;
}
