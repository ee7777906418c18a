// Decompression of LZ4 blocks.
#ifndef COIF_CORE_ARCHIVE_USD_LZ4_BLOCK_H
#define COIF_CORE_ARCHIVE_USD_LZ4_BLOCK_H

#include "core/base/base.h"

// Decompresses a whole block into at most capacity bytes. False for damaged input; size is the
// number of bytes written.
bool coif_lz4_decompress(void *data, size_t capacity, size_t *size, const void *block,
                         size_t block_size);

#endif
