// regions: the groups of the mannequin and the level sets that bound them.
#ifndef COIF_ASSETS_REGIONS_H
#define COIF_ASSETS_REGIONS_H

#include "tools/assets/mannequin/head_sdf.h"
#include "tools/assets/shared/poly_mesh.h"

enum { HEAD_SCALP, HEAD_FACE, HEAD_EAR, HEAD_NECK, HEAD_BUST, HEAD_GROUPS };

// Feature lines that need edges along them without separating two groups.
enum { HEAD_LID_EDGE = HEAD_GROUPS, HEAD_LID_FOOT, HEAD_LINES };

enum { HEAD_HAIRLINE_POINTS = 320 };

// The hairline in cylindrical coordinates: x is the arc length around the head from the middle of
// the forehead, y the height.
typedef struct head_hairline {
    int count;
    double x[HEAD_HAIRLINE_POINTS], y[HEAD_HAIRLINE_POINTS];
} head_hairline;

typedef struct head_regions {
    const head_sdf *sdf;
    head_hairline hairline;
} head_regions;

void head_regions_init(head_regions *regions, const head_sdf *sdf);

// Level set of a group or line: positive inside, about the distance to the border in millimetres.
double head_regions_level(const head_regions *regions, int group, coif_vec3d p);

// Splits edges along all lines and borders, so that these are smooth, and assigns the group of
// each face.
void head_regions_split_edges(poly_mesh *mesh, const head_regions *regions);

#endif
