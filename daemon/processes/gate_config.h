#ifndef DAEMON_PROCESSES_GATE_CONFIG_H
#define DAEMON_PROCESSES_GATE_CONFIG_H

#include "daemon/config/config.h"
#include "daemon/processes/limits.h"

/* The gate's part of the settings. */
struct limits_config gate_config_limits(const struct config *config);

#endif
