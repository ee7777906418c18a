// studio_fuzz: a small scene with a painted map, anew for each input.
#ifndef COIF_TESTS_FUZZ_STUDIO_FUZZ_H
#define COIF_TESTS_FUZZ_STUDIO_FUZZ_H

#include "tests/fuzz/fuzz.h"
#include "tests/support/studio_scene.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const FUZZ_SCENE = "fuzz.json";

// Removes what an earlier input left beside the scene.
static inline const char *fresh_scene(void)
{
    unlink(coif_test_path(".fuzz.json.journal"));
    unlink(coif_test_path(".fuzz.json.journal.old"));
    unlink(coif_test_path("maps/fuzz_density.png"));
    return write_scene(FUZZ_SCENE);
}

#endif
