// pace: how much of a live frame there is time for, so that motion keeps up with the scene's clock:
// fewer substeps at first, then fewer strands that are solved, then fewer strands; and all of it
// back, the last first, when there is time again.
//
// Time is what the machine makes of it, so a figure is taken of several frames. Never fewer than
// half of the substeps that the scene wants: beyond that, fewer strands are the better
// bargain. What is given back and has to be taken away again soon is given back later the next
// time, so that nothing goes back and forth.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_REALTIME_BUDGET_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_REALTIME_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum { COIF_PACE_FRAMES = 5 };

// Zeroed memory knows nothing yet. Shares and strands are meaningful after
// coif_realtime_budget_begin.
typedef struct coif_realtime_budget {
    int32_t substeps; // of the frames noted, 0: none yet
    int32_t wanted;   // by the scene
    float solve;      // of the strands that would be solved, those that are
    float strands;    // of the strands that are wanted, those there are
    float fewest;     // of them, at least
    double seconds[COIF_PACE_FRAMES];
    int32_t count;
    int32_t calm;   // how often in a row there was time for more
    int32_t late;   // how often in a row there was not even time for the least
    int32_t given;  // figures since something was given back, more than enough at first
    int32_t doubts; // how much longer than usual there must be time for more
    int32_t rest;   // how often pictures may come: 0 always, 1 seldom, 2 less
} coif_realtime_budget;

// All strands, of which at least this share has to stay.
void coif_realtime_budget_begin(coif_realtime_budget *pace, float fewest);

// A frame of so many substeps is wanted; how many it gets.
int32_t coif_realtime_budget_substeps(coif_realtime_budget *pace, int32_t wanted);

// It took so long, of so much time that there was. True: there shall be other strands now.
bool coif_realtime_budget_note(coif_realtime_budget *pace, double seconds, double budget);

// When the frame after the one that was due then is due: as fast as the scene's clock at most. What
// a moment's delay has cost is made up for, what is longer ago than six frames is not.
double coif_realtime_budget_due(double before, double now, double budget);

// Seconds between pictures for a page that draws them with the processors that solve.
double coif_realtime_budget_pause(const coif_realtime_budget *pace);

#endif
