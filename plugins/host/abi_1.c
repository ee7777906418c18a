// abi_1: the layout of the plugin interface, version 1, nailed down for 64-bit machines.
//
// A line here that no longer holds is a broken promise to every module already built. New fields go
// to the end of a struct and get a line of their own; the old lines stay.
#include <coif/plugin.h>

#define AT(type, field, offset)                                                                    \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")

_Static_assert(sizeof(void *) == 8, "this table is for 64-bit machines");
_Static_assert(COIF_PLUGIN_ABI == 1, "a new number needs a new table");
_Static_assert(sizeof(coif_status) == 4, "a status is 32 bits");

AT(coif_param, name, 0);
AT(coif_param, help, 8);
AT(coif_param, unit, 16);
AT(coif_param, type, 24);
AT(coif_param, flags, 28);
AT(coif_param, offset, 32);
AT(coif_param, fallback, 40);
AT(coif_param, low, 64);
AT(coif_param, high, 72);
AT(coif_param, choices, 80);
SIZE(coif_param, 88);

AT(coif_host, struct_size, 0);
AT(coif_host, data, 8);
AT(coif_host, alloc, 16);
AT(coif_host, set_error, 24);
AT(coif_host, image_open, 32);
AT(coif_host, image_sample, 40);
AT(coif_host, image_channels, 48);
AT(coif_host, image_texel, 56);
SIZE(coif_host, 64);

AT(coif_force_batch, struct_size, 0);
AT(coif_force_batch, count, 4);
AT(coif_force_batch, time, 8);
AT(coif_force_batch, x, 16);
AT(coif_force_batch, vx, 40);
AT(coif_force_batch, wind_x, 64);
AT(coif_force_batch, ax, 88);
AT(coif_force_batch, az, 104);
SIZE(coif_force_batch, 112);

AT(coif_map_batch, struct_size, 0);
AT(coif_map_batch, count, 4);
AT(coif_map_batch, time, 8);
AT(coif_map_batch, u, 16);
AT(coif_map_batch, x, 32);
AT(coif_map_batch, nx, 56);
AT(coif_map_batch, value, 80);
AT(coif_map_batch, border_distance, 88);
SIZE(coif_map_batch, 96);

AT(coif_strand_view, struct_size, 0);
AT(coif_strand_view, strand_count, 4);
AT(coif_strand_view, first, 8);
AT(coif_strand_view, x, 16);
AT(coif_strand_view, radius, 40);
AT(coif_strand_view, root_frame, 48);
AT(coif_strand_view, random, 56);
AT(coif_strand_view, clump, 64);
AT(coif_strand_view, region, 72);
SIZE(coif_strand_view, 80);

AT(coif_groom_batch, struct_size, 0);
AT(coif_groom_batch, strand_count, 4);
AT(coif_groom_batch, first, 8);
AT(coif_groom_batch, x, 16);
AT(coif_groom_batch, radius, 40);
AT(coif_groom_batch, root_frame, 48);
AT(coif_groom_batch, root_uv, 56);
AT(coif_groom_batch, random, 64);
AT(coif_groom_batch, per_strand, 72);
AT(coif_groom_batch, per_point, 80);
AT(coif_groom_batch, time, 88);
AT(coif_groom_batch, input, 96);
AT(coif_groom_batch, strand_begin, 104);
AT(coif_groom_batch, clump, 112);
AT(coif_groom_batch, region, 120);
AT(coif_groom_batch, input_per_strand, 128);
AT(coif_groom_batch, guide_direction, 136);
SIZE(coif_groom_batch, 144);

AT(coif_plugin, struct_size, 0);
AT(coif_plugin, kind, 4);
AT(coif_plugin, id, 8);
AT(coif_plugin, version, 16);
AT(coif_plugin, help, 24);
AT(coif_plugin, params, 32);
AT(coif_plugin, param_count, 40);
AT(coif_plugin, param_stride, 44);
AT(coif_plugin, params_size, 48);
AT(coif_plugin, state_size, 52);
AT(coif_plugin, init, 56);
AT(coif_plugin, frame, 64);
AT(coif_plugin, force, 72);
AT(coif_plugin, map, 80);
AT(coif_plugin, groom, 88);
AT(coif_plugin, max_segment_length, 96);
AT(coif_plugin, prepare, 104);
AT(coif_plugin, needs, 112);
SIZE(coif_plugin, 120);

AT(coif_plugin_list, abi, 0);
AT(coif_plugin_list, count, 4);
AT(coif_plugin_list, plugins, 8);
SIZE(coif_plugin_list, 16);
