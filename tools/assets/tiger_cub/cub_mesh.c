#include "tools/assets/tiger_cub/cub_mesh.h"

#include "tools/assets/shared/smooth.h"
#include "tools/assets/shared/surface_nets.h"

static const coif_vec3d LOW = {-112, -12, -486}, HIGH = {136, 476, 352};
static const double SPACING = 5.2;

static surface_nets_axis uniform_axis(double low, double high)
{
    surface_nets_axis axis = {.count = (int)((high - low) / SPACING) + 1};
    for (int i = 0; i < axis.count; ++i) {
        axis.at[i] = low + SPACING * i;
    }
    return axis;
}

static coif_vec3d surface_normal(const void *cub, coif_vec3d p)
{
    return cub_normal(cub, p);
}

static coif_vec3d surface_project(const void *cub, coif_vec3d p)
{
    for (int iteration = 0; iteration < 2; ++iteration) {
        p = coif_vec3d_mad(p, -sdf_clamp(cub_distance(cub, p), -2, 2), cub_normal(cub, p));
    }
    return p;
}

// Newton iterations onto the rim of the nose for points close to it, so that the groups meet in a
// smooth line.
static void snap_to_nose(poly_mesh *mesh, const tiger_cub *cub)
{
    const double h = 0.1;
    for (int i = 0; i < mesh->point_count; ++i) {
        for (int iteration = 0; iteration < 3; ++iteration) {
            const coif_vec3d p = mesh->point[i];
            const double d = cub_nose(cub, p);
            if (fabs(d) > 0.5 * SPACING) {
                break;
            }
            const coif_vec3d gradient = xyz((cub_nose(cub, xyz(p.x + h, p.y, p.z)) - d) / h,
                                            (cub_nose(cub, xyz(p.x, p.y + h, p.z)) - d) / h,
                                            (cub_nose(cub, xyz(p.x, p.y, p.z + h)) - d) / h);
            const double step = -0.9 * d / fmax(coif_vec3d_dot(gradient, gradient), 0.2);
            mesh->point[i] = surface_project(cub, coif_vec3d_mad(p, step, gradient));
        }
    }
}

void cub_mesh_build(poly_mesh *mesh, const tiger_cub *cub, coif_arena *arena)
{
    const surface_nets_desc desc = {.field = {cub_field, cub},
                                    .x = uniform_axis(LOW.x, HIGH.x),
                                    .y = uniform_axis(LOW.y, HIGH.y),
                                    .z = uniform_axis(LOW.z, HIGH.z),
                                    .join_sheets = true,
                                    .flip_diagonals = true};
    const smooth_surface surface = {surface_normal, surface_project, cub, .half = false};
    surface_nets_build(mesh, &desc, arena);
    smooth_mesh(mesh, &surface, 3);
    snap_to_nose(mesh, cub);
    for (int f = 0; f < mesh->face_count; ++f) {
        coif_vec3d center = {0};
        for (int c = 0; c < 4; ++c) {
            center = coif_vec3d_mad(center, 0.25, mesh->point[mesh->face[f].corner[c]]);
        }
        mesh->face[f].group = cub_is_bare(cub, center) ? CUB_SKIN : CUB_COAT;
    }
}

// Spheres of rings around the optical axis: pupil, iris and dark rim. Rings are denser in front.
void cub_mesh_add_eyes(poly_mesh *mesh, const tiger_cub *cub)
{
    enum { SECTORS = 40, RINGS = 22 };
    const double turn = 6.283185307179586 / SECTORS, radius = cub_eye_radius();
    for (int side = -1; side <= 1; side += 2) {
        const int first = mesh->point_count;
        for (int r = 0; r <= RINGS; ++r) {
            const double angle = 0.002 + 2.4 * pow((double)r / RINGS, 1.4);
            for (int a = 0; a < SECTORS; ++a) {
                const coif_vec3d n =
                    xyz(sin(angle) * cos(a * turn), sin(angle) * sin(a * turn), cos(angle));
                // Turned outwards by about 0.1 rad.
                const coif_vec3d axis = xyz(n.x + 0.10 * side * n.z, n.y, n.z - 0.10 * side * n.x);
                const coif_vec3d p =
                    coif_vec3d_mad(cub_eye(side), radius, coif_vec3d_normalize(axis));
                poly_mesh_add_point(mesh, cub_from_head(cub, p));
            }
        }
        for (int r = 0; r < RINGS; ++r) {
            const double angle = 2.4 * pow((r + 0.5) / RINGS, 1.4);
            for (int a = 0; a < SECTORS; ++a) {
                const int b = (a + 1) % SECTORS, row = first + r * SECTORS;
                const poly_face face = {{row + a, row + SECTORS + a, row + SECTORS + b, row + b},
                                        angle > 0.27 && angle < 0.98 ? CUB_EYE : CUB_PUPIL};
                poly_mesh_add_face(mesh, face);
            }
        }
    }
}
