// test_shapes: polylines for strands and small meshes for bodies.
#ifndef COIF_SIM_VALIDATION_TEST_SHAPES_H
#define COIF_SIM_VALIDATION_TEST_SHAPES_H

#include "core/mesh/mesh.h"

// Points along a direction (unit) from the origin.
const coif_vec3 *coif_shape_straight(int32_t points, double length, coif_vec3 along,
                                     coif_arena *arena);

// A helix that leads down from the origin, its axis beside it (see helix_hang_kirchhoff.csv).
typedef struct coif_helix {
    double pitch; // radians above the plane of its circle
    double turns, radius;
} coif_helix;
double coif_helix_length(const coif_helix *helix);
const coif_vec3 *coif_shape_helix(int32_t points, const coif_helix *helix, coif_arena *arena);

// A square of side metres around the origin in the plane y = 0, facing up, cut into cells x cells
// quads; u and v run along x and -z.
coif_mesh coif_shape_plane(float side, int32_t cells, coif_arena *arena);

// A cylinder around the z axis, from -half to half, open at its ends.
coif_mesh coif_shape_cylinder(float radius, float half, int32_t sides, coif_arena *arena);

// A closed ellipsoid: a cube of cells x cells quads per face, blown up. 12 cells^2 triangles.
coif_mesh coif_shape_ellipsoid(coif_vec3 centre, coif_vec3 radii, int32_t cells, coif_arena *arena);

#endif
