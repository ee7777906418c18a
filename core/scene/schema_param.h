// JSON Schema of one parameter. Used by schema.c only.
#ifndef COIF_CORE_SCENE_SCHEMA_PARAM_H
#define COIF_CORE_SCENE_SCHEMA_PARAM_H

#include "core/json/json_writer.h"
#include "core/scene/params.h"

// Writes a member of "properties".
void coif_schema_param(coif_json_writer *out, const coif_param *row);

// Writes the members of "$defs" for value objects.
void coif_schema_forms(coif_json_writer *out);

#endif
