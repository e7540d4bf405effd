#pragma once

#include "lobby/house/house_state.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Accounts of outside programs. The owner declares one before its first game (message
 * `bot_account`), permanently: from then on it is shown as a bot, rated among bots, and does not
 * change anybody else's rating.
 */
