#include "sim/groom/modifier_blend.h"

// Relative tolerance of lengths.
static const float LENGTH_TOLERANCE = 1e-4f;

static float value_at(const coif_param_values *varying, int32_t strand, int32_t point)
{
    return varying->per_point != NULL    ? varying->per_point[point]
           : varying->per_strand != NULL ? varying->per_strand[strand]
                                         : varying->constant;
}

static coif_vec3 position_before(const coif_strand_view *before, int32_t point)
{
    return coif_vec3_of(before->x[point], before->y[point], before->z[point]);
}

// Clamps the length of a blended segment to the range of the lengths before and after.
static coif_vec3 clamp_length(coif_vec3 blended, coif_vec3 before_segment, coif_vec3 after_segment,
                              float amount)
{
    const float before_length = coif_length(before_segment),
                after_length = coif_length(after_segment);
    const float low = fminf(before_length, after_length), high = fmaxf(before_length, after_length);
    const float length = coif_length(blended);
    if (length >= low * (1.0f - LENGTH_TOLERANCE) && length <= high * (1.0f + LENGTH_TOLERANCE)) {
        return blended;
    }
    // Opposite directions have no blend.
    if (length <= 1e-3f * low) {
        return amount < 0.5f ? before_segment : after_segment;
    }
    return coif_scale(blended, (length < low ? low : high) / length);
}

void coif_blend_strand(const coif_blend *blend, int32_t strand)
{
    coif_strand_buffer *buffer = blend->buffer;
    const coif_strand_view *before = blend->before;
    const float strand_amount =
        (blend->amount->per_strand != NULL ? blend->amount->per_strand[strand]
                                           : blend->amount->constant) *
        value_at(blend->mask, strand, 0);
    if (strand_amount <= 0.0f) {
        buffer->clump[strand] = before->clump[strand];
    }
    if (strand_amount == 1.0f && blend->amount->per_point == NULL) {
        return;
    }
    coif_vec3 after_previous = {0}, blended_previous = {0}, shift = {0};
    for (int32_t i = buffer->first[strand]; i < buffer->first[strand + 1]; ++i) {
        const float amount = value_at(blend->amount, strand, i) * value_at(blend->mask, strand, i);
        const coif_vec3 old = position_before(before, i);
        const coif_vec3 made = coif_vec3_of(buffer->x[i], buffer->y[i], buffer->z[i]);
        coif_vec3 blended = made;
        if (amount != 1.0f) {
            blended = coif_mad(old, amount, coif_sub(made, old));
            buffer->radius[i] =
                before->radius[i] + amount * (buffer->radius[i] - before->radius[i]);
        }
        if (i > buffer->first[strand]) {
            const coif_vec3 segment = coif_sub(blended, blended_previous);
            const coif_vec3 clamped =
                clamp_length(segment, coif_sub(old, position_before(before, i - 1)),
                             coif_sub(made, after_previous), amount);
            shift = coif_add(shift, coif_sub(clamped, segment));
        }
        after_previous = made;
        blended_previous = blended;
        blended = coif_add(blended, shift);
        buffer->x[i] = blended.x;
        buffer->y[i] = blended.y;
        buffer->z[i] = blended.z;
    }
}
