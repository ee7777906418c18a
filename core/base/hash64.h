// 64-bit content hash (XXH3), equal on every machine.
#ifndef COIF_CORE_BASE_HASH64_H
#define COIF_CORE_BASE_HASH64_H

#include "core/base/base.h"

uint64_t coif_hash64(const void *data, size_t bytes);

// Chains hashes: start with 0 and pass the previous result. Depends on order and piece boundaries.
uint64_t coif_hash64_extend(uint64_t digest, const void *data, size_t bytes);

#endif
