#ifndef LOBBY_CHAT_LISTENERS_H
#define LOBBY_CHAT_LISTENERS_H

#include "lobby/house/house_state.h"

/* Whoever wants to know of direct messages defines NAME_chat_listener and has a line in
 * listeners.def. */
struct chat_listener {
    /* `from` has written to the account of that name, whose person is NULL when not connected. What
     * they wrote is not for listeners. */
    void (*told)(struct house *house, int64_t account, const struct person *person,
                 const char *name, const char *from);
};

#define CHAT_LISTENER(name) extern const struct chat_listener name##_chat_listener;
#include "lobby/chat/listeners.def"

#endif
