// grow, keys: when hair at rest changes.
#include "sim/groom/groom_generate_internal.h"

#include <string.h>

// Colour is no shape.
static bool shapes(const coif_node *node)
{
    return strcmp(node->section->name, "hair") != 0;
}

// The least key after a frame, among those of a table.
static void next_of(double *next, const coif_values *values, double after)
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
    next_of(next, &node->values, after);
    if (node->plugin != NULL) {
        next_of(next, &node->plugin_values, after);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (node->list || shapes(&node->children[i])) {
            next_key(next, &node->children[i], after);
        }
    }
}

// Where there are more, what is left out lies evenly among them; the last is always there.
int32_t coif_groom_keyframe_times(double *frames, int32_t most, const coif_node *groom)
{
    const double none = 1e300;
    int32_t count = 0, met = 0, every = 1;
    double at = -none;
    for (double next = none; next_key(&next, groom, at), next < none; next = none) {
        at = next;
        if (count == most) { // keep every other one
            for (int32_t i = 0; 2 * i < most; ++i) {
                frames[i] = frames[2 * i];
            }
            count = (most + 1) / 2;
            every *= 2;
        }
        if (met++ % every == 0) {
            frames[count++] = at;
        }
    }
    if (count > 0) {
        frames[count - 1] = at;
    }
    return count;
}
