// coif info: what a file is and what it holds.
#include "core/formats/hair_file.h"
#include "core/image.h"
#include "core/mesh.h"
#include "tools/coif/command.h"

typedef struct info_options {
    coif_text_list files;
    int32_t json;
} info_options;
