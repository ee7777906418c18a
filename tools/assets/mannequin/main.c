// coif_head: writes the mannequin, or measures it.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/shared/files.h"
#include "tools/assets/mannequin/mannequin.h"
#include "tools/assets/mannequin/skin.h"

#include <stdio.h>
#include <string.h>

static int usage(void)
{
    fputs("usage: coif_head DIRECTORY   writes the mannequin, its eyes and lashes there\n"
          "       coif_head --check     measures the mannequin and fails if a promise is broken\n",
          stderr);
    return 1;
}

static int save(const head_model *model, const head_sculpture *sculpture, const char *directory)
{
    char obj_path[4096], mtl_path[4096];
    head_regions regions;

    if (!head_path(obj_path, sizeof obj_path, directory, "mannequin.obj") ||
        !head_path(mtl_path, sizeof mtl_path, directory, "mannequin.mtl")) {
        return 1;
    }
    head_regions_init(&regions, sculpture);
    return head_model_save(model, obj_path, mtl_path) &&
                   head_skin_save(model, &regions, directory) && head_eyes_save(directory) &&
                   head_lashes_save(sculpture, directory)
               ? 0
               : 3;
}

static int check(const head_model *model, const head_sculpture *sculpture)
{
    return head_model_check(model) + head_face_check(model, sculpture);
}

int main(int argc, char **argv)
{
    head_sculpture sculpture;
    head_model model;
    int result = 2;

    if (argc != 2 || (argv[1][0] == '-' && strcmp(argv[1], "--check") != 0)) {
        return usage();
    }
    head_sculpture_init(&sculpture);
    if (head_model_build(&model, &sculpture)) {
        result = strcmp(argv[1], "--check") == 0 ? (check(&model, &sculpture) > 0 ? 2 : 0)
                                                 : save(&model, &sculpture, argv[1]);
    }
    head_model_free(&model);
    return result;
}
