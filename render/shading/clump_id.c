#include "render/shading/clump_id.h"

#include <math.h>
#include <string.h>

// A disabled modifier has no clumps.
static bool is_off(const coif_node *entry)
{
    const coif_value *enabled = coif_values_find(&entry->values, "enabled");
    return enabled != NULL && enabled->given && enabled->numbers[0] == 0.0;
}

static int32_t count_in(const coif_node *modifiers, int32_t fallback)
{
    for (int32_t i = 0; i < modifiers->child_count; ++i) {
        const coif_node *entry = &modifiers->children[i];
        const bool is_clump = entry->plugin != NULL && !is_off(entry) &&
                              strcmp(entry->plugin->id, "groom.clump") == 0;
        const coif_value *value =
            is_clump ? coif_values_find(&entry->plugin_values, "count") : NULL;
        fallback = value != NULL ? (int32_t)value->numbers[0] : fallback;
    }
    return fallback;
}

int32_t coif_clump_count(const coif_node *groom, int32_t fallback)
{
    int32_t count = fallback;
    for (int32_t i = 0; i < groom->child_count; ++i) {
        if (strcmp(groom->children[i].section->name, "modifiers") == 0) {
            count = count_in(&groom->children[i], count);
        }
    }
    return count;
}

static coif_vec3 root_of(const coif_strands *rest, int32_t strand)
{
    return coif_vec4_xyz(rest->points[rest->first[strand]]);
}

static coif_vec3 middle_of(const coif_strands *rest, int32_t strand)
{
    return coif_vec4_xyz(rest->points[rest->first[strand] + coif_strands_length(rest, strand) / 2]);
}

static bool same_region(const coif_groom *groom, int32_t a, int32_t b)
{
    return groom->region == NULL || groom->region[a] == groom->region[b];
}

// -1: there is no centre in the region.
static int32_t nearest_centre(const coif_groom *groom, int32_t strand, int32_t count,
                              bool any_region)
{
    const coif_strands *rest = &groom->rest;
    const coif_vec3 root = root_of(rest, strand), middle = middle_of(rest, strand);
    count = count < rest->strand_count ? count : rest->strand_count;
    int32_t nearest = -1;
    float best = INFINITY;
    for (int32_t centre = 0; centre < count; ++centre) {
        const coif_vec3 a = coif_sub(root, root_of(rest, centre));
        const float root_distance = coif_dot(a, a);
        if (root_distance >= best || !(any_region || same_region(groom, strand, centre))) {
            continue;
        }
        const coif_vec3 b = coif_sub(middle, middle_of(rest, centre));
        const float distance = root_distance + 0.25f * coif_dot(b, b);
        if (distance < best) {
            best = distance;
            nearest = centre;
        }
    }
    return nearest;
}

int32_t coif_nearest_clump(const coif_groom *groom, int32_t strand, int32_t count)
{
    const int32_t centre = nearest_centre(groom, strand, count, false);
    return centre >= 0 ? centre : nearest_centre(groom, strand, count, true);
}

int32_t coif_clump_of_strand(const coif_groom *groom, int32_t strand, int32_t count)
{
    const int32_t centre = groom->clump != NULL ? groom->clump[strand] : -1;
    return centre >= 0 ? centre : coif_nearest_clump(groom, strand, count);
}
