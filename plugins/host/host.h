// host: finds plugins, checks them, gives them parameters and memory, and watches what they return.
//
// Built-in plugins and loaded modules come through the same table. A module that is not fit is
// named in a warning and left out; a scene that needs an unknown id is an error that lists the
// known ones.
#ifndef COIF_PLUGINS_HOST_HOST_H
#define COIF_PLUGINS_HOST_HOST_H

#include "core/scene/scene.h"

typedef struct coif_plugins coif_plugins;

// Built-ins first, then every *.so in the folders of path (colon-separated, may be NULL), of the
// environment's COIF_PLUGIN_PATH, and of lib/coif beside the program. Nothing is ever loaded from
// the current directory unless named. The plugins live as long as the arena; close unloads the
// modules.
coif_status coif_plugins_open(coif_plugins **plugins, const char *path, coif_arena *arena,
                              coif_error *error);
void coif_plugins_close(coif_plugins *plugins);

int32_t coif_plugins_count(const coif_plugins *plugins);
const coif_plugin *coif_plugins_at(const coif_plugins *plugins, int32_t index);
const coif_plugin *coif_plugins_find(const coif_plugins *plugins, const char *id);

// The file a plugin came from, "built in" for our own.
const char *coif_plugins_origin(const coif_plugins *plugins, int32_t index);

// For coif_scene_load and coif_scene_schema.
coif_plugin_lookup coif_plugins_lookup(coif_plugins *plugins);

// One use of a plugin in a scene: its parameters, its state, its errors.
typedef struct coif_plugin_instance coif_plugin_instance;

// Calls init with the parameters at frame. Errors are COIF_ERR_PLUGIN (or what the plugin returned)
// and name the plugin and the place in the scene.
coif_status coif_plugin_instance_open(coif_plugin_instance **instance, const coif_node *node,
                                      double frame, coif_arena *arena, coif_error *error);

// Once per frame, before any worker call: refreshes parameters and calls the plugin's frame.
coif_status coif_plugin_begin_frame(coif_plugin_instance *instance, double frame, double time,
                                    coif_error *error);

// Once per substep, before any worker call: keyed parameters take their value at that moment.
void coif_plugin_set_time(coif_plugin_instance *instance, double frame);

const coif_plugin *coif_plugin_instance_plugin(const coif_plugin_instance *instance);
// Whether it has opened pictures, which are laid out in texture coordinates.
bool coif_plugin_instance_reads_images(const coif_plugin_instance *instance);
const coif_node *coif_plugin_instance_node(const coif_plugin_instance *instance);

// [worker] The batch goes through; false when the plugin gave numbers that are not finite (those
// are put back: winds and accelerations to what they were before, maps to 0, strands to what came
// in).
bool coif_plugin_eval_force(const coif_plugin_instance *instance, const coif_force_batch *batch);
bool coif_plugin_eval_map(const coif_plugin_instance *instance, const coif_map_batch *batch);
bool coif_plugin_eval_groom(const coif_plugin_instance *instance, const coif_groom_batch *batch);

// The whole groom is shown to a modifier that wants to see it before its first batch.
coif_status coif_plugin_instance_prepare(coif_plugin_instance *instance,
                                         const coif_groom_batch *whole, coif_error *error);

// [worker] The longest segments that will do for a modifier, one per strand; 0: any.
void coif_plugin_instance_max_segment_lengths(const coif_plugin_instance *instance,
                                              const coif_groom_batch *batch, float *longest);

#endif
