// host: loads and validates plugins, instantiates them for a scene and checks their results.
//
// Built-in plugins and loaded modules are registered in the same table. A module that fails
// validation is skipped with a warning. A scene that names an unknown id is an error that lists the
// known ones.
#ifndef COIF_PLUGINS_HOST_HOST_H
#define COIF_PLUGINS_HOST_HOST_H

#include "core/scene/scene.h"

typedef struct coif_plugins coif_plugins;

// Registers the built-in plugins, then every *.so in the folders of path (colon-separated, may be
// NULL), of the environment variable COIF_PLUGIN_PATH, and of ../lib/coif relative to the program.
// The current directory is not searched unless named. Plugins live as long as the arena; close
// unloads the modules.
coif_status coif_plugins_open(coif_plugins **plugins, const char *path, coif_arena *arena,
                              coif_error *error);
void coif_plugins_close(coif_plugins *plugins);

int32_t coif_plugins_count(const coif_plugins *plugins);
const coif_plugin *coif_plugins_at(const coif_plugins *plugins, int32_t index);
const coif_plugin *coif_plugins_find(const coif_plugins *plugins, const char *id);

// Path of the module a plugin was loaded from, or "built in".
const char *coif_plugins_origin(const coif_plugins *plugins, int32_t index);

// For coif_scene_load and coif_scene_schema.
coif_plugin_lookup coif_plugins_lookup(coif_plugins *plugins);

// A plugin with the parameters and state of one scene node.
typedef struct coif_plugin_instance coif_plugin_instance;

// Allocates the instance in the arena and calls init with the parameters at frame. Errors are the
// status the plugin returned, COIF_ERR_PLUGIN if that is invalid, and name the plugin and its JSON
// path.
coif_status coif_plugin_instance_open(coif_plugin_instance **instance, const coif_node *node,
                                      double frame, coif_arena *arena, coif_error *error);

// Evaluates animated parameters at frame and calls the plugin's frame function. Once per frame,
// before any worker call.
coif_status coif_plugin_begin_frame(coif_plugin_instance *instance, double frame, double time,
                                    coif_error *error);

// Evaluates animated parameters at a fractional frame. Once per substep, before any worker call.
void coif_plugin_set_time(coif_plugin_instance *instance, double frame);

const coif_plugin *coif_plugin_instance_plugin(const coif_plugin_instance *instance);
// Whether the plugin has opened images, and so requires texture coordinates.
bool coif_plugin_instance_reads_images(const coif_plugin_instance *instance);
const coif_node *coif_plugin_instance_node(const coif_plugin_instance *instance);

// [worker] Calls the plugin on a batch, in chunks. Returns false when a result is not finite; those
// results are discarded (forces and strands keep their previous values, maps become 0) and the
// first occurrence per instance is logged.
bool coif_plugin_eval_force(const coif_plugin_instance *instance, const coif_force_batch *batch);
bool coif_plugin_eval_map(const coif_plugin_instance *instance, const coif_map_batch *batch);
bool coif_plugin_eval_groom(const coif_plugin_instance *instance, const coif_groom_batch *batch);

// Calls the modifier's prepare function, if any, with the whole groom as one batch.
coif_status coif_plugin_instance_prepare(coif_plugin_instance *instance,
                                         const coif_groom_batch *whole, coif_error *error);

// [worker] Longest segments that resolve the modifier's shape, m, one per strand; 0: no limit.
void coif_plugin_instance_max_segment_lengths(const coif_plugin_instance *instance,
                                              const coif_groom_batch *batch, float *longest);

#endif
