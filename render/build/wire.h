// wire: strands as thin polylines with a dot at every point, to see the nodes of a groom or cache.
//
// One mesh of prisms and icosahedra. Widths are in pixels of the image, so that lines and dots are
// readable at any distance. Simulated strands are orange, interpolated ones blue; the dot of a root
// is red.
#ifndef COIF_RENDER_BUILD_WIRE_H
#define COIF_RENDER_BUILD_WIRE_H

#include "core/hair/groom.h"
#include "render/camera/camera.h"
#include "render/shading/surface_material.h"

typedef struct coif_wire_desc {
    const coif_strands *strands; // all strands of the groom
    const coif_groom *groom;
    const coif_camera *camera;
    int32_t max_strands; // evenly selected; 0: all
} coif_wire_desc;

// The mesh has no triangles without strands. COIF_ERR_ARGUMENT for more points than can be drawn.
coif_status coif_wire_make(coif_mesh *mesh, const coif_wire_desc *desc, coif_arena *arena,
                           coif_error *error);

// Materials of these meshes.
const coif_surface_material *coif_wire_materials(coif_arena *arena);

#endif
