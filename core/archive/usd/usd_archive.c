// USD archives: opening files, listing objects.
#include "core/archive/usd/usd_archive.h"

#include "core/archive/usd/usd_crate.h"
#include "core/archive/usd/usd_text.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <stdlib.h>

// Times of the samples of an object.
typedef struct time_list {
    double *codes;
    size_t count, capacity;
    coif_arena *arena;
    bool moving;
} time_list;

static void add_times(time_list *list, const coif_usd_attribute *attribute)
{
    const size_t more = (size_t)attribute->sample_count;
    list->codes = coif_array_grow(list->codes, list->count, more, &list->capacity, sizeof(double),
                                  list->arena);
    memcpy(list->codes + list->count, attribute->times, more * sizeof(double));
    list->count += more;
}

static void add_xform_times(void *context, const coif_usd_attribute *attribute)
{
    time_list *list = context;
    list->moving = true;
    add_times(list, attribute);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const struct {
    const char *type;
    coif_archive_kind kind;
} KINDS[] = {{"BasisCurves", COIF_ARCHIVE_CURVES},
             {"Mesh", COIF_ARCHIVE_MESH},
             {"Camera", COIF_ARCHIVE_CAMERA}};

// Types with geometry that are not read.
static const char *const UNREAD_TYPES[] = {"HermiteCurves",  "NurbsCurves", "NurbsPatch",
                                           "PointInstancer", "Points",      "TetMesh"};

// Samples of these do not change what is read.
static bool changes_object(const char *name)
{
    static const char *const others[] = {"extent", "visibility", "velocities", "accelerations"};
    for (size_t i = 0; i < COIF_COUNT_OF(others); ++i) {
        if (strcmp(name, others[i]) == 0) {
            return false;
        }
    }
    return true;
}

static bool has_samples(const coif_usd_layer *layer, int32_t prim, const char *name)
{
    const coif_usd_attribute *attribute = coif_usd_find(layer, prim, name);
    return attribute != NULL && attribute->sample_count > 1;
}

static void find_times(coif_usd_archive *archive, int32_t index, coif_arena *arena)
{
    const coif_usd_layer *layer = &archive->layer;
    coif_archive_object *object = &archive->base.objects[index];
    const int32_t prim = archive->objects[index].prim;
    time_list list = {.arena = arena};
    for (int32_t a = layer->prims[prim].first_attribute; a >= 0; a = layer->attributes[a].next) {
        if (layer->attributes[a].sample_count > 0 && changes_object(layer->attributes[a].name)) {
            add_times(&list, &layer->attributes[a]);
        }
    }
    coif_usd_each_xform(layer, prim, add_xform_times, &list);
    if (list.count == 0) {
        list.codes = coif_arena_new(arena, 1, double);
        list.count = 1;
    }
    qsort(list.codes, list.count, sizeof(double), by_value);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; ++i) {
        if (kept == 0 || list.codes[i] != list.codes[kept - 1]) {
            list.codes[kept++] = list.codes[i];
        }
    }
    double *times = coif_arena_new(arena, kept, double);
    for (size_t i = 0; i < kept; ++i) {
        times[i] = list.codes[i] / archive->time_codes_per_second;
    }
    object->times = times;
    object->sample_count = (int32_t)kept;
    object->constant_topology = !has_samples(layer, prim, "curveVertexCounts") &&
                                !has_samples(layer, prim, "faceVertexCounts") &&
                                !has_samples(layer, prim, "faceVertexIndices");
    archive->objects[index].time_codes = list.codes;
    archive->objects[index].moving = list.moving;
}

// State that a prim has from its ancestors.
enum { HIDDEN = 1, ABSTRACT = 2, GUIDE = 4 };

static coif_status inherited_state(const coif_usd_query *query, const unsigned char *states,
                                   unsigned char *state)
{
    const coif_usd_prim *prim = &query->layer->prims[query->prim];
    const char *visibility, *purpose;
    COIF_TRY(coif_usd_get_text(query, "visibility", "inherited", &visibility));
    COIF_TRY(coif_usd_get_text(query, "purpose", "", &purpose));
    *state = prim->parent >= 0 ? states[prim->parent] : 0;
    if (purpose[0] != '\0' && strcmp(purpose, "default") != 0) {
        *state = (unsigned char)(*state & ~GUIDE);
        *state |= strcmp(purpose, "guide") == 0 ? GUIDE : 0;
    }
    *state |= strcmp(visibility, "invisible") == 0 ? HIDDEN : 0;
    // Prototypes are drawn by their instancer alone.
    *state |= prim->abstract || prim->inactive || strcmp(prim->type, "PointInstancer") == 0
                  ? ABSTRACT
                  : 0;
    return COIF_OK;
}

static bool is_unread(const char *type)
{
    for (size_t i = 0; i < COIF_COUNT_OF(UNREAD_TYPES); ++i) {
        if (strcmp(type, UNREAD_TYPES[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void add_object(coif_usd_archive *archive, int32_t prim, coif_archive_kind kind,
                       bool is_guide)
{
    const int32_t index = archive->base.object_count++;
    archive->objects[index].prim = prim;
    archive->base.objects[index] = (coif_archive_object){
        .path = archive->layer.prims[prim].path, .kind = kind, .is_guide = is_guide};
}

static coif_status list_objects(coif_usd_archive *archive, coif_arena *arena, coif_error *error)
{
    const coif_usd_layer *layer = &archive->layer;
    const char *name = layer->bytes.name;
    unsigned char *states = coif_arena_new(arena, layer->prim_count, unsigned char);
    size_t count = 0;
    for (size_t p = 0; p < layer->prim_count; ++p) {
        for (size_t k = 0; k < COIF_COUNT_OF(KINDS); ++k) {
            count += strcmp(layer->prims[p].type, KINDS[k].type) == 0;
        }
    }
    archive->objects = coif_arena_new(arena, count, coif_usd_object);
    archive->base.objects = coif_arena_new(arena, count, coif_archive_object);
    for (size_t p = 0; p < layer->prim_count; ++p) {
        const coif_usd_prim *prim = &layer->prims[p];
        const coif_usd_query query = {layer, (int32_t)p, 0.0, arena, error};
        COIF_TRY(inherited_state(&query, states, &states[p]));
        if (is_unread(prim->type)) {
            coif_log(COIF_LOG_WARNING, "%s: %s: %s is not read", name, prim->path, prim->type);
        }
        if (prim->instanceable) {
            coif_log(COIF_LOG_WARNING, "%s: %s: instancing is ignored", name, prim->path);
        }
        for (size_t k = 0; k < COIF_COUNT_OF(KINDS); ++k) {
            if (strcmp(prim->type, KINDS[k].type) != 0 || (states[p] & ABSTRACT) != 0) {
                continue;
            }
            if ((states[p] & HIDDEN) != 0 && KINDS[k].kind != COIF_ARCHIVE_CAMERA) {
                coif_log(COIF_LOG_WARNING, "%s: %s is invisible and not read", name, prim->path);
                continue;
            }
            // A prim whose points come from another layer has none here.
            const coif_usd_attribute *points = coif_usd_find(layer, (int32_t)p, "points");
            if (KINDS[k].kind == COIF_ARCHIVE_CAMERA ||
                (points != NULL &&
                 (points->sample_count > 0 || points->value != COIF_USD_NO_VALUE))) {
                add_object(archive, (int32_t)p, KINDS[k].kind, (states[p] & GUIDE) != 0);
            }
        }
    }
    for (int32_t i = 0; i < archive->base.object_count; ++i) {
        find_times(archive, i, arena);
    }
    return COIF_OK;
}

static void warn_of_ignored(const coif_usd_layer *layer)
{
    if (layer->ignored.composition != NULL) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s: sublayers, references, payloads and inherits are ignored; flatten the "
                 "stage to read them",
                 layer->bytes.name, layer->ignored.composition);
    }
    if (layer->ignored.variants != NULL) {
        coif_log(COIF_LOG_WARNING, "%s: %s: variants are ignored; flatten the stage to read them",
                 layer->bytes.name, layer->ignored.variants);
    }
}

static bool is_positive(double number)
{
    return number > 1e-9 && number < 1e9;
}

static const double FALLBACK_UNIT = 0.01;

static void set_units(coif_usd_archive *archive, const coif_archive_import *import)
{
    const coif_usd_layer *layer = &archive->layer;
    const coif_archive_import none = {0};
    import = import != NULL ? import : &none;
    // The fallbacks of USD (UsdGeom, metrics) are centimetres and y up.
    archive->base.meters_per_unit = import->meters_per_unit > 0.0         ? import->meters_per_unit
                                    : is_positive(layer->meters_per_unit) ? layer->meters_per_unit
                                                                          : FALLBACK_UNIT;
    archive->base.states_units =
        import->meters_per_unit > 0.0 || is_positive(layer->meters_per_unit);
    const char axis = import->up_axis != 0 ? import->up_axis : layer->up_axis;
    archive->base.up_axis = axis == 'z' ? 'z' : 'y';
    archive->time_codes_per_second =
        is_positive(layer->time_codes_per_second) ? layer->time_codes_per_second
        : is_positive(layer->frames_per_second)   ? layer->frames_per_second
                                                  : 24.0;
    archive->base.fps = is_positive(layer->frames_per_second)       ? layer->frames_per_second
                        : is_positive(layer->time_codes_per_second) ? layer->time_codes_per_second
                                                                    : 0.0;
}

// First line of the layer's documentation: programs name themselves there ("Blender v3.4.1").
static const char *application_of(const coif_usd_layer *layer, coif_arena *arena)
{
    const size_t length = strcspn(layer->documentation, "\r\n");
    return coif_arena_print(arena, "%.*s", (int)(length < 200 ? length : 200),
                            layer->documentation);
}

static bool starts_with(const coif_bytes *bytes, const char *magic, size_t size)
{
    return bytes->size >= size && memcmp(bytes->data, magic, size) == 0;
}

// The first file of a package (.usdz, an uncompressed ZIP archive) is its root layer.
static coif_status open_package(coif_bytes *layer, const coif_bytes *bytes, coif_error *error)
{
    enum { HEADER = 30 };
    const unsigned char *h = bytes->data;
    if (bytes->size < HEADER) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: the package ends at byte %zu", bytes->name,
                         bytes->size);
    }
    const uint32_t method = h[8] | (uint32_t)h[9] << 8;
    const size_t size = h[22] | (size_t)h[23] << 8 | (size_t)h[24] << 16 | (size_t)h[25] << 24;
    const size_t begin = HEADER + (h[26] | (size_t)h[27] << 8) + (h[28] | (size_t)h[29] << 8);
    if (method != 0 || (h[6] & 8) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: the first file of the package is compressed; USD packages are not",
                         bytes->name);
    }
    if (begin > bytes->size || size > bytes->size - begin) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: the first file of the package ends after byte %zu", bytes->name,
                         bytes->size);
    }
    *layer = (coif_bytes){bytes->name, h + begin, size};
    return COIF_OK;
}

static coif_status open_bytes(coif_archive **archive, const coif_bytes *bytes, bool mapped,
                              const coif_archive_import *import, coif_arena *arena,
                              coif_error *error)
{
    coif_usd_archive *usd = coif_arena_new(arena, 1, coif_usd_archive);
    coif_bytes content = *bytes;
    *archive = NULL;
    if (starts_with(bytes, "PK\3\4", 4)) {
        COIF_TRY(open_package(&content, bytes, error));
    }
    const bool crate = starts_with(&content, "PXR-USDC", 8);
    COIF_TRY(crate ? coif_usd_crate_parse(&usd->layer, &content, arena, error)
                   : coif_usd_text_parse(&usd->layer, &content, mapped, arena, error));
    usd->base.vtable = crate ? &COIF_ARCHIVE_USDC : &COIF_ARCHIVE_USDA;
    usd->layer_offset = (size_t)((const char *)content.data - (const char *)bytes->data);
    usd->base.path = coif_arena_copy_text(arena, bytes->name);
    usd->base.format = usd->layer.format;
    usd->base.application = application_of(&usd->layer, arena);
    set_units(usd, import);
    COIF_TRY(list_objects(usd, arena, error));
    warn_of_ignored(&usd->layer);
    *archive = &usd->base;
    return COIF_OK;
}

coif_status coif_usd_archive_open_bytes(coif_archive **archive, const coif_bytes *bytes,
                                        const coif_archive_import *import, coif_arena *arena,
                                        coif_error *error)
{
    return open_bytes(archive, bytes, false, import, arena, error);
}

static coif_status open_file(coif_archive **archive, const char *path,
                             const coif_archive_import *import, coif_arena *arena,
                             coif_error *error)
{
    coif_bytes bytes;
    COIF_TRY(coif_file_map(&bytes, coif_arena_copy_text(arena, path), error));
    const coif_status status = open_bytes(archive, &bytes, true, import, arena, error);
    if (status == COIF_OK) {
        ((coif_usd_archive *)*archive)->file_size = bytes.size;
    }
    coif_file_unmap(&bytes);
    return status;
}

static bool matches_text(const unsigned char *head, size_t size)
{
    return size >= 6 && memcmp(head, "#usda ", 6) == 0;
}

static bool matches_crate(const unsigned char *head, size_t size)
{
    return size >= 8 && (memcmp(head, "PXR-USDC", 8) == 0 || memcmp(head, "PK\3\4", 4) == 0);
}

const coif_archive_vtable COIF_ARCHIVE_USDA = {.name = "USD text",
                                               .extensions = "usda usd",
                                               .matches = matches_text,
                                               .open = open_file,
                                               .read_curves = coif_usd_read_curves,
                                               .read_mesh = coif_usd_read_mesh,
                                               .read_camera = coif_usd_read_camera};

const coif_archive_vtable COIF_ARCHIVE_USDC = {.name = "USD crate",
                                               .extensions = "usdc usd usdz",
                                               .matches = matches_crate,
                                               .open = open_file,
                                               .read_curves = coif_usd_read_curves,
                                               .read_mesh = coif_usd_read_mesh,
                                               .read_camera = coif_usd_read_camera};
