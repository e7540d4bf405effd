#pragma once

#include "lobby/house/house_state.h"

/* A feature that listens for direct messages defines NAME_chat_listener and has a line in
 * listeners.def. */
struct chat_listener {
    /* Called when the person named `from` has written to the account `name`. `person` is NULL when
     * the recipient is not connected. Listeners do not get the text. */
    void (*direct_message)(struct house *house, int64_t account, const struct person *person,
                           const char *name, const char *from);
};

#define CHAT_LISTENER(name) extern const struct chat_listener name##_chat_listener;
#include "lobby/chat/listeners.def"
