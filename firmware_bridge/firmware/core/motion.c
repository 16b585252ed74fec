/* Judging motion, see motion.h. */
#include "motion.h"

enum { FOLLOW_WARM = 4, FOLLOW_QUIET = 64, FOLLOW_HIT = 1024 };

void motion_start(struct motion *motion)
{
    motion->floor = 0;
    motion->warm_up = MOTION_WARM_UP_WINDOWS;
}

uint16_t motion_floor(const struct motion *motion)
{
    return (uint16_t)(motion->floor / 1024);
}

bool motion_is_deaf(const struct motion *motion)
{
    return motion_floor(motion) > MOTION_FLOOR_MOST;
}

bool motion_take(struct motion *motion, uint16_t peak)
{
    bool hit = motion->warm_up == 0 && peak > motion_floor(motion) + MOTION_ABOVE_FLOOR;
    int32_t away = (int32_t)((uint32_t)peak * 1024) - (int32_t)motion->floor;
    int16_t follow = hit ? FOLLOW_HIT : FOLLOW_QUIET;
    if (motion->warm_up > 0) {
        motion->warm_up--;
        follow = FOLLOW_WARM;
    }
    /* Between floor and peak, so never below zero nor above the highest reading. */
    motion->floor = (uint32_t)((int32_t)motion->floor + away / follow);
    return hit;
}
