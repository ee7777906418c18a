// coif_ground: writes what scenes stand on or before: a studio's backdrop, a wall behind a bust, a
// piece of meadow, and hills behind it.
#include <math.h>
#include <stdio.h>

// A grid of columns x rows points over (u, v) in the unit square.
typedef void ground_place(double u, double v, double p[3]);

// Floor, a quarter of a circle, wall.
static void backdrop(double u, double v, double p[3])
{
    const double radius = 1.2, floor = 4.5, wall = 3.0, bow = 1.5707963267948966 * radius;
    const double s = v * (floor + bow + wall);
    const double turn = s < floor ? 0.0 : s < floor + bow ? (s - floor) / radius : bow / radius;

    p[0] = (u - 0.5) * 12.0;
    p[1] = radius * (1.0 - cos(turn)) + fmax(s - floor - bow, 0.0);
    p[2] = 3.0 - fmin(s, floor) - radius * sin(turn);
}

// Far enough behind the mannequin that no lamp on it reaches the wall.
static void wall(double u, double v, double p[3])
{
    p[0] = (u - 0.5) * 12.0;
    p[1] = (v - 0.5) * 8.0;
    p[2] = -3.3;
}

// Six metres square, gently rolling; opposite edges match, so copies can be laid side by side.
static void meadow(double u, double v, double p[3])
{
    const double a = 6.283185307179586 * u, b = 6.283185307179586 * v;

    p[0] = (u - 0.5) * 6.0;
    p[1] = 0.10 * sin(a + 0.6) * cos(b) + 0.05 * sin(2.0 * a - b + 1.0) +
           0.025 * cos(3.0 * a + 2.0 * b) + 0.012 * sin(5.0 * b - 4.0 * a);
    p[2] = (0.5 - v) * 6.0;
}

enum { RIDGES = 4 };

// Land behind the meadow that rises to four soft ridges, each farther away and higher than the
// last.
static void hills(double u, double v, double p[3])
{
    const double x = (u - 0.5) * (80.0 + 1400.0 * v), away = 20.0 + 900.0 * v * v;
    const double ridge = 0.5 - 0.5 * cos(6.283185307179586 * RIDGES * v);
    // As wide as they are far, so that each ridge shows a slope or two.
    const double rolling =
        1.0 + 0.45 * sin(7.0 * x / away + 17.0 * v) + 0.2 * sin(17.0 * x / away + 29.0 * v);

    p[0] = x;
    p[1] = ridge * v * v * 52.0 * rolling + 9.0 * v * v - 0.1;
    p[2] = -away;
}

// With more than one band rows have materials NAME_1, NAME_2 and so on, from the first row on.
static int save(const char *directory, const char *name, int columns, int rows, int bands,
                ground_place *place)
{
    char path[4096];
    const int needed = snprintf(path, sizeof path, "%s/%s.obj", directory, name);
    FILE *file = needed > 0 && (size_t)needed < sizeof path ? fopen(path, "wb") : NULL;

    if (file == NULL) {
        fprintf(stderr, "coif_ground: %s/%s.obj: could not be opened for writing\n", directory,
                name);
        return 0;
    }
    fprintf(file, "# %s of coif: metres, y up. Written by coif_ground.\n", name);
    if (bands > 1) {
        fprintf(file, "mtllib %s.mtl\n", name);
    }
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            double p[3];
            place((double)i / (columns - 1), (double)j / (rows - 1), p);
            fprintf(file, "v %.4f %.4f %.4f\n", p[0] + 0.0, p[1] + 0.0, p[2] + 0.0);
        }
    }
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            fprintf(file, "vt %.4f %.4f\n", (double)i / (columns - 1), (double)j / (rows - 1));
        }
    }
    fprintf(file, "g %s\n", name);
    for (int j = 0; j + 1 < rows; ++j) {
        if (bands > 1 && j * bands % (rows - 1) == 0) {
            fprintf(file, "usemtl %s_%d\n", name, j * bands / (rows - 1) + 1);
        }
        for (int i = 0; i + 1 < columns; ++i) {
            const int a = j * columns + i + 1, b = a + 1, c = b + columns, d = a + columns;
            fprintf(file, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, b, b, c, c, d, d);
        }
    }
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "coif_ground: %s: could not be written\n", path);
        return 0;
    }
    return 1;
}

// The farther a ridge, the more air is before it.
static int save_haze(const char *directory)
{
    static const double near[3] = {0.10, 0.15, 0.05}, air[3] = {0.62, 0.70, 0.80};
    static const double share[RIDGES] = {0.0, 0.18, 0.45, 0.70};
    char path[4096];
    const int needed = snprintf(path, sizeof path, "%s/hills.mtl", directory);
    FILE *file = needed > 0 && (size_t)needed < sizeof path ? fopen(path, "wb") : NULL;

    if (file == NULL) {
        fprintf(stderr, "coif_ground: %s/hills.mtl: could not be opened for writing\n", directory);
        return 0;
    }
    fputs("# Hills of coif, paler with the air before them. Written by coif_ground.\n", file);
    for (int i = 0; i < RIDGES; ++i) {
        fprintf(file, "\nnewmtl hills_%d\nKd", i + 1);
        for (int c = 0; c < 3; ++c) {
            fprintf(file, " %.3f", near[c] + share[i] * (air[c] - near[c]));
        }
        fputs("\nillum 1\n", file);
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: coif_ground DIRECTORY   writes backdrop.obj, wall.obj, meadow.obj, "
              "hills.obj and hills.mtl there\n",
              stderr);
        return 1;
    }
    return save(argv[1], "backdrop", 2, 49, 1, backdrop) && save(argv[1], "wall", 2, 2, 1, wall) &&
                   save(argv[1], "meadow", 61, 61, 1, meadow) &&
                   save(argv[1], "hills", 161, 65, RIDGES, hills) && save_haze(argv[1])
               ? 0
               : 3;
}
