#pragma once

#include "lobby/house/house_state.h"

/* A feature that must know when ratings were recomputed (rerate.h) defines NAME_rating_listener and
 * has a line in listeners.def. */
struct rating_listener {
    void (*rerated)(struct house *house); /* called when any rating may have changed */
};

#define RATING_LISTENER(name) extern const struct rating_listener name##_rating_listener;
#include "lobby/ratings/listeners.def"
