// Groom modifiers that wind hair around clump centres or lay it on the head.
#include "core/base/hash64.h"
#include "tests/support/head_groom_fixture.h"

static const plugin_value TWISTS[] = {{"count", {20}, NULL},         {"turns", {2}, NULL},
                                      {"matting", {0}, NULL},        {"unevenness", {0}, NULL},
                                      {"stray_fraction", {0}, NULL}, {0}};
static const plugin_value ROPES[] = {{"count", {20}, NULL},         {"turns", {2}, NULL},
                                     {"locks", {2}, NULL},          {"matting", {0}, NULL},
                                     {"stray_fraction", {0}, NULL}, {0}};
static const plugin_value BACK[] = {{"direction", {0, -0.3, -1}, NULL}, {"hang", {0}, NULL}, {0}};

static void comb_and_apply(const char *id, const plugin_value *values)
{
    plant_all();
    apply("groom.comb", BACK);
    apply(id, values);
}

TEST(twisted_and_wrapped_hair_keeps_its_length)
{
    comb_and_apply("groom.twist", TWISTS);
    CHECK(length_change() < 1e-4f);
    comb_and_apply("groom.twist", ROPES);
    CHECK(length_change() < 1e-4f);
    comb_and_apply("groom.shrinkwrap", NULL);
    CHECK(length_change() < 1e-4f);
}

TEST(twice_the_same_bits)
{
    comb_and_apply("groom.twist", ROPES);
    const uint64_t twisted = coif_hash64(head.x, sizeof head.x);
    comb_and_apply("groom.twist", ROPES);
    CHECK(twisted == coif_hash64(head.x, sizeof head.x));
    comb_and_apply("groom.shrinkwrap", NULL);
    const uint64_t wrapped = coif_hash64(head.x, sizeof head.x);
    comb_and_apply("groom.shrinkwrap", NULL);
    CHECK(wrapped == coif_hash64(head.x, sizeof head.x));
}

// Distance from the axis of straight twists, beyond the part where strands converge.
TEST(strands_of_a_twist_fill_its_radius)
{
    plant_all();
    apply("groom.twist", TWISTS);
    int32_t members = 0, outer = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 axis = head.normals[head.lock[s]];
        for (int k = 9; k + 1 < POINTS && head.lock[s] != s; ++k) {
            const coif_vec3 p = point_at(s, k);
            const float away = coif_length(coif_mad(p, -coif_dot(p, axis), axis));
            CHECK(away < 0.0041f);
            outer += away > 0.0028f;
            ++members;
        }
    }
    CHECK(members > 0 && outer > members / 3 && outer < 2 * members / 3);
}

// The angle of a strand about the axis, which may wind more than once.
TEST(twists_have_their_number_of_turns)
{
    plant_all();
    apply("groom.twist", TWISTS);
    int checked = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t centre = head.lock[s];
        coif_vec3 side, up;
        coif_frame_around(head.normals[centre], &side, &up);
        float turned = 0.0f, last = 0.0f, nearest = 1.0f;
        for (int k = 3; k < POINTS; ++k) {
            const coif_vec3 p = point_at(s, k);
            const float x = coif_dot(p, side), y = coif_dot(p, up);
            const float angle = atan2f(y, x);
            nearest = fminf(nearest, sqrtf(x * x + y * y));
            turned += k > 3 ? remainderf(angle - last, 6.2831853f) : 0.0f;
            last = angle;
        }
        if (nearest > 0.001f) {
            CHECK_NEAR(turned / 6.2831853f, 2.0 * (POINTS - 4) / (POINTS - 1), 0.25);
            ++checked;
        }
    }
    CHECK(checked > STRANDS / 2);
}

// Ratio of the principal second moments of the cross-section of a twist, at half its length.
static float moment_ratio(int32_t centre, int *members)
{
    coif_vec3 side, up;
    coif_frame_around(head.normals[centre], &side, &up);
    float xx = 0.0f, xy = 0.0f, yy = 0.0f;
    *members = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        if (head.lock[s] == centre) {
            const coif_vec3 p = point_at(s, POINTS / 2);
            const float x = coif_dot(p, side), y = coif_dot(p, up);
            xx += x * x, xy += x * y, yy += y * y;
            ++*members;
        }
    }
    const float mean = 0.5f * (xx + yy);
    const float spread = sqrtf(0.25f * (xx - yy) * (xx - yy) + xy * xy);
    return (mean + spread) / fmaxf(mean - spread, 1e-12f);
}

// Two discs side by side have moments of ratio 5, one disc of ratio 1.
TEST(a_rope_has_two_locks)
{
    float mean[2] = {0.0f, 0.0f};
    for (int rope = 0; rope < 2; ++rope) {
        int checked = 0;
        plant_all();
        apply("groom.twist", rope ? ROPES : TWISTS);
        for (int32_t centre = 0; centre < 20; ++centre) {
            int members;
            const float ratio = moment_ratio(centre, &members);
            if (members >= 12) {
                mean[rope] += ratio;
                ++checked;
            }
        }
        CHECK(checked > 10);
        mean[rope] /= (float)checked;
    }
    CHECK(mean[1] > 3.0f && mean[1] > 1.5f * mean[0]);
}

TEST(wrapped_hair_lies_within_its_layer)
{
    static const plugin_value layer[] = {
        {"offset", {0.002}, NULL}, {"thickness", {0.005}, NULL}, {0}};
    comb_and_apply("groom.shrinkwrap", layer);
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 1; k < POINTS; ++k) {
            const float high = coif_length(point_at(s, k)) - HEAD;
            CHECK(high > -2e-4f && high < 0.009f);
            CHECK(k < 6 || high > 0.0015f);
        }
    }
}

// Where it can, hair goes where it was combed to.
TEST(wrapped_hair_keeps_the_direction_of_the_comb)
{
    comb_and_apply("groom.shrinkwrap", NULL);
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 4; k + 1 < POINTS; ++k) {
            const coif_vec3 normal = coif_normalize(point_at(s, k));
            const coif_vec3 combed = coif_normalize(coif_sub(before_at(s, k + 1), before_at(s, k)));
            const coif_vec3 along = coif_mad(combed, -coif_dot(combed, normal), normal);
            if (coif_length(along) > 0.95f) {
                CHECK(coif_dot(coif_normalize(along), coif_normalize(segment_at(s, k))) > 0.8f);
            }
        }
    }
}

TEST(strength_0_changes_nothing)
{
    static const plugin_value none[] = {{"strength", {0}, NULL}, {0}};
    comb_and_apply("groom.shrinkwrap", none);
    CHECK(farthest_move() < 1e-6f);
}
