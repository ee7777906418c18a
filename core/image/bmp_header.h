// bmp_header: the BMP files that are given to the image library. It trusts sizes, palettes and run
// lengths of this format, so that only files without run lengths whose pixels and palette are
// complete are accepted.
#ifndef COIF_CORE_IMAGE_BMP_HEADER_H
#define COIF_CORE_IMAGE_BMP_HEADER_H

#include "core/base/base.h"
#include "core/base/fs.h"

// Name is used in messages.
coif_status coif_bmp_check(const coif_bytes *file, coif_error *error);

#endif
