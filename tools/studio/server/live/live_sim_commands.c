// motion, orders: what others want of it, and what they are told.
#include "tools/studio/server/live/live_sim_internal.h"

#include <string.h>

void coif_live_sim_do(coif_live_sim *motion, const coif_live_sim_command *command)
{
    pthread_mutex_lock(&motion->lock);
    motion->playing = command->order == COIF_MOTION_PLAY;
    motion->steps += command->order == COIF_MOTION_STEP;
    motion->reset |= command->order == COIF_MOTION_RESET;
    motion->stop |= command->order == COIF_MOTION_STOP;
    if (command->order != COIF_MOTION_PAUSE && command->order != COIF_MOTION_STOP) {
        motion->groom = command->groom;
        motion->limit = command->limit;
        motion->exact = command->exact;
        motion->share = command->share;
    }
    pthread_cond_signal(&motion->wake);
    pthread_mutex_unlock(&motion->lock);
}

void coif_live_sim_grab(coif_live_sim *motion, const float translate[3], const float rotate[3])
{
    pthread_mutex_lock(&motion->lock);
    memcpy(motion->translate, translate, sizeof motion->translate);
    memcpy(motion->rotate, rotate, sizeof motion->rotate);
    pthread_mutex_unlock(&motion->lock);
}

void coif_live_sim_look(coif_live_sim *motion)
{
    pthread_mutex_lock(&motion->lock);
    motion->look = true;
    pthread_cond_signal(&motion->wake);
    pthread_mutex_unlock(&motion->lock);
}

void coif_live_sim_read(coif_strbuf *out, coif_live_sim *motion)
{
    pthread_mutex_lock(&motion->lock);
    motion->look = true;
    const uint64_t asked = ++motion->asked;
    pthread_cond_signal(&motion->wake);
    while (motion->answered < asked) {
        pthread_cond_wait(&motion->seen, &motion->lock);
    }
    const coif_strbuf *shown = &motion->shown[motion->shown_turn];
    coif_strbuf_add_bytes(out, shown->data, shown->size);
    pthread_mutex_unlock(&motion->lock);
}

coif_status coif_live_sim_where(coif_live_sim *motion, int32_t *groom, int *frame,
                                coif_error *error)
{
    pthread_mutex_lock(&motion->busy);
    const bool moves = motion->live != NULL;
    *groom = motion->live_groom;
    *frame = moves ? coif_live_frame(motion->live) : 0;
    pthread_mutex_unlock(&motion->busy);
    return moves ? COIF_OK
                 : coif_fail(error, COIF_ERR_ARGUMENT,
                             "the live simulation is not running: press Play or Step in the "
                             "Simulate tab first");
}

coif_status coif_live_sim_lend(coif_live_sim *motion, coif_live *live, coif_error *error)
{
    pthread_mutex_lock(&motion->busy);
    const coif_status status =
        motion->live != NULL ? coif_live_transfer_from(live, motion->live, true, error) : COIF_OK;
    pthread_mutex_unlock(&motion->busy);
    return status;
}
