#include "tools/assets/shared/generator.h"

#include "core/base/fs.h"

#include <stdio.h>

static int usage(const asset_generator *generator)
{
    fprintf(stderr, "usage: %s FOLDER    writes %s\n", generator->name, generator->writes);
    return COIF_ERR_ARGUMENT;
}

int asset_generator_main(const asset_generator *generator, int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        return usage(generator);
    }
    COIF_SCOPED_ARENA(arena, generator->name);
    coif_error error = {0};
    const coif_status status = generator->generate(argv[1], &arena, &error);
    if (status != COIF_OK) {
        fprintf(stderr, "%s: error: %s\n", generator->name, error.text);
    }
    return (int)status;
}

coif_status asset_save(const coif_strbuf *text, const char *folder, const char *name,
                       coif_error *error)
{
    const char *path = coif_path_join(folder, name, text->arena);
    return coif_file_save(path, text->data, text->size, error);
}

void asset_expect(int *violations, const char *property, bool holds)
{
    if (!holds) {
        fprintf(stderr, "violated: %s\n", property);
        ++*violations;
    }
}
