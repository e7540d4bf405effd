#pragma once

#include "games/macros.h"

#include <libintl.h>

/* Words people read are translated where they are shown. */
#define _(text) gettext(text)

/* Room for one sentence to a person. */
#define WORDS_MAX 400
