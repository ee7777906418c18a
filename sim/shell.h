// shell: signed distances around a body at rest, for the parts of it that move as one piece.
//
// A search through the triangles of a body is dear, and hair on a head asks for millions per frame.
// So the distance is sampled once, in the rest pose: blocks of 4 x 4 x 4 cells near the surface
// hold it at their corners, all other blocks only how far away the surface is at least. A cell
// whose values, interpolated, do not say the same as the triangles do, is not sure: there the
// triangles are asked (ears, lips, sharp edges).
//
// In each frame the parts are fitted to where their vertices are: a body that turns is asked in its
// own coordinates. What lies between parts (a neck that twists) is the joint, and is not answered
// here.
#ifndef COIF_SIM_SHELL_H
#define COIF_SIM_SHELL_H

#include "sim/collide.h"
#include "sim/rigid.h"

enum { COIF_SHELL_CELLS = 4, COIF_SHELL_SAMPLES = 125, COIF_SHELL_PARTS = 2 };

typedef struct coif_shell_block {
    float distance[COIF_SHELL_SAMPLES]; // x runs fastest; below zero inside
    int32_t part;                       // whose surface is nearest, -1: the joint
    bool mixed;                         // in some places that of another
    int32_t hint;                       // a triangle near the middle
    uint64_t sure;                      // a bit per cell
} coif_shell_block;

typedef struct coif_shell_part {
    int32_t corner[3]; // vertices that tell where it is
    coif_vec3 rest[3];
    float *bound; // per block: nothing of it is nearer, for all that matters; below zero inside
    coif_rigid begin, end; // of the frame
} coif_shell_part;

typedef struct coif_shell {
    coif_vec3 low; // corner of the first block
    float cell;
    int32_t size[3]; // blocks
    float beyond;    // nothing outside all blocks is nearer than this
    int32_t *index;  // per block: where its values are, or -1
    coif_shell_block *blocks;
    int32_t block_count;

    const coif_mesh *mesh;
    const uint8_t *part_of; // per vertex: 0 in the joint, else one more than the part
    coif_shell_part parts[COIF_SHELL_PARTS];
    int32_t part_count;
    bool holds;                 // in this frame every part has moved as one piece
    coif_collider *joint;       // triangles that belong to no part, and their neighbours; or NULL
    const coif_collider *still; // the body, whose tree stands at rest while the shell holds
} coif_shell;

// Part_of has 0, 1 or 2 for each vertex of the mesh and must outlive the shell, as still must.
// False: there is nothing to sample, or no part big enough to be followed.
bool coif_shell_build(coif_shell *shell, const coif_mesh *mesh, const uint8_t *part_of,
                      const coif_collider *still, coif_arena *arena, coif_jobs *jobs);

// Where the parts are in this frame; sets holds.
void coif_shell_follow(coif_shell *shell, const coif_vec3 *begin, const coif_vec3 *end);

// The part of a triangle, from 0 on; -1 in the joint.
int32_t coif_shell_part_of(const coif_shell *shell, int32_t triangle);

typedef enum coif_shell_says {
    COIF_SHELL_SURE,
    COIF_SHELL_OTHERS, // another part is nearer
    COIF_SHELL_ASK     // the triangles know
} coif_shell_says;

// Signed distance at a place of the rest pose and its gradient, not unit; or a triangle where the
// search may begin, -1 for none, and a distance within which there is nothing outside.
typedef struct coif_shell_answer {
    float distance;
    coif_vec3 slope;
    int32_t hint;
} coif_shell_answer;
coif_shell_says coif_shell_look(coif_shell_answer *answer, const coif_shell *shell, int32_t part,
                                coif_vec3 place);

// The block of a place, -1 outside.
static inline int32_t coif_shell_block_at(const coif_shell *shell, coif_vec3 place)
{
    const float scale = 1.0f / (COIF_SHELL_CELLS * shell->cell);
    const float x = (place.x - shell->low.x) * scale;
    const float y = (place.y - shell->low.y) * scale;
    const float z = (place.z - shell->low.z) * scale;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)shell->size[0] &&
          y < (float)shell->size[1] && z < (float)shell->size[2])) {
        return -1;
    }
    return ((int32_t)z * shell->size[1] + (int32_t)y) * shell->size[0] + (int32_t)x;
}

// Nothing of the part is nearer to the place than this; below zero deep inside.
static inline float coif_shell_bound(const coif_shell *shell, int32_t part, coif_vec3 place)
{
    const int32_t block = coif_shell_block_at(shell, place);
    return block < 0 ? shell->beyond : shell->parts[part].bound[block];
}

#endif
