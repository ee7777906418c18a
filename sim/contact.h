// contact: the planes that keep points out of bodies during one substep.
//
// For the way of each point from where it is to where it wants to go, the nearest surface gives a
// plane (n, offset) with  n . p >= offset. Ways are seen from the surface: a body that comes
// counts as much as a point that goes. A point that would leave a thin part on the other side gets
// the plane it passed through.
//
// Bodies whose distances are sampled (see shell.h) are asked in the coordinates of their parts.
// Others, and joints between parts, are searched; most points not anew: one that was found far away
// can touch nothing before it has come as much nearer.
#ifndef COIF_SIM_CONTACT_H
#define COIF_SIM_CONTACT_H

#include "sim/collide.h"

// Early enough, in metres, where only planes count that a point is behind of: roundings are less.
#define COIF_CONTACT_SURE 1e-4f

// At the rim of a joint it is for others to say who is inside.
typedef enum coif_outside { COIF_PERHAPS_INSIDE, COIF_OUTSIDE, COIF_AT_RIM } coif_outside;

// What is known of a point since the last search for it: nothing that is searched for is nearer to
// the place than this. Below zero: nothing is known. Zeroed memory knows nothing either.
typedef struct coif_clearances {
    float *x, *y, *z; // the place
    float *distance;
    int32_t *outside; // whether the place is not inside of anything: see coif_outside
    int32_t *hint;    // one more than a triangle that was near, of any body
} coif_clearances;

typedef struct coif_contacts {
    int32_t count;             // a multiple of four
    int32_t lanes;             // point i - lanes comes before point i on its strand
    const float *x, *y, *z;    // where the points are
    const float *px, *py, *pz; // where they want to go
    const float *reach;        // the distance to keep; 0 for points that touch nothing
    float begin, end;          // of the substep, as moments of the frame
    float most_out;            // how far a point that is too deep may be pushed out, metres
    const float *outs;         // NULL, or the same for each point, of the point that
    const int32_t *owner;      // owner says, if not NULL
    float early;               // planes are made when the distance to keep is still this far away
    float ahead;               // how much farther searches look, for the sake of clearances
    coif_clearances clearances;
    // Write. A point without contact gets a zero normal, which no projection moves.
    float *nx, *ny, *nz, *offset;
    float *sx, *sy, *sz; // how far the surface moves during the substep
    float *depth;        // signed distance to the surface of the plane, or of none: a large one
    float *free;         // NULL, or: no body is nearer to where a point wants to go than this
    int32_t *rows;       // NULL, or two: all planes are in rows from the first to before the second
} coif_contacts;

// True when at least one point has a plane; else nothing but clearances and free was written.
bool coif_contacts_find(const coif_contacts *contacts, const coif_collider *bodies,
                        int32_t body_count);

// Whether clearances are of use: some body, or a joint of one, is searched.
bool coif_contacts_search(const coif_collider *bodies, int32_t body_count);

// No point has a plane.
void coif_contacts_clear(const coif_contacts *contacts);

// What is known holds as long as bodies go on from where they were and points do not jump.
void coif_clearances_forget(const coif_clearances *clearances, int32_t count);

#endif
