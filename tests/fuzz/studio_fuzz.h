// studio_fuzz: a small scene with edited guides, anew for each input.
#ifndef COIF_TESTS_FUZZ_STUDIO_FUZZ_H
#define COIF_TESTS_FUZZ_STUDIO_FUZZ_H

#include "tests/fuzz/fuzz.h"
#include "tests/support/studio_scene.h"

#include <stdlib.h>
#include <unistd.h>

enum { FUZZ_GUIDES = 6, FUZZ_GUIDE_POINTS = 5 };

static const char *const FUZZ_SCENE = "fuzz.json";

// Guides of 1 dm that stand on the square.
static inline void write_guides(const char *path)
{
    coif_guide_edits edits;
    int32_t lengths[FUZZ_GUIDES];
    coif_error error = {0};
    for (int i = 0; i < FUZZ_GUIDES; ++i) {
        lengths[i] = FUZZ_GUIDE_POINTS;
    }
    CHECK_OK(coif_guide_edits_init(&edits, lengths, FUZZ_GUIDES, &arena, &error), error);
    for (int i = 0; i < FUZZ_GUIDES * FUZZ_GUIDE_POINTS; ++i) {
        const int guide = i / FUZZ_GUIDE_POINTS, point = i % FUZZ_GUIDE_POINTS;
        edits.rest[i] = edits.edited.points[i] = (coif_vec4){
            0.1f * (float)guide - 0.3f, 0.025f * (float)point, 0.05f * (float)guide, 1e-4f};
        edits.normals[guide] = (coif_vec3){0.0f, 1.0f, 0.0f};
        edits.edited.root_uv[2 * guide] = 0.5f + 0.05f * (float)guide;
        edits.edited.root_uv[2 * guide + 1] = 0.5f;
    }
    CHECK_OK(coif_guide_edits_save(&edits, path, &error), error);
}

// Removes what an earlier input left beside the scene.
static inline const char *fresh_scene(void)
{
    static const char scene[] =
        "{\n  \"coif\": 1,\n  \"bodies\": [{\"name\": \"ball\", \"mesh\": \"ball.obj\"}],\n"
        "  \"grooms\": [{\"name\": \"hair\", \"body\": \"ball\", \"count\": 400, \"length\": 0.1, "
        "\"edits\": \"fuzz.guides\"}]\n}\n";
    coif_error error = {0};
    unlink(coif_test_path(".fuzz.json.journal"));
    unlink(coif_test_path(".fuzz.json.journal.old"));
    unlink(coif_test_path("maps/fuzz_density.png"));
    const char *path = write_scene(FUZZ_SCENE);
    write_guides(coif_test_path("fuzz.guides"));
    CHECK_OK(coif_file_save(path, scene, strlen(scene), &error), error);
    return path;
}

// One dab of a comb that moves along x, as a ball.
static inline coif_bytes comb_dab(void)
{
    static unsigned char record[COIF_DAB_BYTES];
    const uint32_t tool = COIF_BRUSH_COMB;
    const float values[17] = {0, 0.05f, 0, 0, 0, 0, 0, 0.08f, 0, 0, 0, 1, 0, 0.3f, 1.0f, 0.5f, 0};
    memcpy(record, &tool, sizeof tool);
    memcpy(record + 8, values, sizeof values);
    return (coif_bytes){"dab", record, sizeof record};
}

#endif
