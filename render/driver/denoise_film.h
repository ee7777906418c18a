// denoise_film: denoises rendered frames over their neighbours, as `coif denoise` does.
//
// Every frame with inputs (render0001.denoise) gets images render0001.denoised.png, ... of the
// formats it was rendered in. An image names the digests of all inputs it was made from; one that
// is up to date is kept, one whose neighbours have changed or were added is made again. So frames
// may be rendered and denoised in any order by any number of processes: after the last of them the
// images are those of one process.
#ifndef COIF_RENDER_DRIVER_DENOISE_FILM_H
#define COIF_RENDER_DRIVER_DENOISE_FILM_H

#include "core/base/log.h"

typedef struct coif_denoise_film_desc {
    const char *folder;
    int32_t radius;     // frames before and after; 0: as the frames say
    bool overwrite;     // also images that are up to date
    bool delete_inputs; // after all images are written
    bool optional;      // a folder without inputs is no error
} coif_denoise_film_desc;

coif_status coif_denoise_film(const coif_denoise_film_desc *desc, coif_jobs *jobs,
                              coif_progress *progress, coif_error *error);

#endif
