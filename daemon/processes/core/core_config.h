#pragma once

#include "daemon/config/config.h"
#include "lobby/house/house.h"

/* The house's settings; texts are borrowed. */
struct house_config core_config(const struct config *config);
