#pragma once

#include "lobby/persons/persons_state.h"

/*
 * What happens to persons is announced to listeners: a feature defines
 *
 *     const struct person_listener NAME_person_listener = {.begin = …};
 *
 * and has a line in listeners.def. A hook that is NULL does nothing.
 */
struct person_listener {
    size_t person_size; /* a block in every person, zeroed when they come (PERSON_STATE) */
    void (*begin)(struct house *house, struct person *person); /* is in the house from now on */
    void (*enter)(struct house *house, struct conn *conn);     /* by this connection, too */
    void (*active)(struct house *house, struct person *person,
                   bool was_idle); /* did something, after doing nothing for PACE_IDLE_MS */
    void (*rated)(struct house *house, struct person *person); /* the rating shown was read */
    /* the person's blocks have changed */
    void (*apart)(struct house *house, struct person *person);
    /* the person has lost their staff role */
    void (*demoted)(struct house *house, struct person *person);
    void (*rename)(struct house *house, struct person *person); /* gets another name next */
    void (*gone)(struct house *house, struct person *person);   /* is here by no connection now */
    void (*end)(struct person *person);                         /* is about to be freed */
};

#define PERSON_LISTENER(name) extern const struct person_listener name##_person_listener;
#include "lobby/persons/listeners.def"
