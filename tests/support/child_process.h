// Code that ends its process, run in a child.
#ifndef COIF_TESTS_SUPPORT_CHILD_PROCESS_H
#define COIF_TESTS_SUPPORT_CHILD_PROCESS_H

#include <sys/wait.h>
#include <unistd.h>

// The exit code of a child process; -1 when a signal ended it.
static inline int exit_code_of(void (*child)(void))
{
    const pid_t process = fork();
    if (process == 0) {
        child();
        _exit(0);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
