// coif/plugin.h: the one header a plugin needs. (coif/deterministic_math.h and coif/strand.h beside
// it are conveniences without a promise: nothing of them crosses the border.)
//
// A plugin fills arrays from arrays: a force field turns positions into air velocity or
// acceleration, a scalp map turns scalp points into values, a groom modifier bends strands in
// place. The host parses parameters, owns memory, schedules threads and reports errors; a plugin
// only computes.
//
// Tags used below: [main] called by one thread, never during [worker] calls on that instance.
//                  [worker] called by many threads at once on the same instance; must be pure.
#ifndef COIF_PLUGIN_H
#define COIF_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Raised when an existing field changes meaning. New fields are only ever appended to structs,
// and struct_size (or a stride) tells which of them the other side knows.
#define COIF_PLUGIN_ABI 1

typedef enum coif_status {
    COIF_OK = 0,
    COIF_ERR_ARGUMENT = 1,  // the caller asked for something impossible
    COIF_ERR_SCENE = 2,     // the scene says something wrong
    COIF_ERR_IO = 3,        // the disk or the network said no
    COIF_ERR_FORMAT = 4,    // a file is not what it claims to be
    COIF_ERR_PLUGIN = 5,    // a plugin is missing, refused or misbehaved
    COIF_ERR_CANCELLED = 6, // somebody asked us to stop
    COIF_ERR_MEMORY = 7,
    COIF_ERR_LIMIT = 8 // a figure that was measured is not within its limit; never from a plugin
} coif_status;

// Enumerations cross the border as int32_t, so their size is the same for every compiler.
// What a field of a params struct is:
enum {
    COIF_PARAM_FLOAT = 1,  // float; degrees in files ("deg") stay degrees here
    COIF_PARAM_INT = 2,    // int32_t
    COIF_PARAM_BOOL = 3,   // int32_t, 0 or 1
    COIF_PARAM_VEC3 = 4,   // float[3]
    COIF_PARAM_COLOR = 5,  // float[3], linear RGB
    COIF_PARAM_CHOICE = 6, // int32_t index into choices
    COIF_PARAM_PATH = 7,   // const char *, resolved against the scene file, borrowed from the host
    COIF_PARAM_STRING = 8  // const char *, borrowed from the host
};

// Only on FLOAT rows of groom modifiers; see per_strand and per_point there.
enum {
    COIF_PARAM_MAPPABLE = 1, // a scalp map may give one value per root
    COIF_PARAM_RAMP = 2      // a curve from root to tip may scale it
};

// One row describes one field of a plain struct. JSON keys, --set, help, the schema and any panel
// are all read from this table; nothing else in the project knows a parameter by name.
typedef struct coif_param {
    // JSON key: lower case, digits and _; never changes once released. Scenes keep plugin, name,
    // comment, amount and enabled for themselves.
    const char *name;
    const char *help; // one sentence that makes sense alone
    const char *unit; // "m", "m/s", "deg", or "" for a pure number
    int32_t type;
    uint32_t flags;
    uint32_t offset; // of the field inside the params struct
    double fallback[3];
    double low, high;           // inclusive; low == high means unbounded
    const char *const *choices; // NULL-terminated, COIF_PARAM_CHOICE only
} coif_param;

enum { COIF_KIND_FORCE = 1, COIF_KIND_MAP = 2, COIF_KIND_GROOM = 3 };

typedef struct coif_host coif_host;
struct coif_host {
    uint32_t struct_size;
    void *data;
    // Zeroed, 64-byte aligned, freed by the host with the instance; never returns NULL. [main]
    void *(*alloc)(const coif_host *host, size_t bytes);
    // Records why a call is about to return an error. printf-style. [main]
    void (*set_error)(const coif_host *host, const char *format, ...);
    // Opens an image for lookup; handles below zero are errors, already explained. A path that
    // contains <UDIM> stands for all tiles 1001 to 1999 that are there. [main]
    int32_t (*image_open)(const coif_host *host, const char *path);
    // Values as stored, without any colour curve: bilinear, clamped at the border; with <UDIM> the
    // integer parts of u and v select the tile, and a tile that is not there is 0. [worker]
    void (*image_sample)(const coif_host *host, int32_t image, int32_t channel, int32_t count,
                         const float *u, const float *v, float *value);
    // How many channels an opened image has: 1 grey, 2 with alpha, 3 colour, 4 with alpha. [main]
    int32_t (*image_channels)(const coif_host *host, int32_t image);
    // As image_sample, but the texel that each point lies in, without blending: for numbers of
    // regions, and to see where nothing was painted. [worker]
    void (*image_texel)(const coif_host *host, int32_t image, int32_t channel, int32_t count,
                        const float *u, const float *v, float *value);
};

// Air and pushes at points, in metres and seconds. A wind adds air velocity only: the solver
// applies drag implicitly, so that no wind can blow a strand up. Other fields add acceleration. The
// host zeroes both before the first field. Time is the time of the substep, and keyed parameters
// hold their value at that time.
typedef struct coif_force_batch {
    uint32_t struct_size;
    int32_t count;
    double time;
    const float *x, *y, *z;
    const float *vx, *vy, *vz;
    float *wind_x, *wind_y, *wind_z;
    float *ax, *ay, *az;
} coif_force_batch;

// Values of a scalp map (density, length, curl, ...) at surface points; 0..1 unless the map says
// so.
typedef struct coif_map_batch {
    uint32_t struct_size;
    int32_t count;
    double time;
    const float *u, *v;
    const float *x, *y, *z;
    const float *nx, *ny, *nz;
    float *value; // write
    // How far it is to the border of the part of the mesh that hair grows on, along the surface, in
    // metres. NULL unless the plugin needs it (COIF_NEEDS_BORDER).
    const float *border_distance;
} coif_map_batch;

// What a plugin asks to be given. A host that does not know one of these refuses the plugin.
enum { COIF_NEEDS_BORDER = 1 };

// Strands to look at. Strand s owns the points [first[s], first[s + 1]), root first.
typedef struct coif_strand_view {
    uint32_t struct_size;
    int32_t strand_count;
    const int32_t *first;
    const float *x, *y, *z, *radius;
    const float *root_frame; // 9 per strand: tangent, bitangent, normal of the scalp
    const uint32_t *random;  // one well-mixed word per strand
    const int32_t *clump;    // per strand, as in coif_groom_batch
    const int32_t *region;   // per strand, as in coif_groom_batch
} coif_strand_view;

// Strands to bend, in place. Strand s owns the points [first[s], first[s + 1]), root first;
// first[0] need not be 0. Roots stay where they are. Everything with a unit is in metres, in the
// space of the body the hair grows on.
typedef struct coif_groom_batch {
    uint32_t struct_size;
    int32_t strand_count;
    const int32_t *first;
    float *x, *y, *z, *radius;
    const float *root_frame; // 9 per strand: tangent, bitangent, normal of the scalp
    const float *root_uv;    // 2 per strand
    const uint32_t *random;  // one well-mixed word per strand, the same on every machine
    // One entry per parameter row: NULL, or one value per strand (MAPPABLE) that replaces the
    // struct's; in the second table NULL, or one value per point (RAMP) that replaces both: the
    // strand's value times the ramp. Points are numbered as in x. The tables themselves are never
    // NULL.
    const float *const *per_strand;
    const float *const *per_point;
    double time;
    // The whole groom as it was before this modifier, for those that look at neighbours (clumps);
    // strand s of the batch is strand strand_begin + s of it. Strands come in the order of the root
    // sequence, so the first n of them are spread evenly over the scalp for any n.
    const coif_strand_view *input;
    int32_t strand_begin;
    // Which lock each strand is gathered in: the number in `all` of the strand in its middle, -1
    // for none. A modifier that gathers hair writes it, one that moves whole locks reads it. May be
    // NULL.
    int32_t *clump;
    // The region of the scalp each strand grows in; what belongs together stays within one. NULL:
    // there is only one.
    const int32_t *region;
    // As per_strand, for every strand of `all`: what holds for the middle of a lock.
    const float *const *input_per_strand;
    // 3 per strand: where the guide curves around it go, a unit vector. NULL without guides.
    const float *guide_direction;
} coif_groom_batch;

typedef struct coif_plugin {
    uint32_t struct_size;
    int32_t kind;
    const char *id;      // "wind.gust": family.name, lower case, digits and _; never reused
    const char *version; // "1.2.0", written into every cache and image made with it
    const char *help;

    const coif_param *params;
    uint32_t param_count;
    uint32_t param_stride; // sizeof(coif_param) of the header the module was built with
    uint32_t params_size;  // of the struct the table describes
    uint32_t state_size;   // of the instance; the host allocates it zeroed

    // Optional, once per instance: open files, build tables. [main]
    coif_status (*init)(const coif_host *host, void *state, const void *params);
    // Optional, once per frame: params hold the values of that frame. [main]
    coif_status (*frame)(const coif_host *host, void *state, const void *params, double time);

    // One of these, by kind. Same batch and params, same bytes out, whatever the thread. [worker]
    void (*force)(const coif_host *host, const void *state, const void *params,
                  const coif_force_batch *batch);
    void (*map)(const coif_host *host, const void *state, const void *params,
                const coif_map_batch *batch);
    void (*groom)(const coif_host *host, const void *state, const void *params,
                  const coif_groom_batch *batch);

    // Optional, groom modifiers: the longest segment with which what the modifier does to a strand
    // can still be drawn, one number per strand, 0 for any. Strands get the points for it before
    // they are bent. [worker]
    void (*max_segment_length)(const coif_host *host, const void *state, const void *params,
                               const coif_groom_batch *batch, float *longest);
    // Optional, groom modifiers: once before the first batch, with the whole groom as one batch, to
    // look at and to build tables from. [main]
    coif_status (*prepare)(const coif_host *host, void *state, const void *params,
                           const coif_groom_batch *whole);
    uint32_t needs; // COIF_NEEDS_..., added up; 0 for nothing
} coif_plugin;

typedef struct coif_plugin_list {
    uint32_t abi; // COIF_PLUGIN_ABI of the header the module was built with
    uint32_t count;
    const coif_plugin *const *plugins;
} coif_plugin_list;

#if defined(_WIN32)
#define COIF_PLUGIN_EXPORT __declspec(dllexport)
#else
#define COIF_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

// The only symbol a module exports. host_abi lets a module refuse by returning NULL.
COIF_PLUGIN_EXPORT const coif_plugin_list *coif_plugin_entry(uint32_t host_abi);

#ifdef __cplusplus
}
#endif

#endif
