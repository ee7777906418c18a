#include "tools/cli/convert_repair.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "tools/cli/args.h"

#include <stdio.h>
#include <string.h>

static const char *const STEPS[] = {"merge",    "reverse", "strays",     "bind",
                                    "resample", "push",    "duplicates", "guides"};

coif_status coif_repair_steps_parse(uint32_t *steps, const char *names, coif_error *error)
{
    uint32_t chosen = 0, left_out = 0;
    while (names != NULL && names[0] != '\0') {
        char name[32];
        const size_t length = strcspn(names, ",");
        const bool no = strncmp(names, "no-", 3) == 0;
        snprintf(name, sizeof name, "%.*s", (int)(length - (no ? 3 : 0)), names + (no ? 3 : 0));
        names += length + (names[length] == ',');
        int32_t step = 0;
        while (step < (int32_t)COIF_COUNT_OF(STEPS) && strcmp(name, STEPS[step]) != 0) {
            ++step;
        }
        if (step == (int32_t)COIF_COUNT_OF(STEPS)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "--repair-steps: no step '%s'%s", name,
                             coif_suggest(name, STEPS, COIF_COUNT_OF(STEPS),
                                          "; steps are merge, reverse, strays, bind, resample, "
                                          "push, duplicates and guides")
                                 .text);
        }
        *(no ? &left_out : &chosen) |= 1u << step;
    }
    *steps = (chosen != 0 ? chosen : COIF_REPAIR_ALL | COIF_REPAIR_GUIDES) & ~left_out;
    return COIF_OK;
}

static double mm(double metres)
{
    return 1e3 * metres;
}

void coif_repair_log(const coif_strand_repair_report *report, const coif_strand_repair_desc *desc,
                     const char *path)
{
    coif_log(COIF_LOG_INFO,
             "%s: %d repeated points merged, %d strands reversed, %d strays and %d duplicates "
             "removed",
             path, report->merged_points, report->reversed, report->strays, report->duplicates);
    if ((desc->steps & COIF_REPAIR_BIND) != 0) {
        coif_log(COIF_LOG_INFO,
                 "%s: %d roots moved to the body, by %.3f mm on average and at most %.3f mm", path,
                 report->bound.strands, mm(report->bound.average), mm(report->bound.largest));
    }
    if ((desc->steps & COIF_REPAIR_RESAMPLE) != 0) {
        coif_log(COIF_LOG_INFO,
                 "%s: %d strands resampled to equal segments (tolerance %g), points moved by %.3f "
                 "mm on average and at most %.3f mm; %d strands stay uneven",
                 path, report->resampled.strands, (double)desc->resample_tolerance,
                 mm(report->resampled.average), mm(report->resampled.largest), report->uneven);
    }
    if ((desc->steps & COIF_REPAIR_PUSH) != 0) {
        coif_log(COIF_LOG_INFO,
                 "%s: %lld points of %d strands pushed out of the body, by %.3f mm on average and "
                 "at most %.3f mm",
                 path, (long long)report->pushed.points, report->pushed.strands,
                 mm(report->pushed.average), mm(report->pushed.largest));
    }
    if (report->stuck > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %d strands stay as they are: with their roots and segments they do not come "
                 "out of the body",
                 path, report->stuck);
    }
}

static void write_moves(coif_json_writer *writer, const char *name, const coif_repair_moves *moves)
{
    coif_write_open(writer, name, "{");
    coif_write_number(writer, "strands", moves->strands);
    coif_write_number(writer, "points", (double)moves->points);
    coif_write_number(writer, "average", moves->average);
    coif_write_number(writer, "largest", moves->largest);
    coif_write_close(writer, "}");
}

void coif_repair_write(coif_json_writer *writer, const coif_strand_repair_report *report,
                       const coif_strand_repair_desc *desc)
{
    coif_write_number(writer, "merged_points", report->merged_points);
    coif_write_number(writer, "reversed", report->reversed);
    coif_write_number(writer, "strays", report->strays);
    write_moves(writer, "bound", &report->bound);
    write_moves(writer, "resampled", &report->resampled);
    coif_write_number(writer, "resample_tolerance", (double)desc->resample_tolerance);
    coif_write_number(writer, "uneven", report->uneven);
    write_moves(writer, "pushed", &report->pushed);
    coif_write_number(writer, "stuck", report->stuck);
    coif_write_number(writer, "duplicates", report->duplicates);
}

const char *coif_repair_guides_path(const char *output, coif_arena *arena)
{
    const char *name = coif_path_name(output);
    const char *number = strchr(name, '#'), *dot = strrchr(name, '.');
    size_t stem = dot != NULL ? (size_t)(dot - name) : strlen(name);
    if (number != NULL && (size_t)(number - name) < stem) {
        stem = (size_t)(number - name);
        stem -= stem > 0 && strchr("._-", name[stem - 1]) != NULL;
    }
    return coif_arena_print(arena, "%.*s_guides%s", (int)(name - output + (ptrdiff_t)stem), output,
                            name + stem);
}

int32_t coif_repair_guide_count(int32_t strands)
{
    const int32_t count = strands / 50;
    return count < 16 ? 16 : count > 4000 ? 4000 : count;
}
