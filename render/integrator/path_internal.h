// path_state: one path on its way, for the files that follow it (path.c, path_light.c,
// path_notes.c).
#ifndef COIF_RENDER_INTEGRATOR_PATH_INTERNAL_H
#define COIF_RENDER_INTEGRATOR_PATH_INTERNAL_H

#include "render/integrator/path.h"
#include "render/integrator/path_guiding.h"

// Directions tried for one shadow ray towards lights.
enum { COIF_LIGHT_CANDIDATES = 4 };

typedef struct coif_path_state {
    const coif_render_scene *stage;
    coif_vec3 radiance;
    coif_vec3 carried; // what light from here on is multiplied by
    uint32_t rng_word; // alpha_seed of the next ray
    int32_t depth;
    bool ends;                     // this scattering is the last one allowed
    bool hair_first;               // what the camera saw was hair
    coif_primary_hit *catcher_hit; // the camera saw a shadow catcher; else NULL
    coif_light_aovs *split;        // NULL: nobody asks
} coif_path_state;

static inline float coif_max_component(coif_vec3 c)
{
    return coif_max(c.x, coif_max(c.y, c.z));
}

// Adds light that was found at a depth; what of it was added.
coif_vec3 coif_path_add_radiance(coif_path_state *path, coif_vec3 light, int32_t depth);

// Tells layers of light that was added. Only where split is there.
void coif_path_record_aov(coif_path_state *path, coif_aov_kind part, coif_vec3 light);
void coif_path_record_aov_group(coif_path_state *path, int32_t group, coif_vec3 light);

// The same for light of a source that a vertex at that depth scattered from direction wi.
void coif_path_record_aov_scattered(coif_path_state *path, int32_t depth,
                                    const coif_interaction *vertex, coif_vec3 wi, int32_t light,
                                    coif_vec3 added);

// Of paths that carry all light, this share goes on, on the average over directions. More is less
// noise and more time; measured over dark, blond and white hair, 0.8 to 1.6 cost about the same.
#define COIF_RR_SURVIVAL 1.2f

// Later vertices send fewer paths on: whatever they find is multiplied by what was drawn before
// them, whose noise they cannot take away. There is a least, or the few paths that go far would be
// seen as specks.
static inline float coif_rr_survival(const coif_path_state *path)
{
    const float later = COIF_RR_SURVIVAL / (1.0f + 0.4f * (float)path->depth);
    return path->ends ? 0.0f : coif_max(later, 0.4f * COIF_RR_SURVIVAL);
}

// The density with which paths go on in a direction: that of choosing it, which is pdf, times the
// chance that roulette lets it go. Onward is the most that the path would carry in any colour, not
// divided by anything; favour that of bearings.
static inline float coif_rr_pdf(const coif_path_state *path, float favour, float onward, float pdf)
{
    return coif_min(pdf, coif_rr_survival(path) * favour * onward);
}

// The ray that leaves a vertex.
coif_ray coif_spawn_ray(coif_path_state *path, const coif_interaction *vertex, coif_vec3 wi);

// How a path leaves a vertex.
typedef struct coif_bsdf_sample {
    const coif_interaction *vertex;
    coif_vec3 direction, f;
    float pdf, density; // of choosing the direction; of going there (coif_rr_pdf)
    bool goes;          // what roulette said
    coif_vec3 carried;  // to the vertex
    float total;        // of lights there
} coif_bsdf_sample;

// Light that arrives at a vertex straight from lights, as far as it is aimed at, or lies where the
// path would have gone on but does not.
void coif_estimate_direct(coif_path_state *path, const coif_bsdf_sample *on,
                          const coif_path_guide *bearings, coif_sampler *sampler);

#endif
