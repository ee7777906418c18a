// One plugin per invalid field that a host can detect. None of them may be registered.
#include <coif/plugin.h>

#include <math.h>

typedef struct params {
    float a, b, c;
    const char *text;
} params;

static void blow(const coif_host *host, const void *state, const void *values,
                 const coif_force_batch *batch)
{
    (void)host, (void)state, (void)values, (void)batch;
}

static const char *const NO_CHOICES[] = {NULL};
static const char *const SAME_CHOICES[] = {"a", "a", NULL};
static const char *const CHOICES[] = {"a", "b", NULL};

// clang-format off
#define ROW(...) {.name = "a", .help = "", .unit = "", .type = COIF_PARAM_FLOAT, __VA_ARGS__}
static const coif_param NULL_NAME[] = {{.help = "", .unit = "", .type = COIF_PARAM_FLOAT}};
static const coif_param BAD_NAME[] = {{.name = "A b", .help = "", .unit = "", .type = COIF_PARAM_FLOAT}};
static const coif_param RESERVED[] = {{.name = "plugin", .help = "", .unit = "", .type = COIF_PARAM_FLOAT}};
static const coif_param NO_HELP[] = {{.name = "a", .unit = "", .type = COIF_PARAM_FLOAT}};
static const coif_param TWICE[] = {ROW(.offset = 0), ROW(.offset = 4)};
static const coif_param OUTSIDE[] = {ROW(.offset = sizeof(params) - 2)};
static const coif_param FAR_OUTSIDE[] = {ROW(.offset = 0xfffffffcu)};
static const coif_param CROOKED[] = {ROW(.offset = 2)};
static const coif_param TYPE[] = {{.name = "a", .help = "", .unit = "", .type = 99}};
static const coif_param DEFAULT[] = {ROW(.fallback = {7}, .low = 0, .high = 1)};
static const coif_param BACKWARDS[] = {ROW(.low = 2, .high = 1)};
static const coif_param NOT_A_NUMBER[] = {ROW(.low = (double)NAN, .high = (double)INFINITY)};
static const coif_param VARYING[] = {ROW(.flags = COIF_PARAM_MAPPABLE)};
static const coif_param HALF[] = {{.name = "a", .help = "", .unit = "", .type = COIF_PARAM_INT, .fallback = {0.5}}};
static const coif_param WITHOUT[] = {{.name = "a", .help = "", .unit = "", .type = COIF_PARAM_CHOICE}};
static const coif_param EMPTY[] = {{.name = "a", .help = "", .unit = "", .type = COIF_PARAM_CHOICE, .choices = NO_CHOICES}};
static const coif_param SAME[] = {{.name = "a", .help = "", .unit = "", .type = COIF_PARAM_CHOICE, .choices = SAME_CHOICES}};
static const coif_param BEYOND[] = {{.name = "a", .help = "", .unit = "", .type = COIF_PARAM_CHOICE, .choices = CHOICES, .fallback = {2}}};
static const coif_param FINE[] = {ROW(.offset = 0)};

#define PLUGIN(...) {.struct_size = sizeof(coif_plugin), .kind = COIF_KIND_FORCE, .version = "1", .help = "", \
                     .params_size = sizeof(params), .param_stride = sizeof(coif_param), .force = blow, __VA_ARGS__}
#define TABLE(name, rows) PLUGIN(.id = name, .params = rows, .param_count = sizeof rows / sizeof rows[0])

static const coif_plugin LIARS[] = {
    PLUGIN(.id = "lie.short", .struct_size = 40),
    PLUGIN(.id = "lie.nothing", .struct_size = 0),
    PLUGIN(.id = "lie.huge", .struct_size = 0xffffffffu),
    PLUGIN(.id = NULL),
    PLUGIN(.id = "nofamily"),
    PLUGIN(.id = "Lie.upper"),
    PLUGIN(.id = "lie."),
    PLUGIN(.id = "lie.two.dots"),
    PLUGIN(.id = "lie.version", .version = NULL),
    PLUGIN(.id = "lie.kind", .kind = 4),
    PLUGIN(.id = "lie.no_force", .force = NULL),
    PLUGIN(.id = "lie.no_map", .kind = COIF_KIND_MAP),
    PLUGIN(.id = "lie.needs", .needs = COIF_NEEDS_BORDER),
    PLUGIN(.id = "lie.no_groom", .kind = COIF_KIND_GROOM),
    PLUGIN(.id = "lie.null_params", .param_count = 3),
    PLUGIN(.id = "lie.many_params", .params = FINE, .param_count = 100000),
    PLUGIN(.id = "lie.stride", .params = FINE, .param_count = 1, .param_stride = 80),
    PLUGIN(.id = "lie.params_size", .params_size = 0x7fffffff),
    PLUGIN(.id = "lie.state_size", .state_size = 0xffffffffu),
    TABLE("lie.null_name", NULL_NAME),
    TABLE("lie.bad_name", BAD_NAME),
    TABLE("lie.reserved", RESERVED),
    TABLE("lie.no_help", NO_HELP),
    TABLE("lie.twice", TWICE),
    TABLE("lie.outside", OUTSIDE),
    TABLE("lie.far_outside", FAR_OUTSIDE),
    TABLE("lie.crooked", CROOKED),
    TABLE("lie.type", TYPE),
    TABLE("lie.default", DEFAULT),
    TABLE("lie.backwards", BACKWARDS),
    TABLE("lie.not_a_number", NOT_A_NUMBER),
    TABLE("lie.varying", VARYING),
    TABLE("lie.half", HALF),
    TABLE("lie.without", WITHOUT),
    TABLE("lie.empty", EMPTY),
    TABLE("lie.same", SAME),
    TABLE("lie.beyond", BEYOND),
};
// clang-format on

enum { COUNT = sizeof LIARS / sizeof LIARS[0] };

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    (void)host_abi;
    static const coif_plugin *plugins[COUNT + 1]; // the last one stays empty
    static coif_plugin_list list = {COIF_PLUGIN_ABI, COUNT + 1, NULL};
    for (int i = 0; i < COUNT; ++i) {
        plugins[i] = &LIARS[i];
    }
    list.plugins = plugins;
    return &list;
}
