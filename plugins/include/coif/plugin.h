// coif/plugin.h: the binary interface between coif and its plugins, in one C header.
//
// A plugin is a set of pure functions over arrays: a force field turns positions into air velocity
// or acceleration, a scalp map turns surface points into values, a groom modifier reshapes strands
// in place. The host parses parameters, owns memory, schedules threads and reports errors.
//
// The other headers in this folder are helper code (static inline functions prefixed coif_kit_).
// They are compiled into the plugin and are not part of the binary interface.
//
// Units: metres, kilograms, seconds; right-handed coordinates, y up. Angles are in the unit stated
// by the parameter row, colours are linear RGB.
//
// Ownership: every pointer the host passes to a plugin belongs to the host. Pointers in a batch are
// valid during the call only; state, params, the host struct and memory from coif_host.alloc are
// valid as long as the instance. Pointers in coif_plugin and coif_param belong to the module and
// must stay valid until it is unloaded; static const data is the usual choice.
//
// Threading, marked on every function:
//   [main]    called by one thread at a time, never during a [worker] call on the same instance.
//   [worker]  called by several threads at once on the same instance: must not write anything but
//             the output arrays of its batch.
//
// Versioning: COIF_PLUGIN_ABI changes when an existing field changes its meaning. New fields are
// only appended, and struct_size (or a stride) tells which fields the other side knows. Test it
// before reading a field marked "since" below.
#ifndef COIF_PLUGIN_H
#define COIF_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COIF_PLUGIN_ABI 1

// Result of a call that can fail. The values are also the exit codes of the program.
typedef enum coif_status {
    COIF_OK = 0,
    COIF_ERR_ARGUMENT = 1,  // invalid argument or command line
    COIF_ERR_SCENE = 2,     // invalid scene or parameter value
    COIF_ERR_IO = 3,        // a file could not be read or written
    COIF_ERR_FORMAT = 4,    // a file is damaged or of another format
    COIF_ERR_PLUGIN = 5,    // a plugin is missing, was rejected or failed
    COIF_ERR_CANCELLED = 6, // interrupted by the user
    COIF_ERR_MEMORY = 7,    // out of memory
    COIF_ERR_LIMIT = 8      // validation tolerance exceeded; never returned by a plugin
} coif_status;

// Type of a parameter and of the field of the params struct behind it. Enumerations cross the
// interface as int32_t, whose size does not depend on the compiler.
enum {
    COIF_PARAM_FLOAT = 1,  // float
    COIF_PARAM_INT = 2,    // int32_t
    COIF_PARAM_BOOL = 3,   // int32_t, 0 or 1
    COIF_PARAM_VEC3 = 4,   // float[3]
    COIF_PARAM_COLOR = 5,  // float[3], linear RGB
    COIF_PARAM_CHOICE = 6, // int32_t, index into choices
    COIF_PARAM_PATH = 7,   // const char *, resolved against the scene file; owned by the host
    COIF_PARAM_STRING = 8  // const char *; owned by the host
};

// Flags of FLOAT parameters of groom modifiers; see coif_groom_batch.per_strand and per_point.
enum {
    COIF_PARAM_MAPPABLE = 1, // a scalp map may give one value per strand
    COIF_PARAM_RAMP = 2      // a ramp from root to tip may scale it
};

// One parameter: a row of the table that describes the params struct. JSON keys, --set, help, the
// schema and the studio's panels are all generated from this table.
typedef struct coif_param {
    // JSON key: lower case, digits and _. Must not change after a release. Reserved by the scene
    // format for all kinds: plugin, name, comment; for forces also enabled, affects, amount, mask,
    // parent, region, region_center, region_size, region_radius and region_falloff; for maps over,
    // combine and amount; for groom modifiers amount, mask and enabled.
    const char *name;
    const char *help;           // one sentence that makes sense on its own
    const char *unit;           // "m", "m/s", "deg", ...; "" for a pure number
    int32_t type;               // COIF_PARAM_FLOAT ... COIF_PARAM_STRING
    uint32_t flags;             // COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, or 0
    uint32_t offset;            // of the field inside the params struct, in bytes
    double fallback[3];         // default value; VEC3 and COLOR use all three
    double low, high;           // inclusive range; low == high: unbounded
    const char *const *choices; // NULL-terminated names; COIF_PARAM_CHOICE only
} coif_param;

// What a plugin computes, and with that which of its functions is called.
enum { COIF_KIND_FORCE = 1, COIF_KIND_MAP = 2, COIF_KIND_GROOM = 3 };

// A triangle mesh read by coif_host.mesh_open.
typedef struct coif_mesh_view {
    uint32_t struct_size; // set by the plugin to sizeof(coif_mesh_view)
    int32_t vertex_count, triangle_count;
    const float *positions; // 3 per vertex, in the unit of the file
    const int32_t *indices; // 3 per triangle
} coif_mesh_view;

// Services of the host, one struct per plugin instance. Functions take the struct they were found
// in as their first argument.
typedef struct coif_host coif_host;
struct coif_host {
    uint32_t struct_size;
    void *data; // private to the host
    // Memory, zeroed and 64-byte aligned. The host frees it with the instance; there is no free and
    // no NULL result: the program ends when memory is exhausted. [main]
    void *(*alloc)(const coif_host *host, size_t bytes);
    // Records the message (printf format) of the error that the calling function is about to
    // return. The first message of a call is kept; the host prefixes the plugin's id and its JSON
    // path in the scene. [main]
    void (*set_error)(const coif_host *host, const char *format, ...);
    // Opens an image for sampling. Returns a handle of this instance, or a negative number after
    // set_error. A path that contains <UDIM> opens all existing tiles from 1001 to 1999. [main]
    int32_t (*image_open)(const coif_host *host, const char *path);
    // Samples one channel at count points: bilinear, clamped at the border, values as stored,
    // without colour transform. With <UDIM> the integer parts of u and v select the tile; missing
    // tiles and invalid handles are 0. [worker]
    void (*image_sample)(const coif_host *host, int32_t image, int32_t channel, int32_t count,
                         const float *u, const float *v, float *value);
    // Number of channels of an opened image: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. [main]
    int32_t (*image_channels)(const coif_host *host, int32_t image);
    // image_sample with nearest-texel lookup instead of bilinear filtering: for region ids, and to
    // test whether a texel is exactly 0. [worker]
    void (*image_texel)(const coif_host *host, int32_t image, int32_t channel, int32_t count,
                        const float *u, const float *v, float *value);
    // Reads an OBJ file; polygons are triangulated, faces without area are dropped. The arrays live
    // as long as the instance. Errors are recorded as by set_error. Since 0.1: test struct_size >
    // offsetof(coif_host, mesh_open). [main]
    coif_status (*mesh_open)(const coif_host *host, const char *path, coif_mesh_view *mesh);
    // Parses a decimal number at *text, skipping white space before it, correctly rounded and
    // independent of the locale (unlike strtof). Returns 1 and advances *text, or returns 0. Since
    // 0.1: test struct_size > offsetof(coif_host, parse_float). [main]
    int32_t (*parse_float)(const coif_host *host, const char **text, float *number);
};

// Points at which a force field is evaluated. A wind adds to wind_*, the velocity of the air: the
// solver applies drag implicitly, so strong wind cannot make the integration unstable. Other force
// fields add to a*, an acceleration. Fields accumulate: add, do not assign.
typedef struct coif_force_batch {
    uint32_t struct_size;
    int32_t count;
    double time;                     // of the substep, s; animated parameters have its value
    const float *x, *y, *z;          // positions in world space, m
    const float *vx, *vy, *vz;       // velocities, m/s
    float *wind_x, *wind_y, *wind_z; // in, out: air velocity, m/s
    float *ax, *ay, *az;             // in, out: acceleration, m/s^2
} coif_force_batch;

// Surface points at which a scalp map (density, length, curl, ...) is evaluated.
typedef struct coif_map_batch {
    uint32_t struct_size;
    int32_t count;
    double time;               // of the frame, s
    const float *u, *v;        // texture coordinates
    const float *x, *y, *z;    // positions in the rest space of the body, m
    const float *nx, *ny, *nz; // unit surface normals
    float *value;              // out: usually 0 to 1
    // Geodesic distance to the border of the mesh group that hair grows on, m. NULL unless the
    // plugin sets COIF_NEEDS_BORDER.
    const float *border_distance;
    // Mean curvature of the body at this frame minus that of its rest pose, 1/m, positive where the
    // surface became more convex. NULL unless the plugin sets COIF_NEEDS_CURVATURE.
    const float *curvature_change;
} coif_map_batch;

// Optional inputs that a plugin can require. A host that does not know one rejects the plugin.
enum {
    COIF_NEEDS_BORDER = 1,   // coif_map_batch.border_distance; maps only
    COIF_NEEDS_CURVATURE = 2 // coif_map_batch.curvature_change; maps only
};

// Read-only strands. Strand s owns the points [first[s], first[s + 1]), root first.
typedef struct coif_strand_view {
    uint32_t struct_size;
    int32_t strand_count;
    const int32_t *first; // strand_count + 1 offsets
    const float *x, *y, *z, *radius;
    const float *root_frame; // 9 per strand: unit tangent, bitangent, normal of the scalp
    const uint32_t *random;  // one uniformly distributed word per strand
    const int32_t *clump;    // per strand, as in coif_groom_batch
    const int32_t *region;   // per strand, as in coif_groom_batch
} coif_strand_view;

// The surface of a body in its rest pose, for signed distance queries.
typedef struct coif_surface_view {
    uint32_t struct_size;
    const void *data; // private to the host
    // Signed distance of each position to the closest point of the surface (m, negative inside) and
    // the unit normal there, 3 per position. Farther than max_distance: that distance and zeros.
    // [worker], and in coif_plugin.prepare
    void (*query)(const struct coif_surface_view *surface, int32_t count, const float *positions,
                  float max_distance, float *distance, float *normal);
} coif_surface_view;

// Strands to modify in place, in the rest space of the body, m. Strand s owns the points
// [first[s], first[s + 1]), root first; first[0] need not be 0. Root points must not move. The host
// splits a groom into batches of any size, so the result for a strand must not depend on which
// other strands are in its batch.
typedef struct coif_groom_batch {
    uint32_t struct_size;
    int32_t strand_count;
    const int32_t *first;      // strand_count + 1 offsets
    float *x, *y, *z, *radius; // in, out
    const float *root_frame;   // 9 per strand: unit tangent, bitangent, normal of the scalp
    const float *root_uv;      // 2 per strand
    const uint32_t *random;    // one uniformly distributed word per strand, reproducible
    // Varying parameters, one entry per parameter row; the tables are never NULL. per_strand[row]
    // is NULL or holds one value per strand (MAPPABLE), which replaces that of the params struct.
    // per_point[row] is NULL or holds one value per point (RAMP), indexed as x, which replaces
    // both: the strand's value times the ramp.
    const float *const *per_strand;
    const float *const *per_point;
    double time; // of the frame, s
    // The whole groom before this modifier; strand s of the batch is strand strand_begin + s of it.
    // Strands are in the order of a low-discrepancy root sequence, so the first n are distributed
    // evenly over the scalp for any n.
    const coif_strand_view *input;
    int32_t strand_begin;
    // Clump of each strand: index in `input` of its centre strand, -1 for none. Written by clumping
    // modifiers, read by modifiers that act on whole clumps. May be NULL.
    int32_t *clump;
    // Region of the scalp of each strand; clumps and interpolation stay within one. NULL: one
    // region.
    const int32_t *region;
    // per_strand for all strands of `input`, to evaluate the parameters of a clump's centre.
    const float *const *input_per_strand;
    // 3 per strand: unit direction of the surrounding guide curves. NULL without guides.
    const float *guide_direction;
    // The body that hair grows on. NULL where the host has none. Since 0.1: test struct_size >
    // offsetof(coif_groom_batch, body).
    const coif_surface_view *body;
} coif_groom_batch;

// One plugin: its identity, its parameter table and its functions. params points to the struct the
// table describes, filled by the host; state to state_size bytes owned by the instance.
typedef struct coif_plugin {
    uint32_t struct_size;
    int32_t kind;        // COIF_KIND_...
    const char *id;      // "wind.gust": family.name, lower case, digits and _; never reused
    const char *version; // "1.2.0", recorded in every cache and image made with it
    const char *help;    // one sentence without a full stop

    const coif_param *params;
    uint32_t param_count;  // at most COIF_PLUGIN_MAX_PARAMS
    uint32_t param_stride; // sizeof(coif_param) at the time the module was compiled
    uint32_t params_size;  // bytes of the struct the table describes
    uint32_t state_size;   // bytes of per-instance state; allocated and zeroed by the host

    // Optional, once per instance: open images, build tables. [main]
    coif_status (*init)(const coif_host *host, void *state, const void *params);
    // Optional, once per frame, with the parameter values of that frame; time in s. [main]
    coif_status (*frame)(const coif_host *host, void *state, const void *params, double time);

    // The function of the plugin's kind; the other two are NULL. Equal inputs must give equal bits
    // on every thread and machine. Values that are not finite are discarded: forces keep the
    // previous value, maps become 0, strands keep their shape; the host warns once. [worker]
    void (*force)(const coif_host *host, const void *state, const void *params,
                  const coif_force_batch *batch);
    void (*map)(const coif_host *host, const void *state, const void *params,
                const coif_map_batch *batch);
    void (*groom)(const coif_host *host, const void *state, const void *params,
                  const coif_groom_batch *batch);

    // Optional, groom modifiers: writes the longest segment (m, one per strand, 0 for no limit)
    // that still resolves the shape the modifier creates. The host resamples strands to it before
    // calling groom. [worker]
    void (*max_segment_length)(const coif_host *host, const void *state, const void *params,
                               const coif_groom_batch *batch, float *longest);
    // Optional, groom modifiers: called once before the first batch with the whole groom as one
    // read-only batch, to build tables. [main]
    coif_status (*prepare)(const coif_host *host, void *state, const void *params,
                           const coif_groom_batch *whole);
    uint32_t needs; // COIF_NEEDS_... combined with |, or 0
} coif_plugin;

// Limit of coif_plugin.param_count; a module with more is rejected.
enum { COIF_PLUGIN_MAX_PARAMS = 256 };

// The plugins of a module.
typedef struct coif_plugin_list {
    uint32_t abi;   // COIF_PLUGIN_ABI at the time the module was compiled
    uint32_t count; // at least 1
    const coif_plugin *const *plugins;
} coif_plugin_list;

#if defined(_WIN32)
#define COIF_PLUGIN_EXPORT __declspec(dllexport)
#else
#define COIF_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

// The only symbol a module exports. Called once after loading with the ABI number of the host;
// returns a list that stays valid until the module is unloaded, or NULL to decline. [main]
COIF_PLUGIN_EXPORT const coif_plugin_list *coif_plugin_entry(uint32_t host_abi);

#ifdef __cplusplus
}
#else

// Shorthands for C. A row of a parameter table for a field of the params struct, with three
// defaults; one of a choice, with the index of its default; the fields of a coif_plugin before its
// functions; and the entry function of a module with one plugin.
#define COIF_PLUGIN_ROW(params_, field_, type_, flags_, help_, unit_, a_, b_, c_, low_, high_)     \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = type_, .flags = flags_,             \
        .offset = offsetof(params_, field_), .fallback = {a_, b_, c_}, .low = low_, .high = high_  \
    }
#define COIF_PLUGIN_CHOICE(params_, field_, help_, choices_, fallback_)                            \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = "", .type = COIF_PARAM_CHOICE,                     \
        .offset = offsetof(params_, field_), .fallback = {fallback_}, .choices = choices_          \
    }
#define COIF_PLUGIN_HEAD(kind_, id_, version_, help_, rows_, params_)                              \
    .struct_size = sizeof(coif_plugin), .kind = kind_, .id = id_, .version = version_,             \
    .help = help_, .params = rows_, .param_count = sizeof rows_ / sizeof rows_[0],                 \
    .param_stride = sizeof rows_[0], .params_size = sizeof(params_)
#define COIF_PLUGIN_ENTRY(plugin_)                                                                 \
    const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)                                   \
    {                                                                                              \
        static const coif_plugin *const plugins[] = {&plugin_};                                    \
        static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};                        \
        return host_abi == COIF_PLUGIN_ABI ? &list : NULL;                                         \
    }

#endif

#endif
