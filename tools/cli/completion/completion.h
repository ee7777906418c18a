// completion: scripts that complete commands, options and choices in a shell, from the same rows as
// --help.
#ifndef COIF_TOOLS_CLI_COMPLETION_COMPLETION_H
#define COIF_TOOLS_CLI_COMPLETION_COMPLETION_H

#include "tools/cli/command.h"

void coif_completion_bash(void);
void coif_completion_zsh(void);
void coif_completion_fish(void);

// Whether a row is an option, with dashes, and no word by its place.
static inline bool coif_completion_is_option(const coif_param *row)
{
    return (row->flags & COIF_ARG_ARGUMENT) == 0;
}

#endif
