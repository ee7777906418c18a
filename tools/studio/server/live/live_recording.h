// live_recording: frames of the live simulation as a take: a strand cache in the folder SCENE.takeN
// and, beside it, SCENE.takeN.json: the scene with the motion of the dragged body as keys of its
// offset and with the range of the recorded frames.
//
// All strands of the simulated groom are written, interpolated from the simulated ones; other
// grooms follow their bodies in their rest shape. Frames go to a hidden folder that gets its name
// last.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_RECORDING_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_RECORDING_H

#include "sim/run/live_session.h"
#include "tools/studio/server/document/studio.h"

typedef struct coif_live_recording coif_live_recording;

// Starts a take with the current frame. Locks the studio.
coif_status coif_live_recording_begin(coif_live_recording **recording, coif_studio *studio,
                                      const coif_live *live, int32_t groom, coif_jobs *jobs,
                                      coif_error *error);

// Adds the current frame of a session of the same groom.
coif_status coif_live_recording_add(coif_live_recording *recording, const coif_live *live,
                                    coif_error *error);

int32_t coif_live_recording_frames(const coif_live_recording *recording);

// Name of the take: the scene file is NAME.json.
const char *coif_live_recording_name(const coif_live_recording *recording);

// Frees the recording in any case; after a failure nothing is left on disk. Locks the studio.
coif_status coif_live_recording_finish(coif_live_recording *recording, coif_error *error);
void coif_live_recording_cancel(coif_live_recording *recording);

#endif
