// groom: hair at rest. What grew where, its rest shape, and who follows whom.
//
// Strands are stored in the order of the root sequence, so any prefix is a well-spread preview.
// Some of them are simulated (all, or a share); the others follow up to three simulated ones.
// Rest strands stand on the body in its own coordinates, before any motion.
#ifndef COIF_CORE_HAIR_GROOM_H
#define COIF_CORE_HAIR_GROOM_H

#include "core/base/fs.h"
#include "core/hair/strands.h"
#include "core/mesh/mesh.h"

#define COIF_GUIDES_PER_CHILD 3

typedef struct coif_groom {
    coif_strands rest;       // all strands, with root_uv and rest radius
    int32_t *root_triangle;  // per strand: triangle of the body's mesh
    float *root_barycentric; // 2 per strand: weights of the triangle's second and third corner
    float *root_frame;       // 9 per strand: tangent, bitangent, normal of the scalp at rest
    uint32_t *random;        // per strand: one well-mixed word, the same on every machine

    int32_t simulated_count;
    int32_t *simulated; // ascending strand indices; simulated strand i is rest strand simulated[i]
    int32_t *guides;    // COIF_GUIDES_PER_CHILD per strand: indices into simulated, -1 for none
    float *guide_weights; // COIF_GUIDES_PER_CHILD per strand; sum to 1, all 0 without guides
    float
        *clump_scale; // 2 per strand, or NULL: times its guide's bending, and reach along the guide
    int32_t *region;  // per strand: what belongs together stays within one; NULL: there is only one
    uint64_t mesh_digest; // topology of the body it grew on
    uint64_t digest;      // of the content, metadata apart; set by save and load
    const char *metadata; // lines of key=value: scene digest, plugins, seed, version
} coif_groom;

// A simulated strand is its own only guide, with weight 1.

// Allocates all arrays for strands of the given lengths, every one simulated. Metadata is "".
coif_status coif_groom_init(coif_groom *groom, const int32_t *lengths, int32_t strand_count,
                            coif_arena *arena, coif_error *error);

coif_status coif_groom_save(coif_groom *groom, const char *path, coif_error *error);

// Every index in the file is checked, and every number that is used without looking.
coif_status coif_groom_load(coif_groom *groom, const char *path, coif_arena *arena,
                            coif_error *error);
coif_status coif_groom_read(coif_groom *groom, const coif_bytes *bytes, coif_arena *arena,
                            coif_error *error);

// Makes the first ceil(share * count) strands the simulated ones and binds every other to the three
// whose roots are nearest, weighted by inverse distance. Strands are in the order of the root
// sequence, so the simulated ones are spread evenly; ties go to the lower index. Share 0: none, all
// strands then move rigidly with their roots.
void coif_groom_bind(coif_groom *groom, double share, coif_arena *scratch);

// How strands are bound to guides.
typedef struct coif_guide_binding_desc {
    double fraction;        // of the strands that are guides
    const float *fractions; // per strand, multiplies fraction; NULL: 1
    const int32_t *order;   // guides are the first of these; NULL: storage order
    // Guides on skin of another orientation or combed another way count as further away: across a
    // parting, in another clump, behind the ear.
    bool match_orientation;
    // The scalp mesh, or NULL. With it, guides that are near in space but not along the surface are
    // rejected: lips, legs, chin and neck.
    const coif_mesh *mesh;
    // Per strand, or NULL: guides are taken from the strand's region only; in a region without
    // guides the first strand becomes one.
    const int32_t *region;
    bool clump;              // each child follows a single guide, with variation
    float variation;         // amount, 0 to 1
    const float *variations; // per strand instead, or NULL
} coif_guide_binding_desc;

// As bind; clones live in arena.
void coif_groom_bind_children(coif_groom *groom, const coif_guide_binding_desc *binding,
                              coif_arena *arena, coif_arena *scratch);

// An order of all strands in which every beginning is well spread, for grooms that did not grow
// from the root sequence.
void coif_groom_low_discrepancy_order(int32_t *order, const coif_groom *groom, coif_arena *scratch);

// The digest that saving would give it.
coif_status coif_groom_digest(uint64_t *digest, const coif_groom *groom, coif_error *error);

// The topology of the simulated strands alone: what frames of this groom are shaped like.
coif_status coif_groom_simulated_lengths(int32_t **lengths, const coif_groom *groom,
                                         coif_arena *arena);

// The simulated strands at rest, with radius, root_uv and colours: where a simulation starts.
coif_status coif_groom_simulated(coif_strands *strands, const coif_groom *groom, coif_arena *arena,
                                 coif_error *error);

#endif
