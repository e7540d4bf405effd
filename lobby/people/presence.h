#ifndef LOBBY_PEOPLE_PRESENCE_H
#define LOBBY_PEOPLE_PRESENCE_H

#include "lobby/house/house_state.h"
#include "lobby/house/words.h"

/*
 * Whether somebody who is here is away, or not to be disturbed. Away ends with the first thing they
 * do; not to be disturbed lasts, over days too, until they say otherwise.
 */

/* Takes it from the account's settings: they have come in. */
void presence_begin(struct house *house, struct person *person);

/* They did something: away ends. */
void presence_stir(struct house *house, struct person *person);

/* Adds `presence`, and `presence_text` if there is any and they are heard (mod/voice.h), to a row,
 * unless they are simply here. */
void presence_put(const struct house *house, const struct person *person, json_t *row);

/* How long they have done nothing that they could have done, in ms: 0 for one who sits in a game
 * that goes on and waits for others. */
int64_t presence_idle_ms(const struct house *house, const struct person *person);

/* "ada is away: coffee"; of somebody not to be disturbed also what becomes of a message. */
void presence_words(const struct house *house, const struct person *person, char words[WORDS_MAX]);

#endif
