// strand_time: simulated strands at a fractional frame.
//
// Between two cached frames a and b, at fraction s, a point is at
//
//   (1 - s) p_a + s p_b + r - ((1 - s) r_a + s r_b)
//
// where r is the root on the posed body: strands move linearly from frame to frame while their
// roots stay on a rotating body. If one of the two frames is missing, the frame of the image, or
// the nearer one around it, is extrapolated by its velocities, or without velocities by its roots
// alone.
#ifndef COIF_RENDER_BUILD_STRAND_TIME_H
#define COIF_RENDER_BUILD_STRAND_TIME_H

#include "core/body/body_interpolate.h"
#include "core/hair/groom.h"

// What has been reported about the frames of a groom.
typedef struct coif_strand_reports {
    bool stale;     // simulated from something else
    bool corrected; // made by `coif cache`
} coif_strand_reports;

typedef struct coif_strand_time_desc {
    const coif_groom *groom;
    const char *cache, *name; // folder and name of the groom's files
    double frame;             // of the image; the files around it must exist
    double time;              // in frames, at most 1 from frame
    double frame_seconds;     // from one frame to the next, for velocities
    const coif_body *body;
    coif_body_interpolation interpolation; // of the body between frames
    uint64_t inputs;                       // digest of what frames would be simulated from now
    coif_strand_reports *reported;         // NULL: do not report
} coif_strand_time_desc;

// The cached frames around a time, in order; one for a whole frame.
int coif_strand_time_frames(int frames[2], double time);

coif_status coif_strands_at_time(coif_strands *strands, const coif_strand_time_desc *desc,
                                 coif_arena *arena, coif_error *error);

#endif
