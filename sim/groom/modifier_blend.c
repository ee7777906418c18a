#include "sim/groom/modifier_blend.h"

// Lengths that differ by less than this share are the same.
static const float ROUNDING = 1e-4f;

static float value_at(const coif_param_values *varying, int32_t strand, int32_t point)
{
    return varying->per_point != NULL    ? varying->per_point[point]
           : varying->per_strand != NULL ? varying->per_strand[strand]
                                         : varying->constant;
}

static coif_vec3 was(const coif_strand_view *before, int32_t point)
{
    return coif_vec3_of(before->x[point], before->y[point], before->z[point]);
}

// A segment between `old` and `made`, which a straight blend made `own`, with a length between
// theirs.
static coif_vec3 mend(coif_vec3 own, coif_vec3 old, coif_vec3 made, float amount)
{
    const float first = coif_length(old), second = coif_length(made);
    const float low = fminf(first, second), high = fmaxf(first, second);
    const float length = coif_length(own);
    if (length >= low * (1.0f - ROUNDING) && length <= high * (1.0f + ROUNDING)) {
        return own;
    }
    // Between opposite directions there is no middle.
    if (length <= 1e-3f * low) {
        return amount < 0.5f ? old : made;
    }
    return coif_scale(own, (length < low ? low : high) / length);
}

void coif_blend_strand(const coif_blend *blend, int32_t strand)
{
    coif_strand_buffer *growth = blend->growth;
    const coif_strand_view *before = blend->before;
    const float of_strand = (blend->amount->per_strand != NULL ? blend->amount->per_strand[strand]
                                                               : blend->amount->constant) *
                            value_at(blend->mask, strand, 0);
    if (of_strand <= 0.0f) {
        growth->lock[strand] = before->clump[strand];
    }
    if (of_strand == 1.0f && blend->amount->per_point == NULL) {
        return;
    }
    coif_vec3 made_last = {0}, own_last = {0}, shift = {0};
    for (int32_t i = growth->first[strand]; i < growth->first[strand + 1]; ++i) {
        const float amount = value_at(blend->amount, strand, i) * value_at(blend->mask, strand, i);
        const coif_vec3 old = was(before, i);
        const coif_vec3 made = coif_vec3_of(growth->x[i], growth->y[i], growth->z[i]);
        coif_vec3 own = made;
        if (amount != 1.0f) {
            own = coif_mad(old, amount, coif_sub(made, old));
            growth->radius[i] =
                before->radius[i] + amount * (growth->radius[i] - before->radius[i]);
        }
        if (i > growth->first[strand]) {
            const coif_vec3 step = coif_sub(own, own_last);
            const coif_vec3 right =
                mend(step, coif_sub(old, was(before, i - 1)), coif_sub(made, made_last), amount);
            shift = coif_add(shift, coif_sub(right, step));
        }
        made_last = made;
        own_last = own;
        own = coif_add(own, shift);
        growth->x[i] = own.x;
        growth->y[i] = own.y;
        growth->z[i] = own.z;
    }
}
