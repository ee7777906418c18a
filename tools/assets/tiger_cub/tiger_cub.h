// cub: a tiger cub to carry fur: its shape, and what its coat is like at every place of it.
//
// Millimetres, y up, the paws stand on y = 0, the cub walks along +z and looks a little to its
// left, which is +x.
#ifndef COIF_ASSETS_TIGER_CUB_H
#define COIF_ASSETS_TIGER_CUB_H

#include "tools/assets/shared/sdf.h"

enum { CUB_COAT, CUB_SKIN, CUB_EYE, CUB_PUPIL, CUB_GROUPS };
enum { CUB_LEGS = 4 };

typedef struct cub {
    head_cord leg[CUB_LEGS], tail;
    head_vec paw[CUB_LEGS];
    head_vec head;             // the middle of the skull
    double turn_sin, turn_cos; // of the head about the upward axis
    double nod_sin, nod_cos;   // and how far it looks down
} cub;

// Distances to the parts at one place, and how far along limbs it is.
typedef struct cub_parts {
    double trunk, head, tail, leg[CUB_LEGS];
    double tail_along, leg_along[CUB_LEGS]; // millimetres from where they begin
    head_vec in_head;                       // the place in the space of the head
} cub_parts;

// What grows at a place.
typedef struct cub_coat {
    double colour[3]; // linear
    double length;    // 0 to 1 of the longest
    double density;   // 0 on nose and soles
    double legs;      // 1 where hair lies downwards as on a leg
    double head;      // 1 where it lies away from the nose
} cub_coat;

void cub_init(cub *body);
double cub_field(const cub *body, head_vec p);
head_vec cub_normal(const cub *body, head_vec p);
cub_parts cub_parts_at(const cub *body, head_vec p);

// From the space of the head to that of the cub, and the other way.
head_vec cub_from_head(const cub *body, head_vec q);
head_vec cub_to_head(const cub *body, head_vec p);

// The middle of an eyeball in the space of the head, and how large it is.
head_vec cub_eye(int side);
double cub_eye_radius(void);

// A place of the head as seen from the middle between the lids, x outwards along them.
head_vec cub_in_lids(head_vec q);

cub_coat cub_coat_at(const cub *body, head_vec p, head_vec normal);

// Below 0 on the leather of the nose, about as far from its rim in millimetres.
double cub_nose(const cub *body, head_vec p);

// 1 on the leather of nose and soles.
int cub_is_leather(const cub *body, head_vec p);

#endif
