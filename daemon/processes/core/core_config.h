#pragma once

#include "daemon/config/config.h"
#include "lobby/house/house.h"

/* Returns the part of the configuration that the lobby uses; its texts are borrowed. */
struct house_config core_config_of_lobby(const struct config *config);
