// image_format: what each image format can hold, and what it is called.
#ifndef COIF_CORE_IMAGE_IMAGE_FORMAT_H
#define COIF_CORE_IMAGE_IMAGE_FORMAT_H

#include "core/image/image.h"

typedef struct coif_image_format {
    const char *name;          // for messages: "PNG"
    const char *extensions[2]; // the second may be NULL
    const char *library;       // what OpenImageIO calls it
    coif_image_type usual;
    uint32_t types;          // bit t: holds coif_image_type t
    int32_t channels;        // at most
    bool grey;               // one channel is allowed
    bool mixed;              // channels may differ in type
    const char *compression; // NULL: the format has no choice
} coif_image_format;

// By extension, in upper or lower case. Unknown ones are an error that lists the known.
coif_status coif_image_format_find(const coif_image_format **format, const char *path,
                                   coif_error *error);

// The module's functions; loads it the first time.
struct coif_oiio_module;
coif_status coif_oiio_module_load(const struct coif_oiio_module **door, coif_error *error);

// Whether the format can hold what the description asks for; COIF_ERR_ARGUMENT names what it
// cannot.
coif_status coif_image_format_check(const coif_image_format *format, const char *path,
                                    const coif_image_desc *desc, coif_error *error);

#endif
