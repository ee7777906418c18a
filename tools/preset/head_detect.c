#include "tools/preset/head_detect.h"

#include "core/base/base.h"
#include "core/base/deterministic_math.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const float BODY_HEIGHT = 1.7f, HEAD_HEIGHT = 0.3f; // m; a head with its neck
static const float PLAUSIBLE = 2.2f; // a person may be this many times larger or smaller

// Ears stick out of planes that come nearer to the middle below them by this much of the height.
static const float EAR_SLOPE = 0.25f;

coif_unit_guess coif_guess_unit(coif_vec3 size)
{
    static const coif_length_unit units[] = {
        {"metres", "m", 1.0f},        {"decimetres", "dm", 0.1f}, {"centimetres", "cm", 0.01f},
        {"millimetres", "mm", 1e-3f}, {"inches", "in", 0.0254f},  {"feet", "ft", 0.3048f},
        {"kilometres", "km", 1e3f}};
    coif_unit_guess guess = {.is_body = size.y > 2.2f * size.z || size.x > 2.5f * size.z};
    const float wanted = guess.is_body ? BODY_HEIGHT : HEAD_HEIGHT;
    float least = INFINITY;
    guess.best = &units[0];
    for (size_t i = 0; i < COIF_COUNT_OF(units); ++i) {
        const float error = fabsf(coif_det_log(size.y * units[i].scale / wanted));
        if (error < least) {
            least = error;
            guess.best = &units[i];
        }
    }
    guess.metres_are_plausible = size.y <= PLAUSIBLE * wanted && wanted <= PLAUSIBLE * size.y;
    return guess;
}

// Whether a lower-case word begins at a position of a name.
static bool begins_with(const char *name, const char *word)
{
    for (; *word != '\0'; ++name, ++word) {
        if (tolower((unsigned char)*name) != *word) {
            return false;
        }
    }
    return true;
}

bool coif_is_scalp_name(const char *name)
{
    static const char *const words[] = {"scalp", "haircap", "hair_cap", "skull"};
    for (; *name != '\0'; ++name) {
        for (size_t i = 0; i < COIF_COUNT_OF(words); ++i) {
            if (begins_with(name, words[i])) {
                return true;
            }
        }
    }
    return false;
}

bool coif_is_helper_name(const char *name)
{
    return begins_with(name, "helper") || begins_with(name, "joint");
}

coif_bounds coif_face_bounds(const coif_obj *obj, const bool *faces)
{
    coif_bounds box = coif_bounds_empty();
    for (int32_t f = 0; f < obj->face_count; ++f) {
        for (int32_t c = obj->first[f]; (faces == NULL || faces[f]) && c < obj->first[f + 1]; ++c) {
            coif_bounds_add(&box, obj->positions[obj->corners[c].position]);
        }
    }
    return box;
}

void coif_guess_hairline(float planes[COIF_HAIRLINE_PLANES][4], const coif_obj *obj,
                         const bool *faces, float scale)
{
    const float top = coif_face_bounds(obj, faces).high.y;
    coif_bounds head = coif_bounds_empty(), above_ears = coif_bounds_empty();
    for (int32_t f = 0; f < obj->face_count; ++f) {
        for (int32_t c = obj->first[f]; (faces == NULL || faces[f]) && c < obj->first[f + 1]; ++c) {
            const coif_vec3 p = obj->positions[obj->corners[c].position];
            if (p.y > top - 0.095f / scale) {
                coif_bounds_add(&head, p);
            }
            if (p.y > top - 0.075f / scale) {
                coif_bounds_add(&above_ears, p);
            }
        }
    }
    const float depth = head.high.z - head.low.z;
    const float left = above_ears.low.x, right = above_ears.high.x;
    const float unit = coif_clamp(depth, 0.1f / scale, 0.35f / scale) / 0.18f; // of an adult head
    const float slope = 0.165f * unit / fmaxf(depth - 0.03f * unit, 0.05f * unit);
    const float middle = 0.5f * (left + right), half = 0.515f * (right - left);
    const float ears = EAR_SLOPE * (top - 0.095f * unit) - half;
    const float found[COIF_HAIRLINE_PLANES][4] = {
        {0.0f, 1.0f, -slope, top - 0.035f * unit - slope * head.high.z},
        {1.0f, EAR_SLOPE, 0.0f, middle + ears},
        {-1.0f, EAR_SLOPE, 0.0f, ears - middle}};
    memcpy(planes, found, sizeof found);
}
