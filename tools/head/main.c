// coif_head: writes the mannequin, or measures it.
#include "tools/head/model.h"

#include <stdio.h>
#include <string.h>

static int usage(void)
{
    fputs("usage: coif_head DIRECTORY   writes mannequin.obj and mannequin.mtl there\n"
          "       coif_head --check     measures the mannequin and fails if a promise is broken\n",
          stderr);
    return 1;
}

static int save(const head_model *model, const char *directory)
{
    char obj_path[4096], mtl_path[4096];
    const int needed = snprintf(obj_path, sizeof obj_path, "%s/mannequin.obj", directory);

    if (needed < 0 || (size_t)needed >= sizeof obj_path) {
        fprintf(stderr, "coif_head: the directory name is longer than %zu bytes\n",
                sizeof obj_path);
        return 1;
    }
    snprintf(mtl_path, sizeof mtl_path, "%s/mannequin.mtl", directory);
    return head_model_save(model, obj_path, mtl_path) ? 0 : 3;
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
        result = strcmp(argv[1], "--check") == 0 ? (head_model_check(&model) > 0 ? 2 : 0)
                                                 : save(&model, argv[1]);
    }
    head_model_free(&model);
    return result;
}
