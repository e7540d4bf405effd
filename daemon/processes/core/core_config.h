#pragma once

#include "daemon/config/config.h"
#include "lobby/house/house.h"

/* Returns the lobby's part of the configuration; its texts are borrowed. */
struct house_config core_config_of_lobby(const struct config *config);
