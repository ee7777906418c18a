// PBD angle constraints: bending by the angle between stretches of a strand and by dihedral angles.
#include "tests/support/point_checks.h"

#include <stdalign.h>

static coif_arena arena = {.name = "test"};

// Angles in double precision, as functions of four points.
static double angle_at(const triple *p)
{
    const triple e = minus(p[1], p[0]);
    const triple f = minus(p[2], p[1]);
    return atan2(size(cross(e, f)), dot(e, f));
}

static double dihedral_at(const triple *p)
{
    const triple f = minus(p[2], p[1]);
    const triple n1 = cross(minus(p[1], p[0]), f);
    const triple n2 = cross(f, minus(p[3], p[2]));
    return atan2(size(f) * dot(minus(p[1], p[0]), n2), dot(n1, n2));
}

// What a projection with gradients by finite differences does to count points.
static void project_by_differences(triple *p, const double *w, int count,
                                   double (*angle)(const triple *), double rest, double k)
{
    const double step = 1e-7;
    triple gradient[4] = {{0, 0, 0}};
    double weight = 0.0;
    for (int i = 0; i < count; ++i) {
        double *const axes[3] = {&p[i].x, &p[i].y, &p[i].z};
        double *const out[3] = {&gradient[i].x, &gradient[i].y, &gradient[i].z};
        for (int a = 0; a < 3; ++a) {
            const double here = *axes[a];
            *axes[a] = here + step;
            const double high = angle(p);
            *axes[a] = here - step;
            *out[a] = (high - angle(p)) / (2.0 * step);
            *axes[a] = here;
        }
        weight += w[i] * dot(gradient[i], gradient[i]);
    }
    const double push = k * (angle(p) - rest) / weight;
    for (int i = 0; i < count; ++i) {
        p[i].x -= w[i] * push * gradient[i].x;
        p[i].y -= w[i] * push * gradient[i].y;
        p[i].z -= w[i] * push * gradient[i].z;
    }
}

TEST(angles_move_points_along_their_gradients)
{
    for (int i = 0; i < 40; ++i) {
        const bool dihedral = i % 2 == 1;
        const int count = dihedral ? 4 : 3;
        pack p = random_pack("auto", &arena);
        rest_here(&p, "2", COIF_BEND_ANGLE, &arena);
        p.block.length = count;
        triple points[4];
        double weights[4];
        for (int k = 0; k < 4; ++k) {
            const double turn = 0.3 + 0.11 * i;
            put(&p, k, 0.01 * k, 0.004 * sin(turn * k), 0.004 * cos((turn + 0.2) * k));
            weigh(&p, k, k == 0 && i % 3 == 0 ? 0.0 : 1.0 + 0.4 * k);
            points[k] = at(&p, k);
            weights[k] = p.block.inv_mass[k * p.kernels->lanes];
        }
        double (*angle)(const triple *) = dihedral ? dihedral_at : angle_at;
        const double rest = angle(points) - 0.1 + 0.01 * i;
        alignas(32) float rests[FLOATS];
        for (int lane = 0; lane < p.kernels->lanes; ++lane) {
            rests[lane] = (float)rest;
        }
        if (dihedral) {
            pbd_of(&p)->project_dihedrals(&p.block, &p.work, rests, 0.7f);
        } else {
            const coif_pbd_span span = {
                .pairs = {0, p.block.length - 2, 2}, .rest = rests, .k = 0.7f};
            pbd_of(&p)->project_bend_angles(&p.block, &p.work, &span, &STEP);
        }
        project_by_differences(points, weights, count, angle, rest, 0.7);
        for (int k = 0; k < count; ++k) {
            CHECK_NEAR(size(minus(at(&p, k), points[k])), 0.0, 1e-7);
        }
    }
}

// A curl that is bent, then left to its angles, has them again; a left curl does not become right.
TEST(exported_angles_are_restored)
{
    static const struct {
        const char *pairs;
        int32_t bending;
    } cases[] = {{"2", COIF_BEND_ANGLE}, {"4", COIF_BEND_ANGLE}, {"", COIF_BEND_DIHEDRAL}};
    for (int c = 0; c < 3; ++c) {
        pack p = random_pack("auto", &arena);
        for (int32_t k = 0; k < LENGTH; ++k) {
            put(&p, k, 0.008 * k, 0.006 * sin(0.9 * k), 0.006 * cos(0.9 * k));
        }
        rest_here(&p, cases[c].pairs, cases[c].bending, &arena);
        triple groomed[LENGTH];
        for (int32_t k = 0; k < LENGTH; ++k) {
            groomed[k] = at(&p, k);
            put(&p, k, 0.01 * k, 0.003 * sin(0.7 * k), 0.003 * cos(0.8 * k));
        }
        coif_substep step = STEP;
        step.stretch_stiffness = 0.0f;
        step.bend_stiffness = 0.5f;
        for (int i = 0; i < 4000; ++i) {
            coif_pbd_iterate(pbd_of(&p), &p.block, &p.work, &step);
        }
        for (int32_t k = 0; k + 4 < LENGTH; ++k) {
            const int32_t s = cases[c].pairs[0] == '4' ? 2 : 1;
            const triple now[4] = {at(&p, k), at(&p, k + s), at(&p, k + 2 * s), at(&p, k + 3)};
            const triple then[4] = {groomed[k], groomed[k + s], groomed[k + 2 * s], groomed[k + 3]};
            if (cases[c].bending == COIF_BEND_ANGLE) {
                CHECK_NEAR(angle_at(now), angle_at(then), 1e-4);
            } else {
                CHECK_NEAR(dihedral_at(now), dihedral_at(then), 1e-4);
                CHECK(fabs(dihedral_at(then)) > 0.1);
            }
        }
    }
}

// A straight strand has no plane to bend in, a folded one no axis: nothing moves.
TEST(angles_leave_straight_and_collapsed_strands_alone)
{
    for (int variant = 0; variant < 3; ++variant) {
        pack p = random_pack("auto", &arena);
        rest_here(&p, "2", COIF_BEND_ANGLE, &arena);
        alignas(32) float rests[FLOATS];
        for (int32_t i = 0; i < LENGTH * p.kernels->lanes; ++i) {
            rests[i] = 0.5f;
        }
        for (int32_t k = 0; k < LENGTH; ++k) {
            put(&p, k, variant == 0 ? 0.25 * k : variant == 1 ? 0.25 * (k % 2) : 0.25, 0.5, 1.0);
        }
        const snapshot before = remember(&p);
        for (int32_t segments = 2; segments <= 5; segments += 3) {
            const coif_pbd_span span = {
                .pairs = {0, LENGTH - segments, segments}, .rest = rests, .k = 1.0f};
            pbd_of(&p)->project_bend_angles(&p.block, &p.work, &span, &STEP);
        }
        pbd_of(&p)->project_dihedrals(&p.block, &p.work, rests, 1.0f);
        CHECK(is_unmoved(&p, &before));
    }
}
