// contact: the planes that keep points out of bodies during one substep.
//
// For the way of each point from where it is to where it wants to go, the nearest surface gives a
// plane (n, offset) with  n . p >= offset. Most points are not searched for anew: one that was
// found far from every body can touch nothing before it has come as much nearer, and one that has
// hardly moved along its surface keeps its plane, which moves with the body. How far a point has
// gone is therefore counted against the surface next to it.
#ifndef COIF_SIM_CONTACT_H
#define COIF_SIM_CONTACT_H

#include "sim/collide.h"

// What is known of a point since the last search for it. Zeroed memory knows nothing.
typedef struct coif_clearance {
    coif_vec3 place; // where it was searched for, and when
    float moment;
    float distance; // nothing was nearer than this
    int32_t known;  // 0: nothing of the rest holds but body and hint
    int32_t body;   // nearest then, and its triangle plus one: where the next search begins
    int32_t hint;
    coif_nearest nearest; // triangle -1: nothing within reach of the search
} coif_clearance;

typedef struct coif_contacts {
    int32_t count;
    int32_t lanes;             // point i - lanes comes before point i on its strand
    const float *x, *y, *z;    // where the points are
    const float *px, *py, *pz; // where they want to go
    const float *reach;        // the distance to keep; 0 for points that touch nothing
    float begin, end;          // of the substep, as moments of the frame
    coif_clearance *clearances;
    // Write. A point without contact gets a zero normal, which no projection moves.
    float *nx, *ny, *nz, *offset;
    float *sx, *sy, *sz; // how far the surface moves during the substep
} coif_contacts;

// True when at least one point has a plane; else nothing but clearances was written.
bool coif_contacts_find(const coif_contacts *contacts, const coif_collider *bodies,
                        int32_t body_count);

// What was known holds for one frame of the bodies' motion only; the hints stay.
void coif_clearances_forget(coif_clearance *clearances, int32_t count);

#endif
