// guard: names the plugin in which the program was when it broke down.
//
// Plugins run in the program itself, and one that writes where it may not takes it along. Whoever
// calls into a plugin says so; a handler then names it and ends the program with the exit code for
// plugins, so that nobody looks for the mistake in coif and no farm tries it again.
#ifndef COIF_PLUGINS_HOST_CRASH_HANDLER_H
#define COIF_PLUGINS_HOST_CRASH_HANDLER_H

// From now on this thread is in `what`, the id of a plugin or the path of a module, until it
// leaves; the text must live that long. Calls do not nest.
void coif_crash_handler_enter(const char *what);
void coif_crash_handler_leave(void);

// For programs: signals by which the system says that something is broken are told to the user
// where a plugin is to blame, and `end` is called, which must not return; they are left to whoever
// had them before where none is.
void coif_crash_handler_install(void (*end)(void));

#endif
