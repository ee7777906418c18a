// coif_head: generates the mannequin, or checks eyes, lashes and skin against its SDF.
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
    COIF_TRY(mannequin_save_obj(&model, folder, error));
    COIF_TRY(skin_save(&model, &regions, folder, error));
    COIF_TRY(eyes_save(folder, arena, error));
    return eyelashes_save(&sdf, folder, arena, error);
}

static coif_status check(coif_arena *arena, coif_error *error)
{
    head_sdf sdf;
    mannequin model;
    head_sdf_init(&sdf);
    COIF_TRY(mannequin_build(&model, &sdf, arena, error));
    const int violations = mannequin_check_face(&model, &sdf);
    return violations == 0
               ? COIF_OK
               : coif_fail(error, COIF_ERR_LIMIT, "%d properties are violated", violations);
}

int main(int argc, char **argv)
{
    const asset_generator generator = {.name = "coif_head",
                                       .writes = "the mannequin, its textures, eyes and eyelashes",
                                       .generate = generate,
                                       .check = check};
    return asset_generator_main(&generator, argc, argv);
}
