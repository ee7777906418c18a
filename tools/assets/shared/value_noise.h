// noise: random numbers that belong to a place, so that every run draws the same.
#ifndef COIF_ASSETS_VALUE_NOISE_H
#define COIF_ASSETS_VALUE_NOISE_H

#include "tools/assets/shared/vec.h"

// 0 to 1, for a cell of the integer grid; `word` tells apart what is drawn there.
double head_random(int x, int y, int z, int word);

// -1 to 1, smooth, changing over about a unit.
double head_noise(head_vec p);

// 0 to 1: how much of a spot covers the place. One spot at most grows in each cell of a unit, with
// the given chance, of a radius up to 0.32.
double head_spots(head_vec p, double chance);

#endif
