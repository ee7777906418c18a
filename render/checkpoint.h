// checkpoint: the finished tiles of an unfinished picture, kept on disk.
//
// A checkpoint names the settings it belongs to by digest. One that is damaged, or belongs to other
// settings, is left aside with a line in the log, and the picture starts again.
#ifndef COIF_RENDER_CHECKPOINT_H
#define COIF_RENDER_CHECKPOINT_H

#include "render/film.h"

coif_status coif_checkpoint_save(const coif_film *film, uint64_t settings, const char *path,
                                 coif_error *error);

// Takes over the finished tiles of path into film; the number of them, 0 when there is nothing to
// take over.
int32_t coif_checkpoint_load(coif_film *film, uint64_t settings, const char *path);

#endif
