// coif/library.h: what <coif/sim.h> and <coif/render.h> have in common.
//
// libcoif offers the two engines of coif to other programs: the strand solver (<coif/sim.h>) and
// the path tracer (<coif/render.h>). Both work on plain arrays in memory and read no files.
//
// Units: metres, kilograms, seconds; right-handed coordinates, y up; colours are linear Rec. 709.
// Positions and vectors are 3 consecutive floats. Transforms are 12 floats, the rows of a 3 x 4
// matrix: a point p becomes (m[0] p.x + m[1] p.y + m[2] p.z + m[3], ...).
//
// Descriptions: a struct that a function reads begins with struct_size. Its init function sets
// every field to its default; assign those that differ. Programs compiled with an older header run
// with a newer library: fields that they do not know keep their defaults. Arrays are copied before
// the function returns.
//
// Errors: functions return COIF_OK or another coif_status (<coif/plugin.h>); coif_last_error tells
// what was wrong, and the object is as before the call. NULL objects and descriptions are errors.
// When memory is exhausted, the library writes a message to stderr and calls abort().
//
// Threads: an object may be used by one thread at a time, different objects by different threads
// at once. Each object has worker threads of its own; the calling thread is one of them. Results
// have the same bits for any number of threads.
#ifndef COIF_LIBRARY_H
#define COIF_LIBRARY_H

#include <coif/plugin.h>

#if defined(__GNUC__)
#define COIF_LIBRARY_API __attribute__((visibility("default")))
#else
#define COIF_LIBRARY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Message of the last call that failed on the calling thread, "" before any; valid until the next
// one.
COIF_LIBRARY_API const char *coif_last_error(void);

// Version of the library, "0.1.0".
COIF_LIBRARY_API const char *coif_library_version(void);

#ifdef __cplusplus
}
#endif

#endif
