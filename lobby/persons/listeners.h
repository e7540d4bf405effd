#pragma once

#include "lobby/persons/persons_state.h"

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
    /* the person has blocked or unblocked somebody */
    void (*apart)(struct house *house, struct person *person);
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
