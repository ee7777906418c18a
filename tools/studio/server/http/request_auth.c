#include "tools/studio/server/http/request_auth.h"

#include <stdio.h>
#include <string.h>

static const char *const NAMES[] = {"127.0.0.1", "localhost", "[::1]"};

bool coif_auth_host(const char *host, int port)
{
    for (size_t i = 0; host != NULL && i < COIF_COUNT_OF(NAMES); ++i) {
        char ours[64];
        snprintf(ours, sizeof ours, "%s:%d", NAMES[i], port);
        if (strcmp(host, ours) == 0) {
            return true;
        }
    }
    return false;
}

bool coif_auth_origin(const char *origin, int port)
{
    static const char scheme[] = "http://";
    return origin == NULL || (strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                              coif_auth_host(origin + sizeof scheme - 1, port));
}

bool coif_auth_token(const char *given, const char *wanted)
{
    const size_t length = strlen(wanted);
    if (given == NULL || strlen(given) != length) {
        return false;
    }
    unsigned difference = 0;
    for (size_t i = 0; i < length; ++i) {
        difference |= (unsigned)(given[i] ^ wanted[i]);
    }
    return difference == 0;
}

bool coif_path_escapes(const char *path)
{
    if (path[0] == '/' || path[0] == '\0') {
        return true;
    }
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            return true;
        }
    }
    return false;
}
