// Table of image formats and their capabilities.
#ifndef COIF_CORE_IMAGE_IMAGE_FORMAT_H
#define COIF_CORE_IMAGE_IMAGE_FORMAT_H

#include "core/image/image.h"

typedef struct coif_image_format {
    const char *name;          // for messages: "PNG"
    const char *extensions[2]; // the second may be NULL
    const char *library;       // OpenImageIO name
    coif_image_type default_type;
    uint32_t types;          // bit t: supports coif_image_type t
    int32_t channels;        // maximum
    bool grey;               // supports one channel
    bool mixed;              // channels may differ in type
    const char *compression; // NULL: not selectable
} coif_image_format;

// First extensions of all formats, NULL-terminated.
extern const char *const COIF_IMAGE_FORMATS[];

// Finds the format by extension, ignoring case; an unknown extension is an error.
coif_status coif_image_format_find(const coif_image_format **format, const char *path,
                                   coif_error *error);

// Functions of the image module, which is loaded on the first call.
struct coif_oiio_module;
struct coif_image_failure;
coif_status coif_oiio_module_load(const struct coif_oiio_module **module, coif_error *error);

// COIF_ERR_MEMORY where the library was out of memory, else the other status.
coif_status coif_image_failure_status(const struct coif_image_failure *failure, coif_status other);

// Checks that the format supports the description; COIF_ERR_ARGUMENT names what it does not.
coif_status coif_image_format_check(const coif_image_format *format, const char *path,
                                    const coif_image_desc *desc, coif_error *error);

#endif
