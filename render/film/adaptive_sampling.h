// refine: which squares of a film get further samples, when a wanted noise is given.
//
// All squares get image->min_samples, are looked at, those that are not good enough get as many
// again, are looked at, and so on. A square asks its own samples alone, so the answer is the same
// whenever and wherever it is rendered. Squares go on together from look to look, since samples
// are shared among those alone that go on: to a pixel that gets no more of its own, its neighbours'
// would bring one side of its surroundings and not the other.
#ifndef COIF_RENDER_FILM_ADAPTIVE_SAMPLING_H
#define COIF_RENDER_FILM_ADAPTIVE_SAMPLING_H

#include "render/film/film.h"

typedef struct coif_adaptive_state {
    int32_t x0, y0, blocks_x, blocks_y; // of the film, in squares of the picture
    bool *needs_samples;                // per square, beyond the look it was last asked about
} coif_adaptive_state;

void coif_adaptive_state_init(coif_adaptive_state *refinement, const coif_film *film,
                              coif_arena *arena);

// The number of samples after count at which squares are looked at; image->samples without noise.
int32_t coif_adaptive_next_check(const coif_image_params *image, int32_t count);

// Decides at a look. Every square has that many samples by then, or was good enough with fewer.
void coif_adaptive_state_update(coif_adaptive_state *refinement, const coif_film *film,
                                const coif_image_params *image, int32_t look);

// Whether the square of a pixel goes on. What lies outside the picture does not; what only is not
// on the film does.
bool coif_adaptive_state_needs_samples(const coif_adaptive_state *refinement, const coif_film *film,
                                       int32_t x, int32_t y);

#endif
