#pragma once

#include "games/macros.h"

/*
 * The core's sentences at a table that only tell who sits down, stands up, loses the connection and
 * comes back. Clients that have no room for them recognise them by their format, which is the first
 * item of `say` (sentence.h).
 */
#define ARRIVAL_SAT_DOWN N_("%s sat down.")
#define ARRIVAL_BOT_SAT_DOWN N_("%s, a bot (%p), sat down.")
#define ARRIVAL_STOOD_UP N_("%s stood up.")
#define ARRIVAL_LOST_CONNECTION N_("%s lost the connection; the seat waits.")
#define ARRIVAL_CAME_BACK N_("%s is back.")
