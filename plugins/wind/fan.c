// wind.fan: a turbulent round jet from a nozzle: a hair dryer, a stage fan.
//
// The radial profile is Gaussian with width b; along the axis b grows with the spread angle and the
// speed falls as 1 / b, which conserves momentum (H. Schlichting, Boundary-layer theory, 1979).
// Free jets spread by about 6 degrees, diffusers by more.
#include <coif/strand.h>

typedef struct fan_params {
    float position[3];
    float target[3];
    float speed;
    float radius;
    float spread_angle;
} fan_params;

#define ROW(...) COIF_PLUGIN_ROW(fan_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(position, COIF_PARAM_VEC3, 0, "Centre of the nozzle.", "m", 0, 0, 1, -1000, 1000),
    ROW(target, COIF_PARAM_VEC3, 0, "Point at which the nozzle is aimed.", "m", 0, 0, 0, -1000, 1000),
    ROW(speed, COIF_PARAM_FLOAT, 0, "Air speed at the centre of the nozzle.", "m/s", 12, 0, 0, 0, 100),
    ROW(radius, COIF_PARAM_FLOAT, 0, "Radius of the nozzle, at which the speed falls to 1/e.", "m", 0.03, 0, 0, 0.001, 10),
    ROW(spread_angle, COIF_PARAM_FLOAT, 0, "Half angle by which the jet widens.", "deg", 6, 0, 0, 0, 60),
};
// clang-format on

static void fan_force(const coif_host *host, const void *state, const void *params,
                      const coif_force_batch *batch)
{
    (void)host, (void)state;
    const fan_params *fan = params;
    const coif_kit_vec nozzle =
        coif_kit_vec_make(fan->position[0], fan->position[1], fan->position[2]);
    const coif_kit_vec target = coif_kit_vec_make(fan->target[0], fan->target[1], fan->target[2]);
    const coif_kit_vec along =
        coif_kit_normalize(coif_kit_sub(target, nozzle), coif_kit_vec_make(0.0f, 0.0f, -1.0f));
    const float angle = fan->spread_angle * (COIF_KIT_TAU / 360.0f);
    const float widening = coif_kit_sin(angle) / coif_kit_cos(angle);

    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_vec offset =
            coif_kit_sub(coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]), nozzle);
        const float axial = coif_kit_dot(offset, along);
        const coif_kit_vec radial = coif_kit_mad(offset, -axial, along);
        const float width = fan->radius + widening * (axial > 0.0f ? axial : 0.0f);
        const float radius_ratio = coif_kit_length(radial) / width;
        // No flow behind the nozzle; the jet builds up over one radius.
        const float onset = coif_kit_smoothstep(axial / fan->radius + 1.0f);
        const float speed =
            fan->speed * onset * (fan->radius / width) * coif_kit_exp(-radius_ratio * radius_ratio);
        // Streamlines diverge with the spread of the jet.
        const coif_kit_vec streamline =
            axial > 0.0f ? coif_kit_mad(along, widening / width, radial) : along;
        batch->wind_x[i] += speed * streamline.x;
        batch->wind_y[i] += speed * streamline.y;
        batch->wind_z[i] += speed * streamline.z;
    }
}

static const coif_plugin FAN = {
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.fan", "1.0.0",
                     "Air jet from a nozzle, like a hair dryer.", PARAMS, fan_params),
    .force = fan_force,
};

COIF_PLUGIN_ENTRY(FAN)
