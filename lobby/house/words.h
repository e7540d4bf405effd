#pragma once

#include "games/macros.h"

/* Marks words people read. They are translated where they are shown, not here. */
#define _(text) text

/* Room for one sentence to a person. */
#define WORDS_MAX 400
