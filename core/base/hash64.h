// digest: 64-bit fingerprints of content (XXH3), the same on every machine.
#ifndef COIF_CORE_BASE_HASH64_H
#define COIF_CORE_BASE_HASH64_H

#include "core/base/base.h"

uint64_t coif_hash64(const void *data, size_t bytes);

// Chains pieces: start with 0 and feed the last result back in. Depends on order and on borders.
uint64_t coif_hash64_extend(uint64_t digest, const void *data, size_t bytes);

#endif
