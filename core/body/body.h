// Bodies of the scene: meshes with keyed rigid motion, an animation of files, or both.
//
// The rest position p moves to
//
//   pivot + R(s rotate) (p - pivot) + s translate        R(a) = Rz(a.z) Ry(a.y) Rx(a.x)
//
// with weight s = 1, or a smoothstep from 0 to 1 between two heights (a head on a fixed neck).
#ifndef COIF_CORE_BODY_BODY_H
#define COIF_CORE_BODY_BODY_H

#include "core/body/contact_params.h"
#include "core/mesh/mesh.h"
#include "core/mesh/surface_patch.h"
#include "core/scene/scene.h"

enum { COIF_UP_AUTO, COIF_UP_Y, COIF_UP_Z };

typedef struct coif_body_params {
    const char *name;
    const char *mesh;   // "head.obj", "head.####.obj": one file per frame, or an archive
    const char *object; // mesh of an archive; NULL or "": its only one
    const char *rest;   // bind pose with the topology of mesh; NULL or "": mesh, or rest_frame
    int32_t rest_frame; // frame of the sequence that is the bind pose; -1: its first
    const char *include_groups,
        *exclude_groups; // groups to include and exclude, see coif_mesh_desc
    float crease_angle;
    float scale;
    int32_t up_axis;    // of the mesh file, COIF_UP_...
    float translate[3]; // metres
    float rotate[3];    // degrees about x, then y, then z, around pivot
    float pivot[3];
    float offset_translate[3]; // a second motion after that of the parent, about the same pivot
    float offset_rotate[3];
    float
        deform_y_min; // motion weight 0 at deform_y_min to 1 at deform_y_max (heights of the scaled
    float deform_y_max; // rest mesh); equal heights: rigid motion
    const char *parent; // body that this one follows; NULL or "": none
    int32_t collide;
    coif_contact_params contact;
    int32_t visible;
} coif_body_params;

// Parameters of an entry of "bodies"; the renderer adds the section "material".
extern const coif_param COIF_BODY_PARAMS[];
extern const uint32_t COIF_BODY_PARAM_COUNT;

// Names of COIF_UP_...: auto is what an archive states, else y.
extern const char *const COIF_UP_AXES[];

// For coif_archive_import: 0 for auto.
static inline char coif_up_axis(int32_t choice)
{
    return choice == COIF_UP_Y ? 'y' : choice == COIF_UP_Z ? 'z' : 0;
}

typedef struct coif_body {
    const coif_node *node;
    coif_body_params params; // at frame 0
    coif_mesh rest;          // bind pose: scaled, before motion
    bool sequence;           // the mesh is read per frame; also a single posed file with a rest
    const struct coif_body_archive *archive; // mesh file that is an archive; NULL: OBJ files
    bool subframes;                          // of the archive: samples between whole frames
    int sequence_first, sequence_last;       // frame numbers of the files, without gaps
    int rest_frame;                          // of a sequence: frame of the rest mesh; -1: own file
    const char *rest_path;                   // file of the rest mesh
    const coif_body_params *drag;   // NULL, or an interactive motion on top of the animation
    const bool *needs_normals;      // NULL, or per triangle: posing must compute its normals
    const struct coif_body *parent; // see body_parent.h; NULL: none
    coif_vec3 anchor;               // with a parent: centre at rest
    coif_surface_patch patch;       // with a parent that has a sequence: the part it follows
    bool follows_sequence;          // it or a body above it has a sequence
} coif_body;

// Messages begin with scene and location: "bob.json: /bodies/0/mesh: head.obj: line 3: ...".
coif_status coif_body_load(coif_body *body, const coif_node *node, const coif_scene *scene,
                           coif_arena *arena, coif_error *error);

// Loads all bodies of the scene in order. scene->drag applies to the named body, to bodies that
// follow it, and to bodies without a parent inside its rest bounding box, such as eyes in a head.
// The message has one line per failed body.
coif_status coif_bodies_load(coif_body **bodies, int32_t *count, const coif_scene *scene,
                             coif_arena *arena, coif_error *error);
// Whether a drag of a body moves this one as well, by that rule; those that follow it move anyway.
bool coif_body_takes_drag(const coif_body *body, const coif_body *dragged);
const coif_body *coif_bodies_find(const coif_body *bodies, int32_t count, const char *name);

// The mesh at a (possibly fractional) frame: new positions and normals, everything else shared with
// body->rest. Sequences are interpolated between whole frames, archives between their samples; both
// are constant beyond their ends. A missing file or another topology is an error. Each call for a
// sequence reads up to two files or samples.
// Without an arena, mesh must be an earlier pose of the body, whose memory is reused.
coif_status coif_body_pose(coif_mesh *mesh, const coif_body *body, double frame, coif_arena *arena,
                           coif_error *error);

// Applies the keyed motion to positions and normals in place; the same for the interactive drag.
void coif_body_transform_points(coif_mesh *mesh, const coif_body_params *params,
                                const coif_body *body);
void coif_body_apply_drag(coif_mesh *mesh, const coif_body *body);

// Whether the translation or rotation of a motion is not zero.
bool coif_body_moves(const coif_body_params *params);

// The offset of keyed motion, as params of a motion of its own.
coif_body_params coif_body_offset(const coif_body_params *params);

// Rigid motion of a part at a rest height.
coif_affine coif_body_rigid_motion(const coif_body_params *params, float height);

// Positions and normals of a body with a sequence, before keyed motion.
coif_status coif_body_read_sequence(coif_mesh *mesh, const coif_body *body, double frame,
                                    coif_error *error);

// The rest mesh with its own positions and normals.
void coif_body_rest(coif_mesh *mesh, const coif_body *body, coif_arena *arena);

// Digest of the file of a sequence for a frame, clamped to its range.
coif_status coif_body_file_digest(uint64_t *digest, const coif_body *body, int frame,
                                  coif_error *error);

// Whether the body or one that it follows is animated.
bool coif_body_is_animated(const coif_body *body);

#endif
