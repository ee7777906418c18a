// sculpture: the mannequin as one field, negative inside, in millimetres.
//
// Built from the bones outwards: skull and jaw, neck and shoulders, then the features of the face,
// then the ears. Only the half x >= 0 is ever described; the other half is its mirror image.
#ifndef COIF_ASSETS_HEAD_SDF_H
#define COIF_ASSETS_HEAD_SDF_H

#include "tools/assets/shared/sdf.h"

// The ear has its own frame: back along the auricle, up along it, and out of it.
typedef struct head_ear {
    head_vec origin, back, up, out;
    head_cord helix, antihelix, fork;
} head_ear;

typedef struct head_bust {
    head_cord collarbone, neck_muscle, trapezius;
} head_bust;

typedef struct head_sculpture {
    head_ear ear;
    head_bust bust;
} head_sculpture;

void head_sculpture_init(head_sculpture *sculpture);

// The whole mannequin, and the same without ears (which tells where an ear begins).
double head_sculpture_eval(const head_sculpture *sculpture, head_vec p);
double head_sculpture_earless(const head_sculpture *sculpture, head_vec p);

head_vec head_sculpture_normal(const head_sculpture *sculpture, head_vec p);

// Moves a point to the surface, along the gradient.
head_vec head_sculpture_project(const head_sculpture *sculpture, head_vec p);

// The parts. Each takes the field made so far and gives it back with its feature added.
double head_skull(head_vec p);
double head_nose(double field, head_vec p);
double head_eye(double field, head_vec p);
double head_mouth(double field, head_vec p);

// The distance to the rim of the eye, seen from the front; negative inside the opening.
double head_eye_opening(head_vec p);

// The ball between the lids: its depth at a place seen from the front, as z, `off` outside of it.
// NAN beside the ball. And the middle of it.
double head_eye_front(double x, double y, double off);
head_vec head_eye_middle(void);

// How much of a place is red of the lips, 0 to 1, and its height over the line where they meet.
double head_lips(head_vec p, double *line);

void head_bust_init(head_bust *bust);
double head_bust_eval(const head_bust *bust, double field, head_vec p);

void head_ear_init(head_ear *ear);
double head_ear_eval(const head_ear *ear, double field, head_vec p);
head_vec head_ear_local(const head_ear *ear, head_vec p);

#endif
