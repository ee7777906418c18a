// simulate: 1,000 strands on a ball that shakes in the wind, in memory: simulate [threads [method]]
#include <coif/sim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRANDS = 1000, POINTS = 16, FRAMES = 24 };

static const float RADIUS = 0.1f, LENGTH = 0.2f; // of the ball, of a strand, m

static int32_t first[STRANDS + 1];
static float points[STRANDS * POINTS * 3];

// Straight strands, evenly distributed over the ball on a spiral.
static void make_strands(void)
{
    for (int s = 0; s < STRANDS; ++s) {
        const float y = 1.0f - (2.0f * (float)s + 1.0f) / STRANDS, ring = sqrtf(1.0f - y * y);
        const float angle = 2.39996323f * (float)s;
        const float normal[3] = {ring * cosf(angle), y, ring * sinf(angle)};
        first[s + 1] = first[s] + POINTS;
        for (int i = 0; i < 3 * POINTS; ++i) {
            const float away = RADIUS + LENGTH * (float)(i / 3) / (POINTS - 1);
            points[3 * first[s] + i] = away * normal[i % 3];
        }
    }
}

// A gust that moves along x. Called from several threads.
static void blow(void *context, const coif_force_batch *batch)
{
    const float speed = *(const float *)context;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += speed * (0.5f + 0.5f * sinf(10.0f * (float)batch->time - batch->x[i]));
    }
}

static void check(coif_status status)
{
    if (status != COIF_OK) {
        fprintf(stderr, "%s\n", coif_last_error());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    make_strands();
    coif_strand_sim *sim;
    coif_strand_sim_desc desc;
    coif_strand_sim_desc_init(&desc, sizeof desc);
    desc.strand_count = STRANDS, desc.first_point = first, desc.points = points;
    desc.threads = argc > 1 ? atoi(argv[1]) : 0;
    desc.method = argc > 2 ? argv[2] : desc.method;
    desc.gravity_compensation = 0.0f; // straight strands have no weight yet
    check(coif_strand_sim_create(&sim, &desc));
    float center[3] = {0.0f, 0.0f, 0.0f}, wind_speed = 3.0f;
    int32_t ball;
    check(coif_strand_sim_add_capsule(sim, center, center, RADIUS, &ball));
    check(coif_strand_sim_set_force(sim, blow, &wind_speed));
    coif_strand_sim_stats stats;
    stats.struct_size = sizeof stats;
    for (int frame = 1; frame <= FRAMES; ++frame) {
        const float x = 0.03f * sinf(0.5f * (float)frame);
        const float pose[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0};
        check(coif_strand_sim_move_roots(sim, pose));
        check(coif_strand_sim_move_collider(sim, ball, pose));
        check(coif_strand_sim_step(sim, 1.0 / 24.0, &stats));
    }
    check(coif_strand_sim_get_points(sim, points, NULL));
    coif_strand_sim_destroy(sim);
    double height = 0.0;
    for (int s = 0; s < STRANDS; ++s) {
        height += points[3 * first[s + 1] - 2] / STRANDS;
    }
    printf("%d strands: stretch %.2g, %d reset, mean height of tips %.9g m\n", STRANDS,
           (double)stats.max_stretch, (int)stats.reset_strands, height);
    return stats.reset_strands > 0;
}
