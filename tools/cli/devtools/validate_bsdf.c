// validate, bsdf: the hair BSDF against a table of exact values, or of white furnaces.
#include "core/json/json_writer.h"
#include "render/bsdf/hair_bsdf.h"
#include "tools/cli/devtools/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a table of values must have; other columns are passed over, and the order does not matter.
enum { HEIGHT, ETA, SIGMA, BETA_M = SIGMA + 3, BETA_N, ALPHA, WO, WI = WO + 3, EXACT = WI + 3 };
enum { COLUMNS = EXACT + 3 };
static const char *const NAMES[COLUMNS] = {
    "h",      "eta",       "sigma_a_r",    "sigma_a_g",    "sigma_a_b",   "beta_m",
    "beta_n", "alpha_deg", "wo_x",         "wo_y",         "wo_z",        "wi_x",
    "wi_y",   "wi_z",      "exact_fcos_r", "exact_fcos_g", "exact_fcos_b"};

// What one of furnaces must have; those from OPTIONAL on may be left out.
enum { OPTIONAL = COIF_FURNACE_ETA };
static const char *const FURNACE_NAMES[COIF_FURNACE_COLUMNS] = {"beta_m", "beta_n", "sin_theta_o",
                                                                "h",      "eta",    "alpha_deg"};

// Errors are shares of the exact value. Below this a float says nothing any more, and light is
// dark by any measure.
static const double DARK = 1e-30;

typedef struct table {
    const char *path;
    bool furnace;
    const char *const *names;
    int column_count;
    int place[COLUMNS]; // which field of a line each column is
    int field_count;
    int line; // for messages
    int rows;
    double *errors; // 3 per row, of furnaces 1
    size_t error_count;
} table;

// The next line of text, ended with a zero byte; NULL behind the last.
static char *next_line(char **text)
{
    if (**text == '\0') {
        return NULL;
    }
    char *line = *text;
    char *end = line + strcspn(line, "\n");
    *text = *end != '\0' ? end + 1 : end;
    *end = '\0';
    const size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r') {
        line[length - 1] = '\0';
    }
    return line;
}

static bool says_nothing(const char *line)
{
    return line[0] == '#' || line[strspn(line, " \t")] == '\0';
}

// The next field of a line, ended with a zero byte and without spaces around it.
static char *next_field(char **line)
{
    if (*line == NULL) {
        return NULL;
    }
    char *field = *line + strspn(*line, " \t");
    char *end = field + strcspn(field, ",");
    *line = *end == ',' ? end + 1 : NULL;
    while (end > field && (end[-1] == ' ' || end[-1] == '\t')) {
        --end;
    }
    *end = '\0';
    return field;
}

static coif_status read_names(table *found, char *line, coif_error *error)
{
    found->furnace = strstr(line, "sin_theta_o") != NULL;
    found->names = found->furnace ? FURNACE_NAMES : NAMES;
    found->column_count = found->furnace ? COIF_FURNACE_COLUMNS : COLUMNS;
    for (int i = 0; i < found->column_count; ++i) {
        found->place[i] = -1;
    }
    for (char *name = next_field(&line); name != NULL; name = next_field(&line)) {
        for (int i = 0; i < found->column_count; ++i) {
            if (strcmp(name, found->names[i]) == 0) {
                found->place[i] = found->field_count;
            }
        }
        ++found->field_count;
    }
    const int needed = found->furnace ? OPTIONAL : COLUMNS;
    for (int i = 0; i < needed; ++i) {
        if (found->place[i] < 0) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s:%d: no column '%s'; wanted are those of "
                             "tests/data/reference/hair_bsdf_pbrt.csv",
                             found->path, found->line, found->names[i]);
        }
    }
    return COIF_OK;
}

static coif_status read_values(double *values, const table *from, char *line, coif_error *error)
{
    int field = 0;
    for (char *text = next_field(&line); text != NULL; text = next_field(&line), ++field) {
        for (int i = 0; i < from->column_count; ++i) {
            if (from->place[i] != field) {
                continue;
            }
            char *end;
            values[i] = strtod(text, &end);
            if (end == text || *end != '\0' || !isfinite(values[i])) {
                return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: %s: '%s' is not a number",
                                 from->path, from->line, from->names[i], text);
            }
        }
    }
    if (field != from->field_count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: %d values under %d names", from->path,
                         from->line, field, from->field_count);
    }
    return COIF_OK;
}

static coif_status check_between(const table *from, const double *values, int column, double low,
                                 double high, coif_error *error)
{
    if (values[column] >= low && values[column] <= high) {
        return COIF_OK;
    }
    return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: %s is %g, wanted %g to %g", from->path,
                     from->line, from->names[column], values[column], low, high);
}

static coif_status check_values(const table *from, const double *values, coif_error *error)
{
    COIF_TRY(check_between(from, values, HEIGHT, -1.0, 1.0, error));
    COIF_TRY(check_between(from, values, ETA, 1.0, 10.0, error));
    COIF_TRY(check_between(from, values, BETA_M, 0.0, 1.0, error));
    COIF_TRY(check_between(from, values, BETA_N, 0.0, 1.0, error));
    COIF_TRY(check_between(from, values, ALPHA, -90.0, 90.0, error));
    for (int i = 0; i < 3; ++i) {
        COIF_TRY(check_between(from, values, SIGMA + i, 0.0, 1e6, error));
    }
    for (int first = WO; first <= WI; first += WI - WO) {
        const double *w = values + first;
        const double length = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        if (!(fabs(length - 1.0) < 1e-4)) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: direction %.2s is %g long, wanted 1",
                             from->path, from->line, NAMES[first], length);
        }
    }
    return COIF_OK;
}

static coif_vec3 vector_at(const double *values)
{
    return (coif_vec3){(float)values[0], (float)values[1], (float)values[2]};
}

static void compare(double *errors, const double *values)
{
    const coif_hair_bsdf_params hair = {.eta = (float)values[ETA],
                                        .beta_m = (float)values[BETA_M],
                                        .beta_n = (float)values[BETA_N],
                                        .alpha =
                                            (float)(values[ALPHA] * 3.141592653589793 / 180.0)};
    const coif_hair_lobes lobes = coif_hair_lobes_of(&hair);
    const coif_hair_bsdf bsdf = coif_hair_bsdf_at(&lobes, vector_at(values + SIGMA),
                                                  (float)values[HEIGHT], vector_at(values + WO));
    float pdf;
    const coif_vec3 f = coif_hair_bsdf_eval(&bsdf, vector_at(values + WI), &pdf);
    const double channels[3] = {(double)f.x, (double)f.y, (double)f.z};
    for (int i = 0; i < 3; ++i) {
        const double exact = values[EXACT + i];
        errors[i] = fabs(channels[i] - exact) / fmax(fabs(exact), DARK);
    }
}

static coif_status check_furnace(const table *from, const double *values, coif_error *error)
{
    COIF_TRY(check_between(from, values, COIF_FURNACE_BETA_M, 0.0, 1.0, error));
    COIF_TRY(check_between(from, values, COIF_FURNACE_BETA_N, 0.0, 1.0, error));
    COIF_TRY(check_between(from, values, COIF_FURNACE_SINE, -1.0, 1.0, error));
    COIF_TRY(check_between(from, values, COIF_FURNACE_HEIGHT, -1.0, 1.0, error));
    COIF_TRY(check_between(from, values, COIF_FURNACE_ETA, 1.0, 10.0, error));
    return check_between(from, values, COIF_FURNACE_ALPHA, -90.0, 90.0, error);
}

static coif_status read_row(table *found, char *line, coif_error *error)
{
    double values[COLUMNS] = {0};
    if (found->furnace) {
        // As hair is.
        values[COIF_FURNACE_ETA] = 1.55;
        values[COIF_FURNACE_ALPHA] = 2.0;
    }
    COIF_TRY(read_values(values, found, line, error));
    ++found->rows;
    if (found->furnace) {
        COIF_TRY(check_furnace(found, values, error));
        found->errors[found->error_count++] = coif_furnace_error(values);
        return COIF_OK;
    }
    COIF_TRY(check_values(found, values, error));
    compare(found->errors + found->error_count, values);
    found->error_count += 3;
    return COIF_OK;
}

static coif_status read_table(table *found, char *text, coif_error *error)
{
    for (char *line = next_line(&text); line != NULL; line = next_line(&text)) {
        ++found->line;
        if (says_nothing(line)) {
            continue;
        }
        if (found->field_count == 0) {
            COIF_TRY(read_names(found, line, error));
            continue;
        }
        COIF_TRY(read_row(found, line, error));
    }
    if (found->rows == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: a table without rows", found->path);
    }
    return COIF_OK;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; ++text) {
        count += *text == '\n';
    }
    return count;
}

coif_status coif_validate_bsdf(coif_app *app, const coif_validate_options *options,
                               coif_error *error)
{
    if (options->what == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "TABLE is missing: coif validate bsdf TABLE.csv");
    }
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, options->what, &app->arena, error));
    table found = {.path = options->what};
    found.errors = coif_arena_new(&app->arena, 3 * count_lines(text), double);
    COIF_TRY(read_table(&found, text, error));

    const size_t count = found.error_count;
    qsort(found.errors, count, sizeof found.errors[0], ascending);
    const double median = 0.5 * (found.errors[(count - 1) / 2] + found.errors[count / 2]);
    const double most = found.errors[count - 1];
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    if (options->json) {
        coif_write_open(&writer, NULL, "{");
        coif_write_number(&writer, "rows", found.rows);
        coif_write_number(&writer, "median_relative_error", median);
        coif_write_number(&writer, "max_relative_error", most);
        coif_write_close(&writer, "}");
        coif_strbuf_add(&writer.text, "\n");
    } else {
        coif_strbuf_print(&writer.text, "%-22s %d\n%-22s %.3g\n%-22s %.3g\n", "rows", found.rows,
                          "median_relative_error", median, "max_relative_error", most);
    }
    return coif_app_print(writer.text.data, NULL, error);
}
