// groom_animation: a groom that cannot be regenerated stays as it was.
#include "sim/run/groom_animation.h"

#include "tests/support/groom_fixture.h"

static void a_failed_frame_keeps_the_last_groom(void)
{
    const grown hair = grow("\"count\": 20, \"length\": {\"keys\": [[1, 0.02], [4, 0.1]]}");
    const size_t bytes = sizeof(coif_vec4) * (size_t)hair.groom.rest.point_count;
    coif_groom_animation animation;
    coif_groom_animation_open(&animation, &hair.desc, &hair.groom);
    coif_progress *cancelled = coif_progress_open(&arena);
    coif_progress_cancel(cancelled);
    animation.desc.progress = cancelled;
    coif_error error = {0};
    CHECK(coif_groom_animation_to(&animation, 2, false, NULL, &error) == COIF_ERR_CANCELLED);
    CHECK(animation.current.rest.points == hair.groom.rest.points);
    CHECK(memcmp(animation.current.rest.points, hair.groom.rest.points, bytes) == 0);
    coif_groom_animation_close(&animation);
}

TEST_LIST(TEST(a_failed_frame_keeps_the_last_groom))
