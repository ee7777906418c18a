// guard: who may speak to the studio. Pure questions about the lines of a request.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_REQUEST_AUTH_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_REQUEST_AUTH_H

#include "core/base/base.h"

// A Host is ours when it names the loopback address or localhost with our port: a name that
// somebody else's server resolves to 127.0.0.1 is not.
bool coif_auth_host(const char *host, int port);

// An Origin is ours, or absent, as in requests that no page made.
bool coif_auth_origin(const char *origin, int port);

// Compares all of it whatever the first difference, so that time tells nothing.
bool coif_auth_token(const char *given, const char *wanted);

// Whether a path leaves the folder it is taken against, or is absolute.
bool coif_path_escapes(const char *path);

#endif
