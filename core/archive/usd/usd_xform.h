// Transform operations of USD prims: xformOpOrder of a prim and its ancestors at a time.
#ifndef COIF_CORE_ARCHIVE_USD_USD_XFORM_H
#define COIF_CORE_ARCHIVE_USD_USD_XFORM_H

#include "core/archive/transform.h"
#include "core/archive/usd/usd_layer.h"

// Transform of a prim to the coordinates of the layer, in its unit and up axis. Memory for
// operations is released again.
coif_status coif_usd_world_matrix(const coif_usd_query *query, coif_transform *world);

// Calls add for every transform operation with samples that moves the prim.
void coif_usd_each_xform(const coif_usd_layer *layer, int32_t prim,
                         void (*add)(void *context, const coif_usd_attribute *attribute),
                         void *context);

#endif
