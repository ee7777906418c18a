// density.bend: where the body bends, from the change of its curvature since the rest pose, so that
// hair rises on an arched back or in a crease.
#include <coif/deterministic_math.h>
#include <coif/plugin.h>

typedef struct bend_params {
    float start;
    float full;
    int32_t side;
} bend_params;

enum { CONVEX, CONCAVE, BOTH };

#define ROW(...) COIF_PLUGIN_ROW(bend_params, __VA_ARGS__)

static const char *const SIDES[] = {"convex", "concave", "both", NULL};

// clang-format off
static const coif_param PARAMS[] = {
    ROW(start, COIF_PARAM_FLOAT, 0, "Change of mean curvature at which the value begins to rise.", "1/m", 0.5, 0, 0, 0, 10000),
    ROW(full, COIF_PARAM_FLOAT, 0, "Change of mean curvature at which the value is 1.", "1/m", 5, 0, 0, 0.001, 10000),
    {.name = "side", .help = "Direction of bending that counts: convex (the skin stretches over a ridge), concave (it folds), or both.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(bend_params, side), .choices = SIDES},
};
// clang-format on

static void bend_map(const coif_host *host, const void *state, const void *params,
                     const coif_map_batch *batch)
{
    (void)host, (void)state;
    const bend_params *bend = params;
    const float width = bend->full - bend->start;
    for (int32_t i = 0; i < batch->count; ++i) {
        const float change = batch->curvature_change[i];
        const float counted = bend->side == CONVEX    ? change
                              : bend->side == CONCAVE ? -change
                                                      : fabsf(change);
        // Equal ends are a step.
        const float position = width > 1e-6f            ? (counted - bend->start) / width
                               : counted >= bend->start ? 1.0f
                                                        : 0.0f;
        batch->value[i] = coif_kit_smoothstep(position);
    }
}

static const coif_plugin BEND = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.bend", "1.0.0",
                     "Where the body bends, by the change of its curvature since the rest pose.",
                     PARAMS, bend_params),
    .map = bend_map,
    .needs = COIF_NEEDS_CURVATURE,
};

COIF_PLUGIN_ENTRY(BEND)
