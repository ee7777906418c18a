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

int32_t coif_clump_of_strand(const coif_strands *rest, int32_t strand, int32_t clumps)
{
    const coif_vec3 root = root_of(rest, strand), middle = middle_of(rest, strand);
    const int32_t count = clumps < rest->strand_count ? clumps : rest->strand_count;
    int32_t nearest = 0;
    float least = INFINITY;
    for (int32_t clump = 0; clump < count; ++clump) {
        const coif_vec3 a = coif_sub(root, root_of(rest, clump));
        const float near = coif_dot(a, a);
        if (near >= least) {
            continue;
        }
        const coif_vec3 b = coif_sub(middle, middle_of(rest, clump));
        const float distance = near + 0.25f * coif_dot(b, b);
        if (distance < least) {
            least = distance;
            nearest = clump;
        }
    }
    return nearest;
}
