// noise: value noise and spots on an integer grid.
#include "tools/assets/shared/value_noise.h"

#include "tools/assets/shared/sdf.h"

#include <stdint.h>

double head_random(int x, int y, int z, int word)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu ^
                 (uint32_t)word * 0x165667b1u;

    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return (double)(h ^ h >> 16) / 4294967296.0;
}

double head_noise(head_vec p)
{
    const double x = floor(p.x), y = floor(p.y), z = floor(p.z);
    const double u = clay_fade(0, 1, p.x - x), v = clay_fade(0, 1, p.y - y),
                 w = clay_fade(0, 1, p.z - z);
    double sum = 0.0;

    for (int c = 0; c < 8; ++c) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        sum += (i ? u : 1.0 - u) * (j ? v : 1.0 - v) * (k ? w : 1.0 - w) *
               head_random((int)x + i, (int)y + j, (int)z + k, 0);
    }
    return 2.0 * sum - 1.0;
}

double head_spots(head_vec p, double chance)
{
    const int x = (int)floor(p.x), y = (int)floor(p.y), z = (int)floor(p.z);
    double cover = 0.0;

    for (int n = 0; n < 27; ++n) {
        const int i = x + n % 3 - 1, j = y + n / 3 % 3 - 1, k = z + n / 9 - 1;
        if (head_random(i, j, k, 1) >= chance) {
            continue;
        }
        const head_vec at = vec(i + head_random(i, j, k, 2), j + head_random(i, j, k, 3),
                                k + head_random(i, j, k, 4));
        const double radius = 0.10 + 0.22 * head_random(i, j, k, 5) * head_random(i, j, k, 6);
        const head_vec d = vec_sub(p, at);
        const double off = sqrt(vec_dot(d, d));
        const double spot = (1.0 - clay_fade(0.5 * radius, radius + 0.08, off)) *
                            (0.35 + 0.65 * head_random(i, j, k, 7));
        cover = fmax(cover, spot);
    }
    return cover;
}
