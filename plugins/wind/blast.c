// wind.blast: a spherical blast wave from a point at a time: a door that slams, an explosion.
//
// Behind the front the air first moves outwards, then back (F. G. Friedlander's waveform, 1946);
// distance delays and attenuates it:
//
//   v(r, t) = speed / (1 + (r / reach)^2) (1 - s) exp(-s),   s = (t - time - r / front) / duration
#include <coif/strand.h>

typedef struct blast_params {
    float position[3];
    float time;
    float speed;
    float front_speed;
    float duration;
    float half_distance;
} blast_params;

#define ROW(...) COIF_PLUGIN_ROW(blast_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(position, COIF_PARAM_VEC3, 0, "Centre of the blast.", "m", 0, 0, 1, -1000, 1000),
    ROW(time, COIF_PARAM_FLOAT, 0, "Time of the blast after the first frame.", "s", 0.5, 0, 0, 0, 100000),
    ROW(speed, COIF_PARAM_FLOAT, 0, "Air speed at the centre.", "m/s", 20, 0, 0, -100, 100),
    ROW(front_speed, COIF_PARAM_FLOAT, 0, "Propagation speed of the wave; the speed of sound is 343.", "m/s", 40, 0, 0, 1, 10000),
    ROW(duration, COIF_PARAM_FLOAT, 0, "Duration of the positive phase, after which the air reverses.", "s", 0.15, 0, 0, 0.001, 100),
    ROW(half_distance, COIF_PARAM_FLOAT, 0, "Distance at which the strength is halved.", "m", 2, 0, 0, 0.01, 1000),
};
// clang-format on

static void blast_force(const coif_host *host, const void *state, const void *params,
                        const coif_force_batch *batch)
{
    (void)host, (void)state;
    const blast_params *blast = params;
    const coif_kit_vec centre =
        coif_kit_vec_make(blast->position[0], blast->position[1], blast->position[2]);
    const double since = batch->time - blast->time;
    if (since < 0.0) {
        return;
    }
    for (int32_t i = 0; i < batch->count; ++i) {
        const coif_kit_vec offset =
            coif_kit_sub(coif_kit_vec_make(batch->x[i], batch->y[i], batch->z[i]), centre);
        const float r = coif_kit_length(offset);
        const float s = (float)(since - r / blast->front_speed) / blast->duration;
        if (s < 0.0f || r < 1e-6f) {
            continue; // before the front, or at the centre, where no direction is defined
        }
        const float distance = r / blast->half_distance;
        const float speed =
            blast->speed / (1.0f + distance * distance) * (1.0f - s) * coif_kit_exp(-s);
        batch->wind_x[i] += speed * offset.x / r;
        batch->wind_y[i] += speed * offset.y / r;
        batch->wind_z[i] += speed * offset.z / r;
    }
}

static const coif_plugin BLAST = {
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.blast", "1.0.0",
                     "Spherical pressure wave from a point at a given time.", PARAMS, blast_params),
    .force = blast_force,
};

COIF_PLUGIN_ENTRY(BLAST)
