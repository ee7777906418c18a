// coif_head: generates the mannequin after a check of eyes, lashes and skin against its SDF.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/mannequin/skin.h"
#include "tools/assets/shared/generator.h"

static coif_status generate(const char *folder, coif_arena *arena, coif_error *error)
{
    head_sdf sdf;
    head_regions regions;
    mannequin model;
    head_sdf_init(&sdf);
    head_regions_init(&regions, &sdf);
    COIF_TRY(mannequin_build(&model, &sdf, arena, error));
    const int violations = mannequin_check_face(&model, &sdf);
    if (violations > 0) {
        return coif_fail(error, COIF_ERR_LIMIT, "%d properties are violated", violations);
    }
    COIF_TRY(mannequin_save_obj(&model, folder, error));
    COIF_TRY(skin_save(&model, &regions, folder, error));
    COIF_TRY(eyes_save(folder, arena, error));
    return eyelashes_save(&sdf, folder, arena, error);
}

int main(int argc, char **argv)
{
    const asset_generator generator = {.name = "coif_head",
                                       .writes = "the mannequin, its textures, eyes and eyelashes",
                                       .generate = generate};
    return asset_generator_main(&generator, argc, argv);
}
