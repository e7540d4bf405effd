#pragma once

#include "games/macros.h"

/* Marks sentences that people read, for the translations. They are translated where they are shown,
 * not here. */
#define _(text) text

/* maximum size of one sentence to a person, in bytes */
#define WORDS_MAX 400
