// request_auth: access control of requests.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_REQUEST_AUTH_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_REQUEST_AUTH_H

#include "core/base/base.h"

// Whether a Host header names the loopback address or localhost with this port. Other names that
// resolve to 127.0.0.1 (DNS rebinding) are rejected.
bool coif_auth_host(const char *host, int port);

// Whether an Origin header is this server's, or NULL (requests that no page made).
bool coif_auth_origin(const char *origin, int port);

// Compares in constant time for tokens of equal length.
bool coif_auth_token(const char *given, const char *expected);

#endif
