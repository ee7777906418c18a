#include "core/base/hash64.h"

#include <xxhash.h>

uint64_t coif_hash64(const void *data, size_t bytes)
{
    return XXH3_64bits(data, bytes);
}

uint64_t coif_hash64_extend(uint64_t digest, const void *data, size_t bytes)
{
    // The length goes in too, so that "ab" + "c" and "a" + "bc" differ.
    const uint64_t parts[3] = {digest, (uint64_t)bytes, XXH3_64bits(data, bytes)};
    return XXH3_64bits(parts, sizeof parts);
}
