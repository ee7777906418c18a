#include "tools/assets/shared/value_noise.h"

#include "tools/assets/shared/sdf.h"

#include <stdint.h>

double lattice_random(int x, int y, int z, int stream)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu ^
                 (uint32_t)stream * 0x165667b1u;
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return (double)(h ^ h >> 16) / 4294967296.0;
}

double value_noise_of(double (*lattice)(int x, int y, int z), coif_vec3d p)
{
    const int x = (int)floor(p.x), y = (int)floor(p.y), z = (int)floor(p.z);
    const double u = smootherstep(0, 1, p.x - x), v = smootherstep(0, 1, p.y - y),
                 w = smootherstep(0, 1, p.z - z);
    double sum = 0.0;
    for (int c = 0; c < 8; ++c) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        sum += (i ? u : 1.0 - u) * (j ? v : 1.0 - v) * (k ? w : 1.0 - w) *
               lattice(x + i, y + j, z + k);
    }
    return sum;
}

static double first_stream(int x, int y, int z)
{
    return lattice_random(x, y, z, 0);
}

double value_noise(coif_vec3d p)
{
    return 2.0 * value_noise_of(first_stream, p) - 1.0;
}

double spot_noise(coif_vec3d p, double probability)
{
    const int x = (int)floor(p.x), y = (int)floor(p.y), z = (int)floor(p.z);
    double cover = 0.0;
    for (int n = 0; n < 27; ++n) {
        const int i = x + n % 3 - 1, j = y + n / 3 % 3 - 1, k = z + n / 9 - 1;
        if (lattice_random(i, j, k, 1) >= probability) {
            continue;
        }
        const coif_vec3d center =
            xyz(i + lattice_random(i, j, k, 2), j + lattice_random(i, j, k, 3),
                k + lattice_random(i, j, k, 4));
        const double radius = 0.10 + 0.22 * lattice_random(i, j, k, 5) * lattice_random(i, j, k, 6);
        const double distance = coif_vec3d_length(coif_vec3d_sub(p, center));
        const double spot = (1.0 - smootherstep(0.5 * radius, radius + 0.08, distance)) *
                            (0.35 + 0.65 * lattice_random(i, j, k, 7));
        cover = fmax(cover, spot);
    }
    return cover;
}
