#pragma once

#include "lobby/persons/persons_state.h"

struct friends {
    int64_t *accounts;
    size_t count, cap;
};

static inline struct friends *friends_of(const struct person *person)
{
    return PERSON_STATE(person, friends);
}
