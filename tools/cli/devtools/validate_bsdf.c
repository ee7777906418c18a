// coif validate bsdf: the hair BSDF against a table of reference values or of white furnace tests,
// and its elliptical section against ray tracing.
#include "core/json/json_writer.h"
#include "render/bench/cylinder_trace.h"
#include "render/bsdf/hair_bsdf.h"
#include "tools/cli/devtools/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Columns of a table of reference values; others are ignored, and the order does not matter.
enum { HEIGHT, ETA, SIGMA, BETA_M = SIGMA + 3, BETA_N, ALPHA, WO, WI = WO + 3, EXACT = WI + 3 };
enum { COLUMNS = EXACT + 3 };

// Columns of a table of furnace tests; those from FURNACE_ETA on are optional.
enum {
    FURNACE_BETA_M,
    FURNACE_BETA_N,
    FURNACE_SINE,
    FURNACE_HEIGHT,
    FURNACE_ETA,
    FURNACE_ALPHA,
    FURNACE_COLUMNS
};

// A column and its permitted range.
typedef struct table_column {
    const char *name;
    double low, high;
} table_column;

static const table_column REFERENCE_TABLE[COLUMNS] = {
    {"h", -1, 1},
    {"eta", 1, 10},
    {"sigma_a_r", 0, 1e6},
    {"sigma_a_g", 0, 1e6},
    {"sigma_a_b", 0, 1e6},
    {"beta_m", 0, 1},
    {"beta_n", 0, 1},
    {"alpha_deg", -90, 90},
    {"wo_x", -2, 2},
    {"wo_y", -2, 2},
    {"wo_z", -2, 2},
    {"wi_x", -2, 2},
    {"wi_y", -2, 2},
    {"wi_z", -2, 2},
    {"exact_fcos_r", -INFINITY, INFINITY},
    {"exact_fcos_g", -INFINITY, INFINITY},
    {"exact_fcos_b", -INFINITY, INFINITY},
};

static const table_column FURNACE_TABLE[FURNACE_COLUMNS] = {
    {"beta_m", 0, 1}, {"beta_n", 0, 1}, {"sin_theta_o", -1, 1},
    {"h", -1, 1},     {"eta", 1, 10},   {"alpha_deg", -90, 90},
};

// Lower bound of the denominator of relative errors: below it floats lose precision.
static const double DARK = 1e-30;

static const double PI = 3.141592653589793;

typedef struct table {
    const char *path;
    bool furnace;
    const table_column *columns;
    int column_count;
    int field[COLUMNS]; // index in a line, per column
    int field_count;
    int line; // for messages
    int rows;
    double *errors; // 3 per row, of furnace tests 1
    size_t error_count;
} table;

// Cuts the next field off a line, without the white space around it; NULL at the end.
static char *next_field(char **line)
{
    char *field = strsep(line, ",");
    if (field == NULL) {
        return NULL;
    }
    field += strspn(field, " \t");
    size_t length = strlen(field);
    while (length > 0 && strchr(" \t\r", field[length - 1]) != NULL) {
        --length;
    }
    field[length] = '\0';
    return field;
}

static coif_status read_header(table *found, char *line, coif_error *error)
{
    found->furnace = strstr(line, "sin_theta_o") != NULL;
    found->columns = found->furnace ? FURNACE_TABLE : REFERENCE_TABLE;
    found->column_count = found->furnace ? (int)FURNACE_COLUMNS : (int)COLUMNS;
    for (int i = 0; i < found->column_count; ++i) {
        found->field[i] = -1;
    }
    for (char *name = next_field(&line); name != NULL; name = next_field(&line)) {
        for (int i = 0; i < found->column_count; ++i) {
            if (strcmp(name, found->columns[i].name) == 0) {
                found->field[i] = found->field_count;
            }
        }
        ++found->field_count;
    }
    const int required = found->furnace ? (int)FURNACE_ETA : (int)COLUMNS;
    for (int i = 0; i < required; ++i) {
        if (found->field[i] < 0) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s:%d: no column '%s'; expected those of "
                             "tests/data/reference/hair_bsdf_pbrt.csv",
                             found->path, found->line, found->columns[i].name);
        }
    }
    return COIF_OK;
}

static coif_status read_value(double *value, const table *from, const table_column *column,
                              const char *text, coif_error *error)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: %s: '%s' is not a number", from->path,
                         from->line, column->name, text);
    }
    if (*value < column->low || *value > column->high) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: %s is %g, expected %g to %g", from->path,
                         from->line, column->name, *value, column->low, column->high);
    }
    return COIF_OK;
}

static coif_status read_values(double *values, const table *from, char *line, coif_error *error)
{
    int field = 0;
    for (char *text = next_field(&line); text != NULL; text = next_field(&line), ++field) {
        for (int i = 0; i < from->column_count; ++i) {
            if (from->field[i] == field) {
                COIF_TRY(read_value(&values[i], from, &from->columns[i], text, error));
            }
        }
    }
    if (field != from->field_count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: %d values under %d names", from->path,
                         from->line, field, from->field_count);
    }
    return COIF_OK;
}

static coif_status check_unit_length(const table *from, const double *values, int first,
                                     coif_error *error)
{
    const double *w = values + first;
    const double length = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(fabs(length - 1.0) < 1e-4)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s:%d: direction %.2s has length %g, expected 1",
                         from->path, from->line, from->columns[first].name, length);
    }
    return COIF_OK;
}

static coif_vec3 vector_at(const double *values)
{
    return (coif_vec3){(float)values[0], (float)values[1], (float)values[2]};
}

static coif_hair_lobes lobes_of(double eta, double beta_m, double beta_n, double alpha_deg)
{
    const coif_hair_bsdf_params hair = {.eta = (float)eta,
                                        .beta_m = (float)beta_m,
                                        .beta_n = (float)beta_n,
                                        .alpha = (float)(alpha_deg * PI / 180.0)};
    return coif_hair_lobes_of(&hair);
}

// Relative error of each channel.
static void compare(double *errors, const double *values)
{
    const coif_hair_lobes lobes =
        lobes_of(values[ETA], values[BETA_M], values[BETA_N], values[ALPHA]);
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

// White furnace test: |albedo - 1| of a fibre without absorption. Four-point Gauss-Legendre
// quadrature over theta (equidistant points are off by 3e-3 for the narrowest lobes, because of the
// poles), equidistant points over phi.
static double furnace_error(const double *values)
{
    static const double nodes[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                    0.8611363115940526};
    static const double weights[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                      0.3478548451374538};
    enum { THETA_STEPS = 256, PHI_STEPS = 512 };
    const coif_hair_lobes lobes = lobes_of(values[FURNACE_ETA], values[FURNACE_BETA_M],
                                           values[FURNACE_BETA_N], values[FURNACE_ALPHA]);
    const double sine = values[FURNACE_SINE];
    const coif_vec3 wo = {(float)sine, (float)sqrt(fmax(1.0 - sine * sine, 0.0)), 0.0f};
    const coif_hair_bsdf bsdf =
        coif_hair_bsdf_at(&lobes, (coif_vec3){0.0f, 0.0f, 0.0f}, (float)values[FURNACE_HEIGHT], wo);
    double sum = 0.0;
    for (int i = 0; i < THETA_STEPS; ++i) {
        const double theta = PI * ((i / 4 + 0.5 + 0.5 * nodes[i % 4]) / (THETA_STEPS / 4) - 0.5);
        double ring = 0.0;
        for (int k = 0; k < PHI_STEPS; ++k) {
            const double phi = 2.0 * PI * (k + 0.5) / PHI_STEPS;
            const coif_vec3 wi = {(float)sin(theta), (float)(cos(theta) * cos(phi)),
                                  (float)(cos(theta) * sin(phi))};
            float pdf;
            ring += (double)coif_hair_bsdf_eval(&bsdf, wi, &pdf).y;
        }
        sum += weights[i % 4] * ring * cos(theta);
    }
    return fabs(sum * 0.5 * PI / (THETA_STEPS / 4) * 2.0 * PI / PHI_STEPS - 1.0);
}

static coif_status read_row(table *found, char *line, coif_error *error)
{
    double values[COLUMNS] = {0};
    if (found->furnace) {
        values[FURNACE_ETA] = 1.55;
        values[FURNACE_ALPHA] = 2.0;
    }
    COIF_TRY(read_values(values, found, line, error));
    ++found->rows;
    if (found->furnace) {
        found->errors[found->error_count++] = furnace_error(values);
        return COIF_OK;
    }
    COIF_TRY(check_unit_length(found, values, WO, error));
    COIF_TRY(check_unit_length(found, values, WI, error));
    compare(found->errors + found->error_count, values);
    found->error_count += 3;
    return COIF_OK;
}

static coif_status read_table(table *found, char *text, coif_error *error)
{
    for (char *line = strsep(&text, "\n"); line != NULL; line = strsep(&text, "\n")) {
        ++found->line;
        if (line[0] == '#' || line[strspn(line, " \t\r")] == '\0') {
            continue;
        }
        COIF_TRY(found->field_count == 0 ? read_header(found, line, error)
                                         : read_row(found, line, error));
    }
    if (found->rows == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: table without rows", found->path);
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

// The elliptical section against ray tracing of a dielectric cylinder, per largest ratio of the
// axes.
static coif_status validate_ellipse(bool json, coif_app *app, coif_error *error)
{
    static const double ratios[] = {1.0, 1.5, 2.0, 3.0};
    static const char *const names[] = {"max_ellipticity",      "lobe_energy_error",
                                        "lobe_azimuth_error",   "residual_energy_error",
                                        "azimuthal_difference", "furnace_error"};
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    for (size_t k = 0; k < COIF_COUNT_OF(names); ++k) {
        coif_strbuf_print(&text, "%-22s%s", names[k], k + 1 < COIF_COUNT_OF(names) ? "" : "\n");
    }
    coif_write_open(&writer, NULL, "[");
    for (size_t i = 0; i < COIF_COUNT_OF(ratios); ++i) {
        const coif_ellipse_errors errors = coif_ellipse_validate(ratios[i]);
        const double numbers[] = {ratios[i],       errors.energy,    errors.azimuth,
                                  errors.residual, errors.azimuthal, errors.furnace};
        coif_write_open(&writer, NULL, "{");
        for (size_t k = 0; k < COIF_COUNT_OF(names); ++k) {
            coif_write_number(&writer, names[k], numbers[k]);
            coif_strbuf_print(&text, k + 1 < COIF_COUNT_OF(names) ? "%-22.3g" : "%.3g\n",
                              numbers[k]);
        }
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(json ? writer.text.data : text.data, NULL, error);
}

coif_status coif_validate_bsdf(coif_app *app, const coif_validate_options *options,
                               coif_error *error)
{
    if (options->what == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "TABLE is missing: coif validate bsdf TABLE.csv, or ellipse");
    }
    if (strcmp(options->what, "ellipse") == 0) {
        return validate_ellipse(options->json, app, error);
    }
    char *text;
    size_t size;
    const char *path = coif_app_find_file(app, options->what);
    COIF_TRY(coif_file_load(&text, &size, path, &app->arena, error));
    table found = {.path = path};
    found.errors = coif_arena_new(&app->arena, 3 * count_lines(text), double);
    COIF_TRY(read_table(&found, text, error));

    const size_t count = found.error_count;
    qsort(found.errors, count, sizeof found.errors[0], ascending);
    const double median = 0.5 * (found.errors[(count - 1) / 2] + found.errors[count / 2]);
    const double largest = found.errors[count - 1];
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    if (options->json) {
        coif_write_open(&writer, NULL, "{");
        coif_write_number(&writer, "rows", found.rows);
        coif_write_number(&writer, "median_relative_error", median);
        coif_write_number(&writer, "max_relative_error", largest);
        coif_write_close(&writer, "}");
        coif_strbuf_add(&writer.text, "\n");
    } else {
        coif_strbuf_print(&writer.text, "%-22s %d\n%-22s %.3g\n%-22s %.3g\n", "rows", found.rows,
                          "median_relative_error", median, "max_relative_error", largest);
    }
    return coif_app_print(writer.text.data, NULL, error);
}
