// crash_handler: attributes crashes to the plugin that was running.
//
// Plugins share the address space of the program. Callers mark the time a thread spends in a
// plugin; a signal handler then names that plugin and ends the program with the exit code for
// plugin errors, which a render farm does not retry.
#ifndef COIF_PLUGINS_HOST_CRASH_HANDLER_H
#define COIF_PLUGINS_HOST_CRASH_HANDLER_H

// Marks the calling thread as running `name`, a plugin id or module path, until leave. The text
// must stay valid until then. Calls do not nest.
void coif_crash_handler_enter(const char *name);
void coif_crash_handler_leave(void);

// Ends the mark while host code runs on behalf of a plugin, so that a crash of the host is not
// attributed to the plugin. Returns the name to enter again, or NULL.
const char *coif_crash_handler_pause(void);

// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. In a plugin they print its
// name and call `end`, which must not return and must be async-signal-safe; elsewhere they restore
// the previous handler.
void coif_crash_handler_install(void (*end)(void));

#endif
