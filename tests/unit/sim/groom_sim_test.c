// A groom that cannot be regenerated is unchanged.
#include "sim/run/groom_sim.h"

#include "tests/support/groom_fixture.h"

TEST(a_failed_frame_keeps_the_last_groom)
{
    const grown hair = grow("\"count\": 20, \"length\": {\"keys\": [[1, 0.02], [4, 0.1]]}");
    const size_t bytes = sizeof(coif_vec4) * (size_t)hair.groom.rest.point_count;
    coif_body body = *hair.desc.body;
    coif_sim_scene scene = {.scene = hair.desc.scene,
                            .sim = coif_node_at(hair.desc.scene->root, "sim"),
                            .bodies = &body,
                            .body_count = 1,
                            .progress = coif_progress_open(&arena),
                            .arena = &arena};
    coif_progress_cancel(scene.progress);
    coif_groom_sim sim;
    coif_groom_sim_open(&sim, &scene, hair.desc.node, &hair.groom, 0);
    coif_error error = {0};
    CHECK(coif_groom_sim_set_frame(&sim, 2, false, &error) == COIF_ERR_CANCELLED);
    CHECK(sim.current.rest.points == hair.groom.rest.points);
    CHECK(memcmp(sim.current.rest.points, hair.groom.rest.points, bytes) == 0);
    coif_groom_sim_close(&sim);
}
