// eyes: eyeballs with iris textures, and eyelashes.
#ifndef COIF_ASSETS_EYES_H
#define COIF_ASSETS_EYES_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "tools/assets/mannequin/head_sdf.h"

enum { EYEBALL_SECTORS = 48, EYEBALL_RINGS = 24 };

// The part of an eyeball between the lids, and a margin below them, as rings around the iris,
// innermost first.
typedef struct eyeball {
    int side;        // 1 for x > 0, else -1
    coif_vec3d iris; // its centre, on the cornea
    coif_vec3d point[EYEBALL_RINGS + 1][EYEBALL_SECTORS];
    coif_vec3d normal[EYEBALL_RINGS + 1][EYEBALL_SECTORS];
    double distance[EYEBALL_RINGS + 1][EYEBALL_SECTORS]; // from the iris, in the frontal plane
} eyeball;

void eyeball_build(eyeball *eye, int side);

// Linear colour of the eye at a distance from the iris centre, in millimetres, and an angle around
// it as a fraction of a turn. Kinds are brown, blue and green.
enum { IRIS_KINDS = 3 };
void iris_color(int kind, double turn, double distance, double color[3]);

// Writes eyes.obj, eyes.mtl and a texture of each kind.
coif_status eyes_save(const char *folder, coif_arena *arena, coif_error *error);

enum { EYELASH_POINTS = 9, EYELASHES_UPPER = 120, EYELASHES_LOWER = 64 };

// Lash n of a lid, root first.
void eyelash_points(const head_sdf *sdf, int side, bool upper, int n,
                    coif_vec3d point[EYELASH_POINTS]);

// Writes lashes.hair, in metres.
coif_status eyelashes_save(const head_sdf *sdf, const char *folder, coif_arena *arena,
                           coif_error *error);

#endif
