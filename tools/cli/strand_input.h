// strand_input: strands of any file: a groom, a frame of a cache, or a file of another program.
#ifndef COIF_TOOLS_CLI_STRAND_INPUT_H
#define COIF_TOOLS_CLI_STRAND_INPUT_H

#include "core/archive/archive.h"
#include "core/hair/formats/strand_file.h"

// A frame FOLDER/NAME.0042.strands needs its groom FOLDER/NAME.groom. Import as for strand files;
// it scales and rotates grooms and frames as well.
coif_status coif_strand_input_load(coif_strand_file *file, const char *path,
                                   const coif_hair_import *import, coif_arena *arena,
                                   coif_error *error);

// Strands over time: a file, one file per frame (#### in the path), the samples of an archive, or
// the frames of a groom in the folder of a cache.
typedef struct coif_strand_source {
    const char *path, *groom;
    coif_hair_import import;
    coif_archive *archive; // NULL: another file
    double fps;            // of the frames of an archive
    int32_t frame_count;   // of samples or of the cache; 0: one pose, or files by their number
    const double *frames;  // increasing
} coif_strand_source;

// Groom: of a folder. Fps 0: as an archive states it, else 24. An archive stays open.
coif_status coif_strand_source_open(coif_strand_source *source, const char *path, const char *groom,
                                    const coif_hair_import *import, double fps, coif_arena *arena,
                                    coif_error *error);

// Strands at a frame; NULL: the only pose, or the first samples of an archive.
coif_status coif_strand_source_load(coif_strand_file *file, const coif_strand_source *source,
                                    const double *frame, coif_arena *arena, coif_error *error);

// Whether the extension is that of a file that coif_strand_input_load reads.
bool coif_strand_input_reads(const char *path);

#endif
