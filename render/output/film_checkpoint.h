// checkpoint: the film of an unfinished picture, or of one that may get more samples, on disk.
//
// A checkpoint names what its film was gathered from by digest. One that is damaged, or belongs to
// something else, is left aside with a line in the log, and the picture starts again.
#ifndef COIF_RENDER_OUTPUT_FILM_CHECKPOINT_H
#define COIF_RENDER_OUTPUT_FILM_CHECKPOINT_H

#include "render/film/film.h"

// Others may go on gathering meanwhile: every pixel is kept as it was at some time.
coif_status coif_checkpoint_save(const coif_film *film, uint64_t settings, const char *path,
                                 coif_error *error);

// Takes over the sums of path into film; the number of samples, 0 when there is nothing to take
// over.
int64_t coif_checkpoint_load(coif_film *film, uint64_t settings, const char *path);

#endif
