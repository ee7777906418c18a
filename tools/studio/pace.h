// pace: how many substeps a live frame may have, so that motion keeps up with the scene's clock.
//
// Time is what the machine makes of it, so a figure is taken of several frames. Never less than
// half of what the scene wants: beyond that, fewer strands are the better bargain.
#ifndef COIF_TOOLS_STUDIO_PACE_H
#define COIF_TOOLS_STUDIO_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { COIF_PACE_FRAMES = 5 };

// Zeroed memory knows nothing yet.
typedef struct coif_pace {
    int32_t substeps; // of the frames noted, 0: none yet
    int32_t wanted;   // by the scene
    double seconds[COIF_PACE_FRAMES];
    int32_t count;
    int32_t calm; // how often in a row there was time for one more
} coif_pace;

// A frame of so many substeps is wanted; how many it gets.
int32_t coif_pace_substeps(coif_pace *pace, int32_t wanted);

// It took so long, of so much time that there was.
void coif_pace_note(coif_pace *pace, double seconds, double budget);

#endif
