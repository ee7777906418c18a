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

bool coif_auth_token(const char *given, const char *expected)
{
    const size_t length = strlen(expected);
    if (given == NULL || strlen(given) != length) {
        return false;
    }
    unsigned difference = 0;
    for (size_t i = 0; i < length; ++i) {
        difference |= (unsigned)(given[i] ^ expected[i]);
    }
    return difference == 0;
}
