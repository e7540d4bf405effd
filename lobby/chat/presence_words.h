#ifndef LOBBY_CHAT_PRESENCE_WORDS_H
#define LOBBY_CHAT_PRESENCE_WORDS_H

#include "lobby/house/house_state.h"
#include "lobby/house/words.h"

/* "here", "away" or "dnd". */
const char *presence_name(enum presence presence);

/* Adds `presence`, and `presence_text` if there is any and they are heard (mod/voice.h), to a row,
 * unless they are simply here. */
void presence_put(const struct house *house, const struct person *person, json_t *row);

/* "ada is away: coffee"; of somebody not to be disturbed also what becomes of a message. */
void presence_words(const struct house *house, const struct person *person, char words[WORDS_MAX]);

#endif
