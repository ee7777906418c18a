// denoise_file: inputs of the denoiser of one frame as a pack, render0001.denoise.
//
// `coif denoise` reads these files and nothing else: they also hold the settings of the image files
// and their metadata.
#ifndef COIF_RENDER_OUTPUT_DENOISE_FILE_H
#define COIF_RENDER_OUTPUT_DENOISE_FILE_H

#include "render/denoise/denoise_frame.h"
#include "render/output/image_output.h"

typedef struct coif_denoise_file {
    coif_denoise_frame frame;
    int32_t radius;            // frames before and after that are used
    const char *formats;       // of the images, separated by commas
    coif_output_params output; // of the images
    int32_t full_width, full_height;
    coif_rect window;     // of the frame in the full image
    const char *metadata; // of the images: lines KEY=VALUE
    uint64_t digest;      // read: of the content
} coif_denoise_file;

coif_status coif_denoise_file_save(const coif_denoise_file *file, coif_jobs *jobs, const char *path,
                                   coif_error *error);
coif_status coif_denoise_file_load(coif_denoise_file *file, const char *path, coif_arena *arena,
                                   coif_error *error);

// Reads the digest only.
coif_status coif_denoise_file_peek(uint64_t *digest, const char *path, coif_error *error);

// The metadata as attributes; returns their number.
int32_t coif_denoise_file_texts(const coif_denoise_file *file, coif_image_attribute *texts,
                                int32_t capacity, coif_arena *arena);

#endif
