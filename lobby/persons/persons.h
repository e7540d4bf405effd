#pragma once

#include "games/macros.h"
#include "lobby/house/house_state.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The people in the house. One person may have several connections. */

/* Finds somebody in the house by name; NULL when nobody has that name. */
struct person *person_find(const struct house *house, const char *name);

/* True when the person is in the house: at least one of their connections is not query-only. NULL
 * is allowed. */
bool person_is_in_house(const struct person *person);

/* Returns true if this connection makes the person present. A query-only connection or a connection
 * of a program does not. */
bool person_is_present_through(const struct person *person, const struct conn *conn);

/* Signs the connection in to the account. With account NULL, signs it in as the guest `guest_name`.
 * Does not announce the person yet. */
void person_enter(struct house *house, struct conn *conn, const struct storage_account *account,
                  const char *guest_name);

/* Returns the person's `you` row, which tells a client about its own user (PROTOCOL.md). The
 * settings in the row are borrowed. */
struct you_row person_make_you_row(const struct person *person);

/* Sends the person's `you` row, which has changed, to all of their connections. The lobby row may
 * have changed too. */
void person_send_you_row(struct house *house, struct person *person);

/* Sends a sentence (say.h) to all of the person's connections, as a notice of kind "info" or
 * "warn". */
void person_send_notice(struct house *house, const struct person *person, const char *kind,
                        json_t *sentence);

/* Stores the person's settings, if they have an account and the disk has room. */
void person_save_settings(struct house *house, struct person *person);

/* Marks the person's lobby row to be sent again. */
void person_mark_changed(struct house *house, struct person *person);

/* Reads the rating that is shown beside the name: the rating in the game that the person has played
 * most. */
void person_read_rating(struct house *house, struct person *person);

/* The bots that sit at tables. Each has an account of its own and always plays at the same level,
 * so that its rating measures that level. A level's word in messages is also the name of the policy
 * (games/bots/bots.h) by which its bots play. */
struct bot_name {
    const char *name;
    enum bot_level level;
};

#define BOT_NAMES_MAX 21

/* Returns the bot at this index; NULL after the last. Several bots share a level, so that a whole
 * table can play at it. */
const struct bot_name *bot_name_at(size_t index);

/* Returns the level of the bot of that name; BOT_LEVEL_NONE for any other name. */
enum bot_level bot_level_of_name(const char *name);

/*
 * Events of persons are announced to listeners. A feature that follows persons defines
 *
 *     const struct person_listener NAME_person_listener = {.begin = …};
 *
 * and has a line in listeners.def. A hook that is NULL does nothing.
 */
struct person_listener {
    size_t person_size; /* size of the state that the listener keeps about each person, zeroed at
                           first (PERSON_STATE) */
    /* the person has entered the house */
    void (*begin)(struct house *house, struct person *person);
    /* a connection of the person has signed in: the first one or another */
    void (*enter)(struct house *house, struct conn *conn);
    /* the person did something; was_idle: after doing nothing for PACE_IDLE_MS */
    void (*active)(struct house *house, struct person *person, bool was_idle);
    /* the rating shown beside the person's name was reloaded from the storage */
    void (*rated)(struct house *house, struct person *person);
    /* the person has lost their staff role */
    void (*demoted)(struct house *house, struct person *person);
    /* somebody wrote a report or an appeal, which waits for staff */
    void (*case_opened)(struct house *house);
    /* the person is about to get another name */
    void (*rename)(struct house *house, struct person *person);
    /* the person's last connection in the house has ended */
    void (*gone)(struct house *house, struct person *person);
    void (*end)(struct person *person); /* the person is about to be freed */
};

#define PERSON_LISTENER(name) extern const struct person_listener name##_person_listener;
#include "lobby/persons/listeners.def"

extern const struct person_listener *const person_listeners[PERSON_LISTENERS_COUNT];

/* Calls this hook of every listener, unless it is NULL. */
#define PERSON_LISTENERS_CALL(hook, ...) HOOKS_CALL(person_listeners, hook, __VA_ARGS__)

/* Rules for players' names, and which names look alike. */

#define NAME_MAX_BYTES 16
#define NAME_MIN_BYTES 2
#define NAME_SKELETON_MAX (NAME_MAX_BYTES + 1)

enum name_result {
    NAME_OK = 0,
    NAME_BAD,      /* the name is not ^[a-z][a-z0-9_-]{1,15}$ */
    NAME_RESERVED, /* the name looks like reserved words, which only the house may have, or like
                      such words with digits around them or with a word such as "the" */
};

enum name_result name_check(const char *name) MUST_CHECK;

/* Names with the same skeleton look alike and belong to one account: - and _ do not count, a digit
 * counts as the letter that it is used for (0 as o, 1 and i as l, 3 as e, 4 as a, 5 as s, 7 as t, 8
 * as b), rn as m, vv as w. Any string is allowed; the skeleton is truncated at 16 bytes. */
void name_write_skeleton(const char *name, char out[NAME_SKELETON_MAX]);

/* Makes a valid name from the allowed characters of `wanted`, in lower case; "" when too few are
 * left. The name may already be taken. */
void name_make_valid(const char *wanted, char out[NAME_MAX_BYTES + 1]);

/* Appends a number to the name, which is shortened if necessary: "mira" and 2 give "mira2". */
void name_append_number(const char *name, uint32_t number, char out[NAME_MAX_BYTES + 1]);

/* Logs that the connection's person has signed in, and by which method. Does nothing if nobody is
 * signed in. */
void person_journal_log_sign_in(const struct house *house, const struct conn *conn,
                                const char *method);

/* Logs an event about the connection's person, without further fields. */
void person_journal_log_event(const struct house *house, const struct conn *conn,
                              const char *event);
