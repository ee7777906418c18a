// coif_ground: writes what scenes stand on or before: a studio's backdrop, a wall behind a bust and
// a piece of meadow.
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

static int save(const char *directory, const char *name, int columns, int rows, ground_place *place)
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

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: coif_ground DIRECTORY   writes backdrop.obj, wall.obj and meadow.obj there\n",
              stderr);
        return 1;
    }
    return save(argv[1], "backdrop", 2, 49, backdrop) && save(argv[1], "wall", 2, 2, wall) &&
                   save(argv[1], "meadow", 61, 61, meadow)
               ? 0
               : 3;
}
