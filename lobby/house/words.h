#pragma once

#include "games/macros.h"

/* Marks sentences that people read, for the translations. They are translated where they are shown,
 * not here. */
#define _(text) text

/* most bytes of one sentence to a person */
#define WORDS_MAX 400
