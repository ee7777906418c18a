// Elliptic sections: hair whose section is an ellipse of axes in ratio e bends e^2 times as far
// along the short axis as along the long one (beam theory: B1 / B2), under every solver that has
// frames.
#include "sim/validation/single_strand_rig.h"
#include "tests/support/solver_methods.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

enum { POINTS = 9 };

// Where a hair of 3 cm along the normal ends that is pulled aside at its tip, along the tangent of
// its root or across, as a fraction of its length.
static coif_vec3 pulled(const char *solver, double ellipticity, bool along, double newton)
{
    coif_error error = {0};
    coif_sim_params params = {0};
    const char *words = coif_arena_print(
        &arena,
        "solver=%s ellipticity=%g gravity=[0,0,0] gravity_compensation=0 goal_scale=0 "
        "mass_variation=0 damping=4 "
        "stiffness_variation=0 stiffness=0.1 drag=20 %s",
        solver, ellipticity, strcmp(solver, "xpbd") == 0 ? "substeps=40 iterations=24" : "");
    CHECK_OK(coif_strand_rig_settings(&params, words, &arena, &error), error);
    const coif_mesh scalp = shape_plane(1.0f, 1, &arena);
    const coif_mat3 frame = coif_mesh_frame(&scalp, 0, 0.3f, 0.3f);
    const coif_vec3 axes[3] = {coif_mat3_apply_transposed(&frame, coif_vec3_of(1, 0, 0)),
                               coif_mat3_apply_transposed(&frame, coif_vec3_of(0, 1, 0)),
                               coif_mat3_apply_transposed(&frame, coif_vec3_of(0, 0, 1))};
    coif_vec3 shape[POINTS];
    for (int32_t k = 0; k < POINTS; ++k) {
        shape[k] = coif_scale(axes[2], 0.03f * (float)k / (POINTS - 1));
    }
    const coif_vec3 force = coif_scale(axes[along ? 0 : 1], (float)newton);
    params.tip_force[0] = force.x;
    params.tip_force[1] = force.y;
    params.tip_force[2] = force.z;
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = 1,
                                    .params = params,
                                    .pinned = coif_solver_vtable_at(params.solver)->pinned_points};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, newton > 0.0 ? 16 : 0);
    const coif_vec3 displacement = coif_sub(hair.positions[POINTS - 1], shape[POINTS - 1]);
    return coif_scale(coif_vec3_of(coif_dot(displacement, axes[0]), coif_dot(displacement, axes[1]),
                                   coif_dot(displacement, axes[2])),
                      1.0f / 0.03f);
}

TEST(flat_hair_bends_as_beams_do)
{
    const double ellipticity = 2.0;
    // A tenth of the stiffness of hair, so that sweeps have converged.
    const double b = 0.1 * 3.9e9 * M_PI * pow(4e-5, 4.0) / 4.0;
    // Of a round hair F L^2 / 3 B = 0.01.
    const double newton = 0.01 * 3.0 * b / (0.03 * 0.03);
    const char *const solvers[] = {"der", "xpbd", "spring"};
    for (size_t i = 0; i < COIF_COUNT_OF(solvers); ++i) {
        const coif_vec3 stiff = pulled(solvers[i], ellipticity, true, newton);
        const coif_vec3 weak = pulled(solvers[i], ellipticity, false, newton);
        const coif_vec3 round = pulled(solvers[i], 1.0, true, newton);
        CHECK_NEAR(weak.y / stiff.x, ellipticity * ellipticity, 0.04 * ellipticity * ellipticity);
        CHECK_NEAR(stiff.x, 0.01 / ellipticity, 0.05 * 0.01 / ellipticity);
        CHECK_NEAR(weak.y, 0.01 * ellipticity, 0.05 * 0.01 * ellipticity);
        CHECK_NEAR(round.x, 0.01, 0.05 * 0.01);
        // Neither leaves its plane.
        CHECK(fabsf(stiff.y) < 1e-4f && fabsf(weak.x) < 1e-4f);
    }
}

// What is said on stderr while a solver is built.
static const char *said(const char *solver, double ellipticity)
{
    char *text = coif_arena_new(&arena, 4096, char);
    FILE *file = tmpfile();
    CHECK(file != NULL);
    fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    pulled(solver, ellipticity, true, 0.0);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
    return text;
}

TEST(solvers_without_frames_say_so)
{
    for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
        const char *name = COIF_METHOD_NAMES[i];
        if (strcmp(name, "pbd") == 0 || strcmp(name, "ftl") == 0) {
            const char *text = said(name, 2.0);
            CHECK_CONTAINS(text, "sim.ellipticity 2 has no effect");
            CHECK_CONTAINS(text, name);
            CHECK_TEXT(said(name, 2.0), ""); // once per process
        } else {
            CHECK(strstr(said(name, 2.0), "ellipticity") == NULL);
        }
        CHECK(strstr(said(name, 1.0), "ellipticity") == NULL);
    }
}
