// eyes: two eyeballs between the lids, with irises, and the lashes around them.
#ifndef COIF_ASSETS_EYES_H
#define COIF_ASSETS_EYES_H

#include "tools/assets/mannequin/head_sdf.h"

enum { HEAD_EYE_AROUND = 48, HEAD_EYE_RINGS = 24 };

// One eyeball as rings about its iris, innermost first; side is 1 for x > 0, else -1. Only what the
// lids leave open exists, and a rim below them.
typedef struct head_eyeball {
    int side;
    head_vec iris; // the middle of it, on the cornea
    head_vec point[HEAD_EYE_RINGS + 1][HEAD_EYE_AROUND];
    head_vec normal[HEAD_EYE_RINGS + 1][HEAD_EYE_AROUND];
    double away[HEAD_EYE_RINGS + 1][HEAD_EYE_AROUND]; // from the iris, seen from the front
} head_eyeball;

void head_eyeball_build(head_eyeball *eye, int side);

// The colour of an eye, linear light: `away` millimetres from the middle of the iris, and a share
// of a turn around it. Kinds are brown, blue and green.
enum { HEAD_IRIS_KINDS = 3 };
void head_iris_at(int kind, double turn, double away, double colour[3]);

// Writes eyes.obj, eyes.mtl and a picture for each kind; returns 0, after saying why, when it
// cannot.
int head_eyes_save(const char *directory);

enum { HEAD_LASH_POINTS = 9, HEAD_LASHES_UPPER = 120, HEAD_LASHES_LOWER = 64 };

// One lash of one lid, n of HEAD_LASHES_UPPER or HEAD_LASHES_LOWER. The first point is on the rim.
void head_lash(const head_sculpture *sculpture, int side, int upper, int n,
               head_vec point[HEAD_LASH_POINTS]);

// Writes lashes.hair, in metres.
int head_lashes_save(const head_sculpture *sculpture, const char *directory);

#endif
