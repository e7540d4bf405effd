#ifndef DAEMON_PROCESSES_CORE_CORE_CONFIG_H
#define DAEMON_PROCESSES_CORE_CORE_CONFIG_H

#include "daemon/config/config.h"
#include "lobby/house/house.h"

/* The house's settings; texts are borrowed. */
struct house_config core_config(const struct config *config);

#endif
