// groom_keyframes: frames at which keyed parameters change the rest shape.
#include "sim/groom/groom_generate_internal.h"

#include <string.h>

// Hair colour does not change the shape.
static bool affects_shape(const coif_node *node)
{
    return strcmp(node->section->name, "hair") != 0;
}

// First key after a frame among those of a table.
static void next_key_of_values(double *next, const coif_values *values, double after)
{
    for (uint32_t r = 0; r < values->row_count; ++r) {
        const coif_value *value = &values->values[r];
        for (int32_t k = 0; value->key_count > 1 && k < value->key_count; ++k) {
            if (value->frames[k] > after && value->frames[k] < *next) {
                *next = value->frames[k];
            }
        }
    }
}

static void next_key(double *next, const coif_node *node, double after)
{
    next_key_of_values(next, &node->values, after);
    if (node->plugin != NULL) {
        next_key_of_values(next, &node->plugin_values, after);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (node->list || affects_shape(&node->children[i])) {
            next_key(next, &node->children[i], after);
        }
    }
}

// When there are more keys than max_count, an even subset is kept; the last key is always
// included.
int32_t coif_groom_keyframe_times(double *frames, int32_t max_count, const coif_node *groom)
{
    const double none = 1e300;
    int32_t count = 0, seen = 0, stride = 1;
    double key = -none;
    for (double next = none; next_key(&next, groom, key), next < none; next = none) {
        key = next;
        if (count == max_count) { // keep every other one
            for (int32_t i = 0; 2 * i < max_count; ++i) {
                frames[i] = frames[2 * i];
            }
            count = (max_count + 1) / 2;
            stride *= 2;
        }
        if (seen++ % stride == 0) {
            frames[count++] = key;
        }
    }
    if (count > 0) {
        frames[count - 1] = key;
    }
    return count;
}
