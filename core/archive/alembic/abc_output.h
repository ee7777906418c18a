// Objects and properties of an Alembic archive that is written.
//
// Samples go to the file when they are added; references to them, headers and metadata are kept and
// written by coif_abc_output_commit.
#ifndef COIF_CORE_ARCHIVE_ALEMBIC_ABC_OUTPUT_H
#define COIF_CORE_ARCHIVE_ALEMBIC_ABC_OUTPUT_H

#include "core/archive/alembic/abc_schema.h"
#include "core/archive/alembic/ogawa_write.h"

typedef struct coif_abc_out_property {
    const char *name, *metadata;
    bool compound, array;
    coif_abc_type type;
    uint32_t extent, sampling;
    struct coif_abc_out_property *children, *next;
    // Samples: references of blocks and, for arrays, of their dimensions.
    uint64_t *references;
    size_t reference_count, reference_capacity;
    uint32_t sample_count, first_changed, last_changed;
    uint64_t last, last_dimensions; // references of the last sample
    size_t last_size;
    bool scalar_like, homogeneous;
    coif_ogawa_key digest; // of all samples
} coif_abc_out_property;

typedef struct coif_abc_out_object {
    const char *name;
    const char *schema, *compound;     // as "AbcGeom_Curve_v2" and ".geom"; NULL: none
    bool has_base;                     // the schema derives from that of geometry
    coif_abc_out_property *properties; // of the compound
    struct coif_abc_out_object *children, *next;
} coif_abc_out_object;

typedef struct coif_abc_output {
    coif_ogawa_writer ogawa;
    coif_abc_out_object *top;
    uint32_t max_samples[2]; // per time sampling: 0 static, 1 uniform
    double start, step;      // seconds, of the uniform sampling
    const char *metadata;    // of the archive
    coif_arena *arena;
} coif_abc_output;

// The child of a name; it is made when there is none.
coif_abc_out_object *coif_abc_out_child(coif_abc_output *output, coif_abc_out_object *parent,
                                        const char *name);

// What a property holds; metadata and name must outlive the output.
typedef struct coif_abc_out_desc {
    const char *name, *metadata;
    bool array;
    coif_abc_type type;
    uint32_t extent, sampling;
} coif_abc_out_desc;

// Adds a sample to the property of a list; the first sample makes the property.
coif_status coif_abc_out_sample(coif_abc_output *output, coif_abc_out_property **list,
                                const coif_abc_out_desc *desc, const void *data, size_t size,
                                coif_error *error);

// Repeats the last sample of a property if it has one.
void coif_abc_out_repeat(coif_abc_output *output, coif_abc_out_property *list, const char *name);

// The compound of a name in a list; it is made when there is none.
coif_abc_out_property *coif_abc_out_compound(coif_abc_output *output, coif_abc_out_property **list,
                                             const char *name);

coif_status coif_abc_output_commit(coif_abc_output *output, coif_error *error);

#endif
