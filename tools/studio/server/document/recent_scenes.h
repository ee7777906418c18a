// recent_scenes: the scenes that were opened last, newest first, kept in a file between sessions.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_RECENT_SCENES_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_RECENT_SCENES_H

#include "core/base/base.h"

enum { COIF_MAX_RECENT_SCENES = 20 };

// coif/recent_scenes.json in $XDG_STATE_HOME or ~/.local/state; NULL without a home folder.
const char *coif_recent_scenes_file(coif_arena *arena);

// Absolute paths of those that still exist. A missing or damaged file is an empty list.
int32_t coif_recent_scenes_load(const char *paths[COIF_MAX_RECENT_SCENES], const char *file,
                                coif_arena *arena);

// Puts a scene first. A failure is logged only: the list is a convenience.
void coif_recent_scenes_add(const char *file, const char *scene);

#endif
