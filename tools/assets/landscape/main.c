// coif_ground: generates the surroundings of the scenes: a studio backdrop, a wall, a meadow and
// hills.
#include "tools/assets/shared/generator.h"

#include <math.h>

static const double TAU = 6.283185307179586;

// Position of a surface at (u, v) in the unit square.
typedef void surface_point(double u, double v, double p[3]);

// A grid of columns x rows vertices over a surface. With more than one band the rows are divided
// into materials NAME_1, NAME_2, ... from the first row on.
typedef struct surface_desc {
    const char *name;
    int columns, rows, bands;
    surface_point *point;
} surface_desc;

// Floor, quarter of a cylinder, wall.
static void backdrop(double u, double v, double p[3])
{
    const double radius = 1.2, floor_length = 4.5, wall_height = 3.0, arc = 0.25 * TAU * radius;
    const double s = v * (floor_length + arc + wall_height);
    const double angle = s < floor_length         ? 0.0
                         : s < floor_length + arc ? (s - floor_length) / radius
                                                  : arc / radius;
    p[0] = (u - 0.5) * 12.0;
    p[1] = radius * (1.0 - cos(angle)) + fmax(s - floor_length - arc, 0.0);
    p[2] = 3.0 - fmin(s, floor_length) - radius * sin(angle);
}

// Far behind the mannequin, out of reach of its lights.
static void wall(double u, double v, double p[3])
{
    p[0] = (u - 0.5) * 12.0;
    p[1] = (v - 0.5) * 8.0;
    p[2] = -3.3;
}

// Six metres square, periodic: copies tile without seams.
static void meadow(double u, double v, double p[3])
{
    const double a = TAU * u, b = TAU * v;
    p[0] = (u - 0.5) * 6.0;
    p[1] = 0.10 * sin(a + 0.6) * cos(b) + 0.05 * sin(2.0 * a - b + 1.0) +
           0.025 * cos(3.0 * a + 2.0 * b) + 0.012 * sin(5.0 * b - 4.0 * a);
    p[2] = (0.5 - v) * 6.0;
}

enum { RIDGES = 4 };

// Four ridges behind the meadow, each farther away and higher than the one before.
static void hills(double u, double v, double p[3])
{
    const double x = (u - 0.5) * (80.0 + 1400.0 * v), distance = 20.0 + 900.0 * v * v;
    const double ridge = 0.5 - 0.5 * cos(TAU * RIDGES * v);
    // Wavelengths proportional to the distance, so that each ridge shows one or two slopes.
    const double rolling =
        1.0 + 0.45 * sin(7.0 * x / distance + 17.0 * v) + 0.2 * sin(17.0 * x / distance + 29.0 * v);
    p[0] = x;
    p[1] = ridge * v * v * 52.0 * rolling + 9.0 * v * v - 0.1;
    p[2] = -distance;
}

static const surface_desc SURFACES[] = {
    {"backdrop", 2, 49, 1, backdrop},
    {"wall", 2, 2, 1, wall},
    {"meadow", 61, 61, 1, meadow},
    {"hills", 161, 65, RIDGES, hills},
};

static void write_vertices(coif_strbuf *text, const surface_desc *desc)
{
    for (int i = 0; i < desc->rows * desc->columns; ++i) {
        double p[3];
        desc->point((double)(i % desc->columns) / (desc->columns - 1),
                    (double)(i / desc->columns) / (desc->rows - 1), p);
        coif_strbuf_print(text, "v %.4f %.4f %.4f\n", p[0] + 0.0, p[1] + 0.0, p[2] + 0.0);
    }
    for (int i = 0; i < desc->rows * desc->columns; ++i) {
        coif_strbuf_print(text, "vt %.4f %.4f\n", (double)(i % desc->columns) / (desc->columns - 1),
                          (double)(i / desc->columns) / (desc->rows - 1));
    }
}

static coif_status save_surface(const surface_desc *desc, const char *folder, coif_arena *arena,
                                coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    coif_strbuf_print(&text, "# %s of coif: metres, y up. Written by coif_ground.\n", desc->name);
    if (desc->bands > 1) {
        coif_strbuf_print(&text, "mtllib %s.mtl\n", desc->name);
    }
    write_vertices(&text, desc);
    coif_strbuf_print(&text, "g %s\n", desc->name);
    for (int j = 0; j + 1 < desc->rows; ++j) {
        if (desc->bands > 1 && j * desc->bands % (desc->rows - 1) == 0) {
            const int band = j * desc->bands / (desc->rows - 1) + 1;
            coif_strbuf_print(&text, "usemtl %s_%d\n", desc->name, band);
        }
        for (int i = 0; i + 1 < desc->columns; ++i) {
            const int a = j * desc->columns + i + 1, b = a + 1, c = b + desc->columns,
                      d = a + desc->columns;
            coif_strbuf_print(&text, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, b, b, c, c, d, d);
        }
    }
    return asset_save(&text, folder, coif_arena_print(arena, "%s.obj", desc->name), error);
}

// Aerial perspective: ridges fade to the colour of the air with distance.
static coif_status save_hill_materials(const char *folder, coif_arena *arena, coif_error *error)
{
    static const double grass[3] = {0.10, 0.15, 0.05}, air[3] = {0.62, 0.70, 0.80};
    static const double fraction[RIDGES] = {0.0, 0.18, 0.45, 0.70};
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    coif_strbuf_add(&text,
                    "# Hills of coif, paler with the air before them. Written by coif_ground.\n");
    for (int i = 0; i < RIDGES; ++i) {
        coif_strbuf_print(&text, "\nnewmtl hills_%d\nKd", i + 1);
        for (int c = 0; c < 3; ++c) {
            coif_strbuf_print(&text, " %.3f", grass[c] + fraction[i] * (air[c] - grass[c]));
        }
        coif_strbuf_add(&text, "\nillum 1\n");
    }
    return asset_save(&text, folder, "hills.mtl", error);
}

static coif_status generate(const char *folder, coif_arena *arena, coif_error *error)
{
    for (size_t i = 0; i < COIF_COUNT_OF(SURFACES); ++i) {
        COIF_TRY(save_surface(&SURFACES[i], folder, arena, error));
    }
    return save_hill_materials(folder, arena, error);
}

int main(int argc, char **argv)
{
    const asset_generator generator = {
        .name = "coif_ground", .writes = "backdrop, wall, meadow and hills", .generate = generate};
    return asset_generator_main(&generator, argc, argv);
}
