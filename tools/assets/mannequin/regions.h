// regions: which part of the mannequin is scalp, face, ear, neck and bust.
#ifndef COIF_ASSETS_REGIONS_H
#define COIF_ASSETS_REGIONS_H

#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/mannequin/head_sdf.h"

// Lines that are no borders but sharp enough to want edges along them.
enum { HEAD_LID_EDGE = HEAD_GROUPS, HEAD_LID_FOOT, HEAD_LINES };

enum { HEAD_HAIRLINE_POINTS = 320 };

// The hairline, unrolled: x is the way around the head from the middle of the forehead, y height.
typedef struct head_hairline {
    int count;
    double x[HEAD_HAIRLINE_POINTS], y[HEAD_HAIRLINE_POINTS];
} head_hairline;

typedef struct head_regions {
    const head_sculpture *sculpture;
    head_hairline hairline;
} head_regions;

void head_regions_init(head_regions *regions, const head_sculpture *sculpture);

// Positive inside the region (or on one side of the line), about millimetres from its border.
double head_regions_level(const head_regions *regions, int group, head_vec p);

// Cuts the mesh along every line and border, so that they are smooth, and gives each face its
// group.
void head_regions_cut(head_mesh *mesh, const head_regions *regions);

#endif
