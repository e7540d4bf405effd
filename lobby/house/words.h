#pragma once

#include "games/macros.h"

/* Marks sentences that people read. They are translated where they are shown, not here. */
#define _(text) text

/* room for one sentence to a person, in bytes */
#define WORDS_MAX 400
