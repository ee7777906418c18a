// Groom: rest hair with root positions, rest shape and guide binding.
//
// Strands are stored in the order of the root sequence, so that every prefix is evenly distributed.
// All or a fraction of them are simulated; the others (children) follow up to three simulated
// guides. Rest strands are in the coordinates of the body before any motion.
#ifndef COIF_CORE_HAIR_GROOM_H
#define COIF_CORE_HAIR_GROOM_H

#include "core/base/fs.h"
#include "core/hair/strands.h"
#include "core/mesh/mesh.h"

#define COIF_GUIDES_PER_CHILD 3

enum { COIF_TIE_FLOATS = 7 };

typedef struct coif_groom {
    coif_strands rest;       // all strands, with root_uv and rest radius
    int32_t *root_triangle;  // per strand: triangle of the body's mesh
    float *root_barycentric; // 2 per strand: weights of the triangle's second and third corner
    float *root_frame;       // 9 per strand: tangent, bitangent, normal of the scalp at rest
    uint32_t *random;        // per strand: hash for random variation

    int32_t simulated_count;
    int32_t *simulated; // ascending strand indices; simulated strand i is rest strand simulated[i]
    int32_t *guides;    // COIF_GUIDES_PER_CHILD per strand: indices into simulated, -1 for none
    float *guide_weights; // COIF_GUIDES_PER_CHILD per strand; sum to 1, all 0 without guides
    float *
        clump_scale; // 2 per strand, or NULL: factors of the guide's displacement and of its length
    // Rings of ties with a body, COIF_TIE_FLOATS per ring in rest space: centre, axis, radius. And
    // the fraction of its length at which a tie holds a strand, per strand; 0: none. NULL: no ties.
    float *ties;
    int32_t tie_count;
    float *tie_fraction;
    int32_t *region; // per strand: guides are of the same region; NULL: one region
    int32_t *clump;  // per strand: strand at the centre of its clump, -1: none; NULL: no clumps
    uint64_t mesh_digest; // topology digest of the scalp mesh
    uint64_t digest;      // of the content without metadata; set by save and load
    const char *metadata; // key=value lines: scene digest, plugins, seed, version
} coif_groom;

// A simulated strand is its own guide with weight 1.

// Allocates a groom with strands of the given lengths, all simulated. Metadata is "".
coif_status coif_groom_init(coif_groom *groom, const int32_t *lengths, int32_t strand_count,
                            coif_arena *arena, coif_error *error);

coif_status coif_groom_save(coif_groom *groom, const char *path, coif_error *error);

// All indices and numbers of the file are validated.
coif_status coif_groom_load(coif_groom *groom, const char *path, coif_arena *arena,
                            coif_error *error);
coif_status coif_groom_read(coif_groom *groom, const coif_bytes *bytes, coif_arena *arena,
                            coif_error *error);

// Roots must be on the mesh: triangle_count triangles. A file cannot be validated without its mesh.
// name is that of the file or of the groom.
coif_status coif_groom_check_roots(const coif_groom *groom, int32_t triangle_count,
                                   const char *name, coif_error *error);

// Simulates the first ceil(fraction * count) strands and binds every other strand to the three
// nearest of them, weighted by inverse root distance; ties go to the lower index. Strands are in
// the order of the root sequence, so the simulated ones are evenly distributed. With fraction 0 all
// strands move rigidly with their roots.
void coif_groom_bind(coif_groom *groom, double fraction, coif_arena *scratch);

// Options of guide binding.
typedef struct coif_guide_binding_desc {
    double fraction;        // of the strands that are guides
    const float *fractions; // per strand, multiplies fraction; NULL: 1
    const int32_t *order;   // guides are the first of these; NULL: storage order
    // Guides on skin of another orientation or combed in another direction count as further away:
    // across a parting, in another clump, behind the ear.
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

// As coif_groom_bind with options; clump_scale is allocated in arena.
void coif_groom_bind_children(coif_groom *groom, const coif_guide_binding_desc *binding,
                              coif_arena *arena, coif_arena *scratch);

// Strand order in which every prefix is evenly distributed, for grooms without a root sequence.
void coif_groom_low_discrepancy_order(int32_t *order, const coif_groom *groom, coif_arena *scratch);

// Computes the digest that saving would store.
coif_status coif_groom_digest(uint64_t *digest, const coif_groom *groom, coif_error *error);

// The simulated strands at rest, with radius, root_uv and colours: the initial state of a
// simulation.
coif_status coif_groom_simulated(coif_strands *strands, const coif_groom *groom, coif_arena *arena,
                                 coif_error *error);

#endif
