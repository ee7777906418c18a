// Function table of the OpenImageIO module.
//
// OpenImageIO depends on some 260 libraries, so its C++ wrapper is a module that is loaded with the
// first image. No exception leaves the module: every function is noexcept and writes a message to
// `failure`.
#ifndef COIF_CORE_IMAGE_IMAGE_OIIO_H
#define COIF_CORE_IMAGE_IMAGE_OIIO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define COIF_NOEXCEPT noexcept
extern "C" {
#else
#define COIF_NOEXCEPT
#endif

// The number changes with the table, so that a module of another build is rejected.
#define COIF_OIIO_MODULE_SYMBOL "coif_image_module_entry_6"

typedef struct coif_image_failure {
    char text[2048];
    int32_t out_of_memory; // std::bad_alloc
} coif_image_failure;

// Header of a file, not validated.
typedef struct coif_image_header {
    int64_t width, height, depth, channel_count;
    int32_t integer_bits; // 8, 16, or 0 for half, float and anything else
    int32_t deep;
    int64_t x, y, full_width, full_height;
} coif_image_header;

typedef struct coif_image_encode_desc {
    const char *format; // "openexr", "png", "jpeg", "tiff", "bmp", "hdr"
    int32_t width, height, channel_count;
    const char *const *channel_names; // channel_count
    const int32_t *channel_types;     // channel_count of coif_image_type
    const float *pixels;
    const char *const *texts; // pairs of key and value
    int32_t text_count;
    int32_t fast; // PNG: fast compression
    int32_t srgb; // sets the tag only; values are already encoded
    const char *compression;
    const char *software;
    const char *date; // "YYYY:MM:DD hh:mm:ss", or "" for none
    const char *part; // name among several, or NULL
    int32_t x, y, full_width, full_height;
} coif_image_encode_desc;

typedef struct coif_image_bytes {
    const void *data;
    size_t size;
    void *owner;
} coif_image_bytes;

// A display and view of an OpenColorIO configuration; "" for a default.
typedef struct coif_display_names {
    const char *config, *display, *view, *look;
    const char *color_space;
    const char *const *known_spaces; // for a colour space "": the first that exists; up to NULL
} coif_display_names;

typedef struct coif_oiio_module {
    // NULL on failure. Opens the file as this format only. Part counts from 0.
    void *(*open)(const char *format, const char *path, int32_t part, coif_image_header *header,
                  coif_image_failure *failure)COIF_NOEXCEPT;
    void (*close)(void *file) COIF_NOEXCEPT;
    // All channels as floats, rows from the top; 0 on failure.
    int32_t (*read)(void *file, float *pixels, coif_image_failure *failure) COIF_NOEXCEPT;
    // Copies at most size bytes, zero-terminated; returns the full length, -1 when absent.
    int64_t (*channel_name)(void *file, int32_t channel, char *name, size_t size) COIF_NOEXCEPT;
    int64_t (*text)(void *file, const char *key, char *value, size_t size) COIF_NOEXCEPT;
    // Encodes a file of count parts in memory; 0 on failure. Free the bytes with release.
    int32_t (*encode)(const coif_image_encode_desc *parts, int32_t count, coif_image_bytes *bytes,
                      coif_image_failure *failure) COIF_NOEXCEPT;
    void (*release)(coif_image_bytes *bytes) COIF_NOEXCEPT;
    // A display transform, never freed; NULL on failure.
    void *(*display_open)(const coif_display_names *names,
                          coif_image_failure *failure)COIF_NOEXCEPT;
    // Converts colours in place; 0 on failure.
    int32_t (*display_apply)(void *display, float *pixels, int64_t count, int32_t channels,
                             coif_image_failure *failure) COIF_NOEXCEPT;
} coif_oiio_module;

typedef const coif_oiio_module *(*coif_oiio_module_entry)(void)COIF_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
