// generator: the command line of the asset generators.
#ifndef COIF_ASSETS_GENERATOR_H
#define COIF_ASSETS_GENERATOR_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"

typedef struct asset_generator {
    const char *name;   // of the executable
    const char *writes; // what it writes, for the usage message
    coif_status (*generate)(const char *folder, coif_arena *arena, coif_error *error);
} asset_generator;

// Returns the exit code: a coif_status.
int asset_generator_main(const asset_generator *generator, int argc, char **argv);

// Writes a file of text into a folder.
coif_status asset_save(const coif_strbuf *text, const char *folder, const char *name,
                       coif_error *error);

// One checked property: reports a violation to stderr and counts it.
void asset_expect(int *violations, const char *property, bool holds);

#endif
