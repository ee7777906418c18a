// reference_tables: results of a boundary value solver (scipy solve_bvp; see the headers of
// tests/data/reference/helix_hang_kirchhoff.csv and stick_slip_elastica.csv).
#include "sim/validation/reference_solutions.h"

#include <math.h>

// clang-format off
const coif_reference_helix COIF_REFERENCE_HELICES[] = {
    {10, 3, 0.66666667, 0, 0.17364817}, {10, 3, 0.66666667, 0.02, 0.1881646}, {10, 3, 0.66666667, 0.05, 0.20901133},
    {10, 3, 0.66666667, 0.1, 0.24198515}, {10, 3, 0.66666667, 0.2, 0.30217592}, {10, 3, 0.66666667, 0.3, 0.35516734},
    {10, 3, 0.66666667, 0.5, 0.44301659}, {10, 5, 0.66666667, 0, 0.17364817}, {10, 5, 0.66666667, 0.02, 0.18822841},
    {10, 5, 0.66666667, 0.05, 0.20942582}, {10, 5, 0.66666667, 0.1, 0.24315383}, {10, 5, 0.66666667, 0.2, 0.30457698},
    {10, 5, 0.66666667, 0.3, 0.35853043}, {10, 5, 0.66666667, 0.5, 0.44802859}, {10, 10, 0.66666667, 0, 0.17364817},
    {10, 10, 0.66666667, 0.02, 0.18830744}, {10, 10, 0.66666667, 0.05, 0.20971569}, {10, 10, 0.66666667, 0.1, 0.24380349},
    {10, 10, 0.66666667, 0.2, 0.30603549}, {10, 10, 0.66666667, 0.3, 0.36084963}, {10, 10, 0.66666667, 0.5, 0.45185496},
    {20, 3, 0.66666667, 0, 0.34202013}, {20, 3, 0.66666667, 0.02, 0.35588128}, {20, 3, 0.66666667, 0.05, 0.37540978},
    {20, 3, 0.66666667, 0.1, 0.40555703}, {20, 3, 0.66666667, 0.2, 0.45822959}, {20, 3, 0.66666667, 0.3, 0.50262475},
    {20, 3, 0.66666667, 0.5, 0.57352111}, {20, 5, 0.66666667, 0, 0.34202013}, {20, 5, 0.66666667, 0.02, 0.35600983},
    {20, 5, 0.66666667, 0.05, 0.37594473}, {20, 5, 0.66666667, 0.1, 0.40670055}, {20, 5, 0.66666667, 0.2, 0.46029375},
    {20, 5, 0.66666667, 0.3, 0.50546087}, {20, 5, 0.66666667, 0.5, 0.57763685}, {20, 10, 0.66666667, 0, 0.34202013},
    {20, 10, 0.66666667, 0.02, 0.35611162}, {20, 10, 0.66666667, 0.05, 0.37623845}, {20, 10, 0.66666667, 0.1, 0.40733333},
    {20, 10, 0.66666667, 0.2, 0.46167341}, {20, 10, 0.66666667, 0.3, 0.50754587}, {20, 10, 0.66666667, 0.5, 0.58082228},
};

const coif_reference_stick COIF_REFERENCE_STICKS[] = {
    {0.01, 0.9090409, 20.266799, 0.044853698, -14.321311, 0.062014216},
    {0.02, 1.300529, 20.343092, 0.063929759, -20.298698, 0.087382624},
    {0.05, 2.1302363, 20.573093, 0.10354478, -32.316104, 0.13663305},
    {0.1, 3.2023245, 20.958642, 0.15279256, -46.254449, 0.1895227},
    {0.15, 4.1814965, 21.343322, 0.19591592, -57.381684, 0.22741005},
    {0.2, 5.1647309, 21.721196, 0.23777378, -67.178073, 0.25692823},
    {0.25, 6.1989777, 22.08358, 0.28070529, -76.233904, 0.2806207},
    {0.3, 7.3191924, 22.417725, 0.32649131, -84.873807, 0.29973236},
    {0.35, 8.5587264, 22.704742, 0.37695765, -93.317954, 0.31491752},
    {0.4, 9.954121, 22.91629, 0.43436878, -101.74473, 0.32648068},
    {0.45, 11.548399, 23.009088, 0.50190598, -110.32438, 0.33445566},
    {0.5, 13.393821, 22.915564, 0.58448577, -119.24518, 0.33860361},
};
// clang-format on

const int32_t COIF_REFERENCE_HELIX_COUNT = COIF_COUNT_OF(COIF_REFERENCE_HELICES);
const int32_t COIF_REFERENCE_STICK_COUNT = COIF_COUNT_OF(COIF_REFERENCE_STICKS);

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fabs(b);
}

double coif_reference_helix_hang(double pitch_degrees, double turns, double ratio, double weight)
{
    const coif_reference_helix *before = NULL;
    for (int32_t i = 0; i < COIF_REFERENCE_HELIX_COUNT; ++i) {
        const coif_reference_helix *row = &COIF_REFERENCE_HELICES[i];
        if (!near(pitch_degrees, row->pitch_degrees) || !near(turns, row->turns) ||
            !near(ratio, row->ratio)) {
            continue;
        }
        if (fabs(weight - row->weight) <= 1e-6 * row->weight) {
            return row->axial;
        }
        if (before != NULL && weight > before->weight && weight < row->weight) {
            const double fraction = (weight - before->weight) / (row->weight - before->weight);
            return before->axial + fraction * (row->axial - before->axial);
        }
        before = row;
    }
    return NAN;
}

double coif_reference_stick_friction(double eps)
{
    for (int32_t i = 0; i + 1 < COIF_REFERENCE_STICK_COUNT; ++i) {
        const coif_reference_stick *row = &COIF_REFERENCE_STICKS[i];
        if (eps >= row[0].eps && eps <= row[1].eps) {
            const double fraction = (eps - row[0].eps) / (row[1].eps - row[0].eps);
            return row[0].friction + fraction * (row[1].friction - row[0].friction);
        }
    }
    return NAN;
}
