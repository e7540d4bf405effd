#pragma once

#include "daemon/config/config.h"
#include "lobby/house/house.h"

/* Returns the part of the configuration that the lobby uses; its texts are borrowed. */
struct house_config core_config_make_lobby_part(const struct config *config);
