// abi_1: static assertions on the struct layout of plugin ABI 1 for 64-bit targets.
//
// A failing line breaks every module already built. New fields are appended to a struct and get a
// line of their own; existing lines never change.
#include <coif/plugin.h>

#define FIELD(type, field, offset)                                                                 \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " must keep its offset")
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has an unexpected size")

_Static_assert(sizeof(void *) == 8, "this table is for 64-bit targets");
_Static_assert(COIF_PLUGIN_ABI == 1, "a new ABI number needs a new table");
_Static_assert(sizeof(coif_status) == 4, "a status is 32 bits");

FIELD(coif_param, name, 0);
FIELD(coif_param, help, 8);
FIELD(coif_param, unit, 16);
FIELD(coif_param, type, 24);
FIELD(coif_param, flags, 28);
FIELD(coif_param, offset, 32);
FIELD(coif_param, fallback, 40);
FIELD(coif_param, low, 64);
FIELD(coif_param, high, 72);
FIELD(coif_param, choices, 80);
SIZE(coif_param, 88);

FIELD(coif_host, struct_size, 0);
FIELD(coif_host, data, 8);
FIELD(coif_host, alloc, 16);
FIELD(coif_host, set_error, 24);
FIELD(coif_host, image_open, 32);
FIELD(coif_host, image_sample, 40);
FIELD(coif_host, image_channels, 48);
FIELD(coif_host, image_texel, 56);
FIELD(coif_host, mesh_open, 64);
FIELD(coif_host, parse_float, 72);
SIZE(coif_host, 80);

FIELD(coif_mesh_view, struct_size, 0);
FIELD(coif_mesh_view, vertex_count, 4);
FIELD(coif_mesh_view, triangle_count, 8);
FIELD(coif_mesh_view, positions, 16);
FIELD(coif_mesh_view, indices, 24);
SIZE(coif_mesh_view, 32);

FIELD(coif_force_batch, struct_size, 0);
FIELD(coif_force_batch, count, 4);
FIELD(coif_force_batch, time, 8);
FIELD(coif_force_batch, x, 16);
FIELD(coif_force_batch, vx, 40);
FIELD(coif_force_batch, wind_x, 64);
FIELD(coif_force_batch, ax, 88);
FIELD(coif_force_batch, az, 104);
SIZE(coif_force_batch, 112);

FIELD(coif_map_batch, struct_size, 0);
FIELD(coif_map_batch, count, 4);
FIELD(coif_map_batch, time, 8);
FIELD(coif_map_batch, u, 16);
FIELD(coif_map_batch, x, 32);
FIELD(coif_map_batch, nx, 56);
FIELD(coif_map_batch, value, 80);
FIELD(coif_map_batch, border_distance, 88);
FIELD(coif_map_batch, curvature_change, 96);
SIZE(coif_map_batch, 104);

FIELD(coif_strand_view, struct_size, 0);
FIELD(coif_strand_view, strand_count, 4);
FIELD(coif_strand_view, first, 8);
FIELD(coif_strand_view, x, 16);
FIELD(coif_strand_view, radius, 40);
FIELD(coif_strand_view, root_frame, 48);
FIELD(coif_strand_view, random, 56);
FIELD(coif_strand_view, clump, 64);
FIELD(coif_strand_view, region, 72);
SIZE(coif_strand_view, 80);

FIELD(coif_groom_batch, struct_size, 0);
FIELD(coif_groom_batch, strand_count, 4);
FIELD(coif_groom_batch, first, 8);
FIELD(coif_groom_batch, x, 16);
FIELD(coif_groom_batch, radius, 40);
FIELD(coif_groom_batch, root_frame, 48);
FIELD(coif_groom_batch, root_uv, 56);
FIELD(coif_groom_batch, random, 64);
FIELD(coif_groom_batch, per_strand, 72);
FIELD(coif_groom_batch, per_point, 80);
FIELD(coif_groom_batch, time, 88);
FIELD(coif_groom_batch, input, 96);
FIELD(coif_groom_batch, strand_begin, 104);
FIELD(coif_groom_batch, clump, 112);
FIELD(coif_groom_batch, region, 120);
FIELD(coif_groom_batch, input_per_strand, 128);
FIELD(coif_groom_batch, guide_direction, 136);
FIELD(coif_groom_batch, body, 144);
SIZE(coif_groom_batch, 152);

FIELD(coif_surface_view, struct_size, 0);
FIELD(coif_surface_view, data, 8);
FIELD(coif_surface_view, query, 16);
SIZE(coif_surface_view, 24);

FIELD(coif_plugin, struct_size, 0);
FIELD(coif_plugin, kind, 4);
FIELD(coif_plugin, id, 8);
FIELD(coif_plugin, version, 16);
FIELD(coif_plugin, help, 24);
FIELD(coif_plugin, params, 32);
FIELD(coif_plugin, param_count, 40);
FIELD(coif_plugin, param_stride, 44);
FIELD(coif_plugin, params_size, 48);
FIELD(coif_plugin, state_size, 52);
FIELD(coif_plugin, init, 56);
FIELD(coif_plugin, frame, 64);
FIELD(coif_plugin, force, 72);
FIELD(coif_plugin, map, 80);
FIELD(coif_plugin, groom, 88);
FIELD(coif_plugin, max_segment_length, 96);
FIELD(coif_plugin, prepare, 104);
FIELD(coif_plugin, needs, 112);
SIZE(coif_plugin, 120);

FIELD(coif_plugin_list, abi, 0);
FIELD(coif_plugin_list, count, 4);
FIELD(coif_plugin_list, plugins, 8);
SIZE(coif_plugin_list, 16);
