// value_noise: procedural noise on the integer lattice, a pure function of position.
//
// coif/noise.h of the plugin kit is gradient noise in single precision; the textures need value
// noise with a hash of their own to stay as they are.
#ifndef COIF_ASSETS_VALUE_NOISE_H
#define COIF_ASSETS_VALUE_NOISE_H

#include "core/base/vec3d.h"

// Uniform in [0, 1) at a lattice point; streams are independent.
double lattice_random(int x, int y, int z, int stream);

// Value noise: smooth interpolation of lattice values at the eight corners of the cell of p.
double value_noise_of(double (*lattice)(int x, int y, int z), coif_vec3d p);

// Value noise of lattice_random, scaled to -1 to 1.
double value_noise(coif_vec3d p);

// Coverage by random discs, 0 to 1: each lattice cell has one with the given probability, of a
// radius of at most 0.32.
double spot_noise(coif_vec3d p, double probability);

#endif
