// eyes: the eyeballs as a mesh of its own, so that hair scenes can give them a material of theirs.
//
// A cornea stands a little out of the ball over the iris: it is what the lamps are mirrored in.
#include "tools/assets/mannequin/eyes.h"

#include "tools/assets/shared/files.h"
#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/shared/raster.h"

#include <stdlib.h>

static const double TURN = 6.283185307179586;
static const double GAZE_X = 2.1, GAZE_Y = 0.7; // both look a little to +x, where cameras stand
static const double OFF = 0.15;                 // over the ball of the mannequin
static const double REACH = 1.0;                // below the lids
static const double CORNEA = 6.8, CORNEA_HEIGHT = 1.15;
static const double PICTURE_REACH = 22.0; // millimetres from the iris to the edge of its picture

static const char *const KINDS[HEAD_IRIS_KINDS] = {"eye_brown.png", "eye_blue.png",
                                                   "eye_green.png"};

// The surface seen from the front.
static double front(const head_eyeball *eye, double x, double y)
{
    const double away = hypot(x - eye->iris.x, y - eye->iris.y) / CORNEA;
    const double rise = away < 1.0 ? (1.0 - away * away) * (1.0 - away * away) : 0.0;

    return head_eye_front(x, y, OFF) + CORNEA_HEIGHT * rise;
}

// How far the eye goes from its iris in a direction: a little below the lids.
static double reach(const head_eyeball *eye, double dx, double dy)
{
    double away = 0.0;

    for (;;) {
        const double x = eye->iris.x + (away + 0.05) * dx, y = eye->iris.y + (away + 0.05) * dy;
        if (head_eye_opening(vec(x, y, 0)) > REACH || isnan(head_eye_front(x, y, OFF - 1.6))) {
            return away;
        }
        away += 0.05;
    }
}

void head_eyeball_build(head_eyeball *eye, int side)
{
    const head_vec middle = head_eye_middle();

    eye->side = side;
    eye->iris = vec(side * middle.x + GAZE_X, middle.y + GAZE_Y, 0);
    eye->iris.z = front(eye, eye->iris.x, eye->iris.y);
    for (int a = 0; a < HEAD_EYE_AROUND; ++a) {
        // Around from the nose, so that both eyes are painted alike.
        const double dx = -side * cos(a * TURN / HEAD_EYE_AROUND),
                     dy = sin(a * TURN / HEAD_EYE_AROUND);
        const double longest = reach(eye, dx, dy);
        for (int r = 0; r <= HEAD_EYE_RINGS; ++r) {
            const double away = longest * r / HEAD_EYE_RINGS, step = 0.02;
            const double x = eye->iris.x + away * dx, y = eye->iris.y + away * dy;
            const double along_x = (front(eye, x + step, y) - front(eye, x - step, y)) / (2 * step);
            const double along_y = (front(eye, x, y + step) - front(eye, x, y - step)) / (2 * step);
            eye->point[r][a] = vec(x, y, front(eye, x, y));
            eye->normal[r][a] = vec_unit(vec(-along_x, -along_y, 1));
            eye->away[r][a] = away;
        }
    }
}

static void write_eye(FILE *file, const head_eyeball *eye, int first)
{
    const int row = HEAD_EYE_AROUND + 1; // the seam of the picture has two sides

    for (int i = 0; i < (HEAD_EYE_RINGS + 1) * row; ++i) {
        const int r = i / row, a = i % row % HEAD_EYE_AROUND;
        const head_vec p = vec_scale(eye->point[r][a], 1e-3), n = eye->normal[r][a];
        fprintf(file, "v %.6f %.6f %.6f\nvt %.5f %.5f\nvn %.4f %.4f %.4f\n", p.x, p.y, p.z,
                (double)(i % row) / HEAD_EYE_AROUND, eye->away[r][a] / PICTURE_REACH, n.x, n.y,
                n.z);
    }
    fputs(eye->side > 0 ? "g left\nusemtl eye\n" : "g right\nusemtl eye\n", file);
    for (int i = 0; i < HEAD_EYE_RINGS * row; ++i) {
        if (i % row == HEAD_EYE_AROUND) {
            continue;
        }
        const int here = first + i, next = here + 1;
        const int turned = eye->side > 0 ? here + row : next,
                  other = eye->side > 0 ? next : here + row;
        fputc('f', file);
        if (i < row) { // the innermost ring is a point
            const int corner[3] = {here, eye->side > 0 ? next + row : here + row,
                                   eye->side > 0 ? here + row : next + row};
            for (int k = 0; k < 3; ++k) {
                fprintf(file, " %d/%d/%d", corner[k], corner[k], corner[k]);
            }
        } else {
            const int corner[4] = {here, other, next + row, turned};
            for (int k = 0; k < 4; ++k) {
                fprintf(file, " %d/%d/%d", corner[k], corner[k], corner[k]);
            }
        }
        fputc('\n', file);
    }
}

static int save_mesh(const char *directory)
{
    char path[4096];
    FILE *file = head_path(path, sizeof path, directory, "eyes.obj") ? head_create(path) : NULL;

    if (file == NULL) {
        return 0;
    }
    fputs("# Eyes of the mannequin of coif: metres, in its place. Written by coif_head.\n"
          "mtllib eyes.mtl\n",
          file);
    for (int i = 0; i < 2; ++i) {
        head_eyeball eye;
        head_eyeball_build(&eye, i == 0 ? 1 : -1);
        write_eye(file, &eye, 1 + i * (HEAD_EYE_RINGS + 1) * (HEAD_EYE_AROUND + 1));
    }
    if (!head_finish(file, path) || !head_path(path, sizeof path, directory, "eyes.mtl")) {
        return 0;
    }
    file = head_create(path);
    if (file == NULL) {
        return 0;
    }
    fprintf(file,
            "# Eyes of the mannequin. Written by coif_head.\n\n"
            "newmtl eye\nKd 1 1 1\nmap_Kd %s\nKs 0.35 0.35 0.35\nPr 0.07\nillum 2\n",
            KINDS[0]);
    return head_finish(file, path);
}

int head_eyes_save(const char *directory)
{
    int good = save_mesh(directory);

    for (int kind = 0; kind < HEAD_IRIS_KINDS && good; ++kind) {
        head_picture picture = {.size = 256, .channels = 3};
        const int n = picture.size;
        char path[4096];
        picture.bytes = head_allocate((size_t)n * (size_t)n, 3);
        for (int i = 0; i < n * n; ++i) {
            double colour[3];
            head_iris_at(kind, (i % n + 0.5) / n, (n - i / n - 0.5) / n * PICTURE_REACH, colour);
            for (int c = 0; c < 3; ++c) {
                picture.bytes[3 * i + c] = head_byte_srgb(colour[c]);
            }
        }
        good = head_path(path, sizeof path, directory, KINDS[kind]) &&
               head_picture_save(&picture, path);
        free(picture.bytes);
    }
    return good;
}
