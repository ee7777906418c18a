// wind.vortex: air rotating about an axis, with inflow and updraft: a whirl, a dust devil.
//
// The tangential speed is that of a Lamb-Oseen vortex (H. Lamb, Hydrodynamics, 1932):
//
//   v(r) = G / (2 pi r) (1 - exp(-r^2 / c^2))
//
// which is divergence-free and fastest at r = 1.1209 c; `radius` is that radius and `speed` the
// speed there. Inflow and updraft act in the core only.
#include <coif/strand.h>

typedef struct vortex_params {
    float position[3];
    float axis[3];
    float speed;
    float radius;
    float inflow;
    float updraft;
} vortex_params;

#define ROW(...) COIF_PLUGIN_ROW(vortex_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(position, COIF_PARAM_VEC3, 0, "Point on the axis.", "m", 0, 0, 0, -1000, 1000),
    ROW(axis, COIF_PARAM_VEC3, 0, "Direction of the axis; the air rotates counter-clockwise about it.", "", 0, 1, 0, -1, 1),
    ROW(speed, COIF_PARAM_FLOAT, 0, "Maximum tangential speed.", "m/s", 3, 0, 0, -100, 100),
    ROW(radius, COIF_PARAM_FLOAT, 0, "Distance from the axis at which the tangential speed is greatest.", "m", 0.3, 0, 0, 0.001, 1000),
    ROW(inflow, COIF_PARAM_FLOAT, 0, "Maximum speed towards the axis.", "m/s", 0, 0, 0, -100, 100),
    ROW(updraft, COIF_PARAM_FLOAT, 0, "Speed along the axis at the centre of the core.", "m/s", 0, 0, 0, -100, 100),
};
// clang-format on

// Radius of maximum speed in core radii, the root of 2 r^2 = exp(r^2) - 1, and the speed there for
// G = 2 pi c.
static const float PEAK_RADIUS = 1.1209064f;
static const float PEAK_SPEED = 0.6381727f;

static void vortex_force(const coif_host *host, const void *state, const void *params,
                         const coif_force_batch *batch)
{
    (void)host, (void)state;
    const vortex_params *vortex = params;
    const coif_kit_vec up = coif_kit_vec_make(0.0f, 1.0f, 0.0f);
    const coif_kit_vec axis = coif_kit_normalize(
        coif_kit_vec_make(vortex->axis[0], vortex->axis[1], vortex->axis[2]), up);
    const coif_kit_vec centre =
        coif_kit_vec_make(vortex->position[0], vortex->position[1], vortex->position[2]);
    const float core = vortex->radius / PEAK_RADIUS;

    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_vec offset =
            coif_kit_sub(coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]), centre);
        const coif_kit_vec radial = coif_kit_mad(offset, -coif_kit_dot(offset, axis), axis);
        const float r = coif_kit_length(radial) / core;
        // Limit of v(r) / r on the axis.
        const float core_profile = coif_kit_exp(-r * r);
        const float angular_speed =
            (r > 1e-3f ? (1.0f - core_profile) / (r * r) : 1.0f) / (PEAK_SPEED * core);
        coif_kit_vec air =
            coif_kit_scale(coif_kit_cross(axis, radial), vortex->speed * angular_speed);
        air = coif_kit_mad(air, -vortex->inflow * angular_speed, radial);
        air = coif_kit_mad(air, vortex->updraft * core_profile, axis);
        batch->wind_x[i] += air.x;
        batch->wind_y[i] += air.y;
        batch->wind_z[i] += air.z;
    }
}

static const coif_plugin VORTEX = {
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.vortex", "1.0.0", "Air rotating about an axis.", PARAMS,
                     vortex_params),
    .force = vortex_force,
};

COIF_PLUGIN_ENTRY(VORTEX)
