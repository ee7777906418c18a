// process: another program, run without a shell, watched and stopped with us.
#ifndef COIF_TOOLS_CLI_PROCESS_H
#define COIF_TOOLS_CLI_PROCESS_H

#include "core/base/base.h"

// Runs words[0] (found on the PATH) with its words (NULL-terminated) and waits. Output becomes what
// it wrote to stdout, up to a few kilobytes. A program that is not there, ends with another code
// than 0 or dies is COIF_ERR_IO with the last of what it wrote to stderr. When progress is
// cancelled it is asked to end, and the status is COIF_ERR_CANCELLED.
coif_status coif_process_run(char **output, const char *const *words, coif_arena *arena,
                             coif_progress *progress, coif_error *error);

// Starts a program and lets it go its way, without input and output. False when it is not there.
bool coif_process_start(const char *const *words);

#endif
