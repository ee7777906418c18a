// convert_repair: options and report of coif convert --repair.
#ifndef COIF_TOOLS_CLI_CONVERT_REPAIR_H
#define COIF_TOOLS_CLI_CONVERT_REPAIR_H

#include "core/json/json_writer.h"
#include "sim/cache/strand_repair.h"

// The step of the command line that follows those of coif_repair_step.
enum { COIF_REPAIR_GUIDES = COIF_REPAIR_ALL + 1 };

// Names separated by commas, or no-NAME for all steps but those; NULL: all.
coif_status coif_repair_steps_parse(uint32_t *steps, const char *names, coif_error *error);

// One line of the log per step; path names the input.
void coif_repair_log(const coif_strand_repair_report *report, const coif_strand_repair_desc *desc,
                     const char *path);

// Members of the current object.
void coif_repair_write(coif_json_writer *writer, const coif_strand_repair_report *report,
                       const coif_strand_repair_desc *desc);

// "out/hair.####.ply" to "out/hair_guides.####.ply".
const char *coif_repair_guides_path(const char *output, coif_arena *arena);

// One in 50 strands, but at least 16 and at most 4000.
int32_t coif_repair_guide_count(int32_t strands);

#endif
