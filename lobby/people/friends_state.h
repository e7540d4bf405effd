#pragma once

#include "lobby/persons/persons_state.h"

/* What is kept about a person's friends. */
struct friends {
    int64_t *accounts;
    size_t count, cap;
    json_t *arrived; /* the names of friends who have come in and are not announced yet; NULL: none,
                        and the person is not in the list of those who wait */
    int64_t told_ms; /* when a friend's arrival was last announced */
    const struct person *person;
    LIST_ENTRY(friends) in_waiting;
};

/* What the part keeps about the house. */
struct friends_part {
    LIST_HEAD(friends_list, friends) waiting; /* people to whom arrivals must be announced */
};

PERSON_STATE(friends_of, struct friends, friends);
