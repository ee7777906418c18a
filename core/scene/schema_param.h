// schema_row: how one row of a table looks in a JSON Schema. Used by the schema of a scene only.
#ifndef COIF_CORE_SCENE_SCHEMA_PARAM_H
#define COIF_CORE_SCENE_SCHEMA_PARAM_H

#include "core/json/json_writer.h"
#include "core/scene/params.h"

// A member of "properties".
void coif_schema_param(coif_json_writer *out, const coif_param *row);

// Members of "$defs" that rows refer to: the ways to give a value that are not plain.
void coif_schema_forms(coif_json_writer *out);

#endif
