// strand_input: strands of any file: a groom, a frame of a cache, or a file of another program.
#ifndef COIF_TOOLS_CLI_STRAND_INPUT_H
#define COIF_TOOLS_CLI_STRAND_INPUT_H

#include "core/hair/formats/strand_file.h"

// A frame FOLDER/NAME.0042.strands needs its groom FOLDER/NAME.groom. Import as for strand files;
// it scales and rotates grooms and frames as well.
coif_status coif_strand_input_load(coif_strand_file *file, const char *path,
                                   const coif_hair_import *import, coif_arena *arena,
                                   coif_error *error);

// Whether the extension is that of a file that coif_strand_input_load reads.
bool coif_strand_input_reads(const char *path);

#endif
