#include "sim/groom/low_discrepancy.h"

#include "core/base/rng.h"

const char *const COIF_SEQUENCE_NAMES[] = {"halton", "sobol", "blue_noise", NULL};

static const uint32_t BASES[COIF_SEQUENCE_DIMENSIONS] = {2, 3, 5, 7};

void coif_low_discrepancy_init(coif_low_discrepancy *sequence, coif_sequence_kind kind,
                               uint64_t seed)
{
    *sequence = (coif_low_discrepancy){.kind = kind, .seed = seed};
    for (uint32_t d = 0; d < COIF_SEQUENCE_DIMENSIONS; ++d) {
        sequence->shift[d] = (double)coif_random_word(seed, 0, d) * 0x1p-32;
    }
}

// Van der Corput radical inverse: digits of index mirrored at the point, 6 = 110 in base 2
// becomes 0.011. Integer arithmetic and one division, so the result is correctly rounded.
static double radical_inverse(uint32_t base, uint64_t index)
{
    uint64_t reversed = 0;
    uint64_t power = 1;
    for (; index > 0; index /= base) {
        reversed = reversed * base + index % base;
        power *= base;
    }
    return (double)reversed / (double)power;
}

// One dimension of the Sobol sequence: degree and inner coefficients (as bits) of its primitive
// polynomial over GF(2), and the first direction numbers (S. Joe and F. Kuo 2008).
typedef struct sobol_rule {
    int degree;
    uint32_t inner;
    uint32_t first[3];
} sobol_rule;

static const sobol_rule RULES[COIF_SEQUENCE_DIMENSIONS] = {
    {0, 0, {0}}, {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}};

static uint32_t sobol(int dimension, uint32_t index)
{
    const sobol_rule *rule = &RULES[dimension];
    uint32_t directions[32], sum = 0;
    for (int bit = 0; index >> bit != 0 && bit < 32; ++bit) {
        uint32_t direction = 1u << (31 - bit);
        if (rule->degree > 0 && bit < rule->degree) {
            direction = rule->first[bit] << (31 - bit);
        } else if (rule->degree > 0) {
            direction = directions[bit - rule->degree];
            direction ^= direction >> rule->degree;
            for (int k = 1; k < rule->degree; ++k) {
                const uint32_t bit_set = rule->inner >> (rule->degree - 1 - k) & 1u;
                direction ^= bit_set * directions[bit - k];
            }
        }
        directions[bit] = direction;
        sum ^= (index >> bit & 1u) * direction;
    }
    return sum;
}

// Owen scrambling: whether a bit is flipped depends on all higher bits.
static uint32_t scramble(uint32_t word, uint64_t seed, int dimension)
{
    uint32_t out = word;
    for (int bit = 31; bit >= 0; --bit) {
        const uint64_t before = bit < 31 ? word >> (bit + 1) : 0;
        const uint64_t digit = before | (uint64_t)(bit + 1) << 32;
        out ^= (coif_random_word(seed, digit, 8u + (uint32_t)dimension) & 1u) << bit;
    }
    return out;
}

double coif_low_discrepancy_at(const coif_low_discrepancy *sequence, int64_t index, int dimension)
{
    if (sequence->kind == COIF_SEQUENCE_SOBOL) {
        return scramble(sobol(dimension, (uint32_t)index), sequence->seed, dimension) * 0x1p-32;
    }
    const double u =
        radical_inverse(BASES[dimension], (uint64_t)index + 1) + sequence->shift[dimension];
    return u < 1.0 ? u : u - 1.0;
}
