// process: runs other programs without a shell.
#ifndef COIF_TOOLS_CLI_PROCESS_H
#define COIF_TOOLS_CLI_PROCESS_H

#include "core/base/base.h"

#include <sys/types.h>

// Runs argv[0] (found on the PATH) with the NULL-terminated argv and waits. output receives the
// first 4 KB of its stdout. A missing program, a nonzero exit code and a signal are COIF_ERR_IO
// with the last 4 KB of stderr. When progress is cancelled the program is terminated and the status
// is COIF_ERR_CANCELLED.
coif_status coif_process_run(char **output, const char *const *argv, coif_arena *arena,
                             coif_progress *progress, coif_error *error);

// Starts a program whose output is appended to a file, after a line with the command. The caller
// waits for the process.
coif_status coif_process_spawn_logged(pid_t *child, const char *const *argv, const char *log,
                                      coif_error *error);

// Starts a program detached, without input and output. False when it cannot be started.
bool coif_process_start(const char *const *argv);

#endif
