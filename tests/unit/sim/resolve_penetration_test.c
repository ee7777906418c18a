// No strand stays inside the body, and hair keeps the requested distance.
#include "core/collision/collider.h"
#include "tests/support/groom_fixture.h"

static double deepest(const grown *hair)
{
    coif_collider collider;
    coif_collider_build(&collider, &hair->body->rest, &arena);
    double least = 1.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_closest_point nearest;
        coif_collider_closest_point(
            &nearest, &collider,
            &(coif_closest_point_query){.position = coif_vec4_xyz(hair->groom.rest.points[i]),
                                        .max_distance = 0.2f,
                                        .hint = -1});
        least = fmin(least, (double)nearest.distance);
    }
    return least;
}

TEST(hair_combed_into_the_head_is_laid_on_it)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 200, \"points\": 16,\n"
                            "\"clearance\": 0.002,\n"
                            "\"modifiers\": [{\"plugin\": \"test.fold\"}]");
    CHECK(deepest(&hair) > -1e-6); // roots are on the surface
    const coif_strands *rest = &hair.groom.rest;
    int32_t near = 0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const float *normal = hair.groom.root_frame + 9 * s + 6;
        const coif_vec3 step = {0.8f - 0.6f * normal[0], -0.6f * normal[1], -0.6f * normal[2]};
        CHECK_NEAR(strand_length(rest, s), 0.15 * coif_length(step), 1e-4);
        // The fourth point lies on the head, neither in it nor off it.
        const float up = coif_length(coif_vec4_xyz(rest->points[rest->first[s] + 4])) - 0.1f;
        near += up > 0.001f && up < 0.006f;
    }
    CHECK(near > 190);
}

// Where the map says more, hair lies farther from the head.
TEST(clearance_varies_over_the_scalp)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 300, \"points\": 16,\n"
                            "\"clearance\": {\"map\": \"u\", \"range\": [0, 0.02]},\n"
                            "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}],\n"
                            "\"modifiers\": [{\"plugin\": \"test.fold\"}]");
    const coif_strands *rest = &hair.groom.rest;
    int32_t right = 0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        const double wanted = 0.02 * (double)rest->root_uv[2 * s];
        const double up =
            (double)coif_length(coif_vec4_xyz(rest->points[rest->first[s] + 8])) - 0.1;
        right += up > 0.9 * wanted - 0.001 && up < wanted + 0.006;
    }
    CHECK(right > 270);
}

// A ramp that begins at half the length: the root half lies as before, the tip half is raised.
TEST(clearance_varies_along_the_strand)
{
#define FOLDED(clearance)                                                                          \
    grow("\"group\": \"scalp\", \"count\": 300, \"points\": 16,\n\"clearance\": " clearance        \
         ",\n\"modifiers\": [{\"plugin\": \"test.fold\"}]")
    const grown even = FOLDED("0");
    const grown ramped = FOLDED("{\"value\": 0.02, \"ramp\": [[0, 0], [0.5, 0], [0.51, 1]]}");
    int32_t raised = 0;
    for (int32_t s = 0; s < even.groom.rest.strand_count; ++s) {
        const coif_vec4 *p = even.groom.rest.points + even.groom.rest.first[s];
        const coif_vec4 *q = ramped.groom.rest.points + ramped.groom.rest.first[s];
        CHECK(memcmp(p, q, 8 * sizeof *p) == 0);
        raised += coif_length(coif_vec4_xyz(q[14])) > coif_length(coif_vec4_xyz(p[14])) + 0.005f;
    }
    CHECK(raised > 270);
}
