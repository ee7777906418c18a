// render_bench: speed and memory of rendering the hairball.
//
// Speed is in samples per second of CPU time, so that other load on the machine matters little.
#ifndef COIF_RENDER_BENCH_RENDER_BENCH_H
#define COIF_RENDER_BENCH_RENDER_BENCH_H

#include "render/bench/hairball_scene.h"
#include "render/film/film.h"

typedef struct coif_bench_render_result {
    double seconds, wall;   // CPU and wall-clock seconds of the fastest round
    double samples;         // of one round
    double nearest, shadow; // rays per sample, when metered
    double embree_fraction; // of the time, when metered
} coif_bench_render_result;

typedef struct coif_bench_render_desc {
    int32_t size, samples, seed;
    int32_t indirect_cache; // as image/indirect_cache; filling it counts as rendering
    coif_pixel_filter_kind filter;
    int32_t rounds;
    int threads;
    bool metered; // one thread; a few per cent slower
} coif_bench_render_desc;

// Renders a hairball several times; film holds the last image and lives in the arena.
coif_status coif_hairball_render(coif_bench_render_result *result, coif_film *film,
                                 const coif_hairball *ball, const coif_bench_render_desc *desc,
                                 coif_arena *arena, coif_progress *progress, coif_error *error);

// Writes the film as RGB.
coif_status coif_hairball_save(const coif_film *film, const char *path, coif_arena *arena,
                               coif_error *error);

// Resident and peak memory of this process, in bytes.
double coif_hairball_bytes(void);
double coif_hairball_peak_bytes(void);

#endif
