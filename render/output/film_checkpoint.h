// film_checkpoint: saves and restores the film of an unfinished render.
//
// A checkpoint stores the digest of the settings its film depends on. A damaged checkpoint, or one
// of other settings, is ignored with a warning, and rendering starts from zero.
#ifndef COIF_RENDER_OUTPUT_FILM_CHECKPOINT_H
#define COIF_RENDER_OUTPUT_FILM_CHECKPOINT_H

#include "render/film/film.h"

// Other threads may render meanwhile: the film is copied as it was at one point in time.
coif_status coif_film_checkpoint_save(const coif_film *film, uint64_t digest, const char *path,
                                      coif_error *error);

// Restores film from path. Other settings, another region and damage are COIF_ERR_FORMAT.
coif_status coif_film_checkpoint_read(coif_film *film, uint64_t digest, const char *path,
                                      coif_error *error);

// Restores film from path. The number of samples it then has: 0 without a usable checkpoint.
int64_t coif_film_checkpoint_load(coif_film *film, uint64_t digest, const char *path);

#endif
