#include "tools/studio/server/document/growth_surface.h"

#include <math.h>

coif_status coif_studio_groom(const coif_node **groom, const coif_studio *studio, int64_t number,
                              coif_error *error)
{
    const coif_node *grooms = coif_node_at(studio->scene.root, "grooms");
    if (number < 0 || number >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "groom=%lld: the scene has %d",
                         (long long)number, grooms->child_count);
    }
    *groom = &grooms->children[number];
    return COIF_OK;
}

coif_status coif_growth_surface_of(coif_growth_surface *ground, const coif_studio *studio,
                                   const coif_node *groom, coif_error *error)
{
    coif_node_read(groom, 0.0, &ground->params);
    const coif_groom_params *params = &ground->params;
    ground->body = coif_bodies_find(studio->bodies, studio->body_count, params->body);
    if (ground->body == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: no body \"%s\"", groom->path, params->body);
    }
    ground->mesh = &ground->body->rest;
    const bool whole = params->group == NULL || params->group[0] == '\0';
    // A group that is not there has no triangles.
    const int32_t found = whole ? -1 : coif_mesh_find_group(ground->mesh, params->group);
    ground->group = whole ? -1 : found >= 0 ? found : INT32_MAX;
    return COIF_OK;
}

bool coif_growth_surface_has(const coif_growth_surface *ground, int32_t triangle)
{
    return ground->group < 0 || ground->mesh->groups[triangle] == ground->group;
}

double coif_growth_surface_size(const coif_growth_surface *ground)
{
    const coif_mesh *mesh = ground->mesh;
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (coif_growth_surface_has(ground, t)) {
            const int32_t *corner = mesh->indices + 3 * (int64_t)t;
            const coif_vec3 a = mesh->positions[corner[0]];
            const coif_vec3 across = coif_cross(coif_sub(mesh->positions[corner[1]], a),
                                                coif_sub(mesh->positions[corner[2]], a));
            area += 0.5 * (double)coif_length(across);
        }
    }
    return area;
}

int32_t coif_growth_surface_roots(const coif_growth_surface *ground)
{
    const double dense = (double)ground->params.strands_per_cm2;
    if (dense <= 0.0) {
        return ground->params.count;
    }
    return (int32_t)fmin(1e4 * dense * coif_growth_surface_size(ground) + 0.5, INT32_MAX);
}
