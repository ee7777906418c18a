// compression: gzip of replies for clients that accept it, as through an ssh tunnel.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_COMPRESSION_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_COMPRESSION_H

#include "core/base/arena.h"

// Whether a value of Accept-Encoding (or NULL) names gzip and does not exclude it.
bool coif_accepts_gzip(const char *accept_encoding);

// Whether data of a content type becomes smaller: text and binary arrays, not images.
bool coif_is_compressible(const char *content_type, size_t size);

// NULL if it would not become smaller, or without memory.
const void *coif_gzip(const void *data, size_t size, size_t *gzip_size, coif_arena *arena);

#endif
