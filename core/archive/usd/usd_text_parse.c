// USD text: parser of layers.
#include "core/archive/usd/usd_text.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"

enum { MAX_DEPTH = 200 };

typedef struct parser {
    coif_usd_scanner scanner;
    coif_usd_layer *layer;
    int32_t prim;      // of which metadata or properties are read; -1: the layer
    int32_t attribute; // -1: none
} parser;

static coif_status expect(parser *in, char c)
{
    const char expected[] = {'\'', c, '\'', '\0'};
    return coif_usd_accept(&in->scanner, c) ? COIF_OK : coif_usd_scan_fail(&in->scanner, expected);
}

static coif_status expect_name(parser *in, coif_usd_span *name, const char *what)
{
    *name = coif_usd_scan_name(&in->scanner, ".");
    return name->length > 0 ? COIF_OK : coif_usd_scan_fail(&in->scanner, what);
}

static bool is_list_operation(coif_usd_span word)
{
    static const char *const operations[] = {"add", "append", "prepend", "delete", "reorder"};
    for (size_t i = 0; i < COIF_COUNT_OF(operations); ++i) {
        if (coif_usd_span_is(word, operations[i])) {
            return true;
        }
    }
    return false;
}

// Reads key = value where the value matters; false: it has to be skipped.
static bool read_layer_metadata(parser *in, coif_usd_span key, coif_status *status)
{
    coif_usd_layer *layer = in->layer;
    double *number = coif_usd_span_is(key, "metersPerUnit")        ? &layer->meters_per_unit
                     : coif_usd_span_is(key, "timeCodesPerSecond") ? &layer->time_codes_per_second
                     : coif_usd_span_is(key, "framesPerSecond")    ? &layer->frames_per_second
                                                                   : NULL;
    if (number != NULL) {
        *status = coif_usd_scan_number(&in->scanner, number);
        return true;
    }
    coif_usd_span text;
    if (coif_usd_span_is(key, "upAxis") || coif_usd_span_is(key, "doc")) {
        *status = coif_usd_scan_string(&in->scanner, &text);
        if (*status == COIF_OK && key.text[0] == 'd') {
            layer->documentation = coif_usd_unescape(text, layer->arena);
        } else if (*status == COIF_OK && text.length == 1) {
            layer->up_axis = (char)(text.text[0] | 0x20);
        }
        return true;
    }
    if (coif_usd_span_is(key, "subLayers")) {
        coif_usd_note_ignored(&layer->ignored.composition, "/");
    }
    return false;
}

static coif_status read_bool(parser *in, bool *value)
{
    const coif_usd_span word = coif_usd_scan_name(&in->scanner, "");
    *value = coif_usd_span_is(word, "true") || coif_usd_span_is(word, "1");
    return word.length > 0 ? COIF_OK : coif_usd_scan_fail(&in->scanner, "true or false");
}

static bool read_prim_metadata(parser *in, coif_usd_span key, coif_status *status)
{
    static const char *const arcs[] = {"references", "payload", "inherits", "specializes", "clips"};
    coif_usd_prim *prim = &in->layer->prims[in->prim];
    if (coif_usd_span_is(key, "active")) {
        bool active = true;
        *status = read_bool(in, &active);
        prim->inactive = !active;
        return true;
    }
    if (coif_usd_span_is(key, "instanceable")) {
        *status = read_bool(in, &prim->instanceable);
        return true;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(arcs); ++i) {
        if (coif_usd_span_is(key, arcs[i])) {
            coif_usd_note_ignored(&in->layer->ignored.composition, prim->path);
        }
    }
    return false;
}

static bool read_attribute_metadata(parser *in, coif_usd_span key, coif_status *status)
{
    coif_usd_attribute *attribute = &in->layer->attributes[in->attribute];
    if (coif_usd_span_is(key, "interpolation")) {
        coif_usd_span text;
        *status = coif_usd_scan_string(&in->scanner, &text);
        if (*status == COIF_OK) {
            attribute->interpolation = coif_usd_unescape(text, in->layer->arena);
        }
        return true;
    }
    if (coif_usd_span_is(key, "elementSize")) {
        double size = 1.0;
        *status = coif_usd_scan_number(&in->scanner, &size);
        attribute->element_size = size >= 1.0 && size <= 1e6 ? (int32_t)size : 1;
        return true;
    }
    return false;
}

// The value of a metadata key may be an asset with a prim path and a layer offset.
static coif_status skip_metadata_value(parser *in)
{
    COIF_TRY(coif_usd_skip_value(&in->scanner));
    coif_usd_skip_space(&in->scanner);
    while (in->scanner.at < in->scanner.end && (*in->scanner.at == '<' || *in->scanner.at == '(')) {
        COIF_TRY(coif_usd_skip_value(&in->scanner));
        coif_usd_skip_space(&in->scanner);
    }
    return COIF_OK;
}

typedef bool read_key(parser *in, coif_usd_span key, coif_status *status);

static coif_status parse_metadata_entry(parser *in, read_key *read)
{
    coif_usd_span key = {NULL, 0};
    coif_usd_skip_space(&in->scanner);
    const char c = in->scanner.at < in->scanner.end ? *in->scanner.at : '\0';
    if (c == '"' || c == '\'') { // documentation
        coif_usd_span text;
        COIF_TRY(coif_usd_scan_string(&in->scanner, &text));
        if (in->prim < 0 && in->layer->documentation[0] == '\0') {
            in->layer->documentation = coif_usd_unescape(text, in->layer->arena);
        }
        return COIF_OK;
    }
    COIF_TRY(expect_name(in, &key, "a metadata key"));
    if (is_list_operation(key)) {
        COIF_TRY(expect_name(in, &key, "a metadata key"));
    }
    if (!coif_usd_accept(&in->scanner, '=')) {
        return COIF_OK;
    }
    coif_status status = COIF_OK;
    return read(in, key, &status) ? status : skip_metadata_value(in);
}

// "( ... )", if there is one.
static coif_status parse_metadata(parser *in, read_key *read)
{
    if (!coif_usd_accept(&in->scanner, '(')) {
        return COIF_OK;
    }
    while (!coif_usd_accept(&in->scanner, ')')) {
        if (!coif_usd_accept(&in->scanner, ';') && !coif_usd_accept(&in->scanner, ',')) {
            COIF_TRY(parse_metadata_entry(in, read));
        }
    }
    return COIF_OK;
}

// Offset of the next value, which is skipped.
static coif_status parse_value(parser *in, coif_usd_handle *handle)
{
    coif_usd_skip_space(&in->scanner);
    const char *begin = in->scanner.at;
    COIF_TRY(coif_usd_skip_value(&in->scanner));
    const coif_usd_span span = {begin, (size_t)(in->scanner.at - begin)};
    *handle = coif_usd_span_is(span, "None") || coif_usd_span_is(span, "AnimationBlock")
                  ? COIF_USD_NO_VALUE
                  : (coif_usd_handle)(begin - (const char *)in->layer->bytes.data);
    return COIF_OK;
}

// { 1: value, 2: value, }
static coif_status parse_samples(parser *in)
{
    coif_usd_sample *samples = NULL;
    size_t count = 0, capacity = 0;
    COIF_TRY(expect(in, '{'));
    while (!coif_usd_accept(&in->scanner, '}')) {
        samples = coif_array_grow(samples, count, 1, &capacity, sizeof *samples, in->layer->arena);
        coif_usd_sample *sample = &samples[count++];
        COIF_TRY(coif_usd_scan_number(&in->scanner, &sample->time));
        if (!(sample->time > -1e15 && sample->time < 1e15)) {
            return coif_usd_scan_fail(&in->scanner, "a finite time before it");
        }
        COIF_TRY(expect(in, ':'));
        COIF_TRY(parse_value(in, &sample->handle));
        if (!coif_usd_accept(&in->scanner, ',')) {
            COIF_TRY(expect(in, '}'));
            break;
        }
    }
    coif_usd_set_samples(in->layer, &in->layer->attributes[in->attribute], samples, count);
    return COIF_OK;
}

static bool has_suffix(coif_usd_span *name, const char *suffix)
{
    const size_t length = strlen(suffix);
    if (name->length <= length || memcmp(name->text + name->length - length, suffix, length) != 0) {
        return false;
    }
    name->length -= length;
    return true;
}

// Type, name, value, metadata of an attribute; of a relationship only its end is found.
static coif_status parse_property(parser *in, coif_usd_span type)
{
    coif_usd_span name;
    COIF_TRY(expect_name(in, &name, "the name of a property"));
    if (coif_usd_span_is(type, "rel")) {
        if (coif_usd_accept(&in->scanner, '=')) {
            COIF_TRY(coif_usd_skip_value(&in->scanner));
        }
        coif_usd_skip_space(&in->scanner);
        return in->scanner.at < in->scanner.end && *in->scanner.at == '('
                   ? coif_usd_skip_value(&in->scanner)
                   : COIF_OK;
    }
    const bool samples = has_suffix(&name, ".timeSamples");
    const bool other = !samples && (has_suffix(&name, ".connect") || has_suffix(&name, ".spline"));
    in->attribute = coif_usd_add_attribute(in->layer, in->prim, name.text, name.length);
    if (in->attribute < 0) {
        return coif_usd_scan_fail(&in->scanner, "a shorter name before it");
    }
    coif_usd_attribute *attribute = &in->layer->attributes[in->attribute];
    attribute->type = coif_arena_print(in->layer->arena, "%.*s", (int)type.length, type.text);
    if (coif_usd_accept(&in->scanner, '=')) {
        coif_usd_handle unused;
        COIF_TRY(samples ? parse_samples(in)
                         : parse_value(in, other ? &unused : &attribute->value));
    }
    return parse_metadata(in, read_attribute_metadata);
}

static coif_status parse_prim(parser *in, coif_usd_span specifier, int32_t parent, int depth);

static coif_status parse_prim_entry(parser *in, int32_t prim, int depth)
{
    coif_usd_span word = coif_usd_scan_name(&in->scanner, ".[]");
    if (word.length == 0) {
        return coif_usd_scan_fail(&in->scanner, "a property, a prim or '}'");
    }
    if (coif_usd_span_is(word, "def") || coif_usd_span_is(word, "over") ||
        coif_usd_span_is(word, "class")) {
        return parse_prim(in, word, prim, depth + 1);
    }
    if (coif_usd_span_is(word, "variantSet")) {
        coif_usd_note_ignored(&in->layer->ignored.variants, in->layer->prims[prim].path);
        COIF_TRY(coif_usd_skip_value(&in->scanner));
        COIF_TRY(expect(in, '='));
        return coif_usd_skip_value(&in->scanner);
    }
    if (coif_usd_span_is(word, "reorder")) {
        COIF_TRY(expect_name(in, &word, "what is reordered"));
        if (coif_usd_span_is(word, "rel")) {
            return parse_property(in, word);
        }
        COIF_TRY(expect(in, '='));
        return coif_usd_skip_value(&in->scanner);
    }
    in->prim = prim;
    while (is_list_operation(word) || coif_usd_span_is(word, "custom") ||
           coif_usd_span_is(word, "uniform") || coif_usd_span_is(word, "varying") ||
           coif_usd_span_is(word, "config")) {
        word = coif_usd_scan_name(&in->scanner, ".[]");
        if (word.length == 0) {
            return coif_usd_scan_fail(&in->scanner, "the type of a property");
        }
    }
    return parse_property(in, word);
}

// After the specifier: [type] "name" (metadata) { ... }
static coif_status parse_prim(parser *in, coif_usd_span specifier, int32_t parent, int depth)
{
    if (depth > MAX_DEPTH) {
        return coif_usd_scan_fail(&in->scanner, "at most 200 nested prims");
    }
    coif_usd_layer *layer = in->layer;
    coif_usd_span name;
    const coif_usd_span type = coif_usd_scan_name(&in->scanner, "");
    COIF_TRY(coif_usd_scan_string(&in->scanner, &name));
    const int32_t prim = coif_usd_add_prim(layer, parent, name.text, name.length);
    if (prim < 0) {
        return coif_usd_scan_fail(&in->scanner, "a name of 1 to 4096 bytes before it");
    }
    layer->prims[prim].type = coif_arena_print(layer->arena, "%.*s", (int)type.length, type.text);
    layer->prims[prim].abstract = coif_usd_span_is(specifier, "class");
    in->prim = prim;
    COIF_TRY(parse_metadata(in, read_prim_metadata));
    COIF_TRY(expect(in, '{'));
    while (!coif_usd_accept(&in->scanner, '}')) {
        if (!coif_usd_accept(&in->scanner, ';')) {
            COIF_TRY(parse_prim_entry(in, prim, depth));
        }
    }
    return COIF_OK;
}

static coif_status parse_layer(parser *in)
{
    COIF_TRY(parse_metadata(in, read_layer_metadata));
    for (;;) {
        coif_usd_skip_space(&in->scanner);
        if (in->scanner.at == in->scanner.end) {
            return COIF_OK;
        }
        if (coif_usd_accept(&in->scanner, ';')) {
            continue;
        }
        coif_usd_span word;
        COIF_TRY(expect_name(in, &word, "def, over or class"));
        if (coif_usd_span_is(word, "reorder")) {
            COIF_TRY(expect_name(in, &word, "what is reordered"));
            COIF_TRY(expect(in, '='));
            COIF_TRY(coif_usd_skip_value(&in->scanner));
        } else if (coif_usd_span_is(word, "def") || coif_usd_span_is(word, "over") ||
                   coif_usd_span_is(word, "class")) {
            COIF_TRY(parse_prim(in, word, -1, 0));
        } else {
            in->scanner.at = word.text;
            return coif_usd_scan_fail(&in->scanner, "def, over or class");
        }
    }
}

coif_status coif_usd_text_parse(coif_usd_layer *layer, const coif_bytes *bytes, bool mapped,
                                coif_arena *arena, coif_error *error)
{
    *layer = (coif_usd_layer){.bytes = *bytes,
                              .format = "USD text 1.0",
                              .documentation = "",
                              .decode = coif_usd_text_decode,
                              .arena = arena};
    parser in = {coif_usd_scanner_at(&layer->bytes, 0, error), layer, -1, -1};
    in.scanner.released = mapped ? in.scanner.at : NULL;
    if (bytes->size < 6 || memcmp(bytes->data, "#usda ", 6) != 0) {
        return coif_usd_scan_fail(&in.scanner, "#usda 1.0");
    }
    return parse_layer(&in);
}
