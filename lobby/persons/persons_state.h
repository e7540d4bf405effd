#pragma once

#include "lobby/house/house_state.h"
#include "lobby/protocol/protocol.h"
#include "storage/accounts/accounts.h"

/* Somebody with at least one connection. */
struct person {
    char name[STORAGE_NAME_SIZE]; /* unique among players, guests and bots */
    bool has_password;
    bool has_totp; /* the account has an authenticator */
    bool is_held;  /* the account is pending: it cannot chat until a moderator releases it */
    bool is_new;   /* the sign-in that is being answered has created the account */
    enum person_kind kind;
    enum storage_role role;
    int64_t account;    /* number of the account; 0: a guest */
    int64_t created_ms; /* when the account was created; 0: unknown, or a guest */
    json_t *settings;
    struct conn_links conns;
    size_t conn_count;
    int64_t active_ms;
    struct row_rating rating; /* in the game that the person has played most */
    enum person_presence presence;
    int64_t presence_ms;                   /* when the person set `presence`, unix ms */
    char presence_text[ROW_PRESENCE_SIZE]; /* the reason that they gave for being away; "": none */
    bool is_changed;                       /* the lobby row must be made again */

    const struct layout
        *layout; /* where each listener's state begins in `blocks`: see PERSON_STATE */
    char *blocks;
};

/* The numbers of the listeners, from 0, in the order of listeners.def. */
enum person_listener_number {
#define PERSON_LISTENER(name) PERSON_LISTENER_NUMBER_##name,
#include "lobby/persons/listeners.def"
    PERSON_LISTENERS_COUNT,
};

/* Defines function_name(person), which returns what a listener keeps about a person: a struct of
 * this type (person_size of struct person_listener). */
#define PERSON_STATE(function_name, type, listener)                                                \
    STATE_FUNCTION(function_name, type, person,                                                    \
                   person->blocks + person->layout->at[PERSON_LISTENER_NUMBER_##listener])

struct persons {
    struct index by_name;
    bool has_changed;     /* some person's is_changed was set since the lobby was last sent */
    struct layout layout; /* layout of the state that listeners keep about a person */
};

PART_STATE(persons_of, struct persons, persons);

/* Declares `item` and runs the following block for every person in the house. */
#define PERSONS_EACH(item, house) INDEX_ITEMS_EACH(struct person, item, &persons_of(house)->by_name)
