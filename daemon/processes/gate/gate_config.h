#ifndef DAEMON_PROCESSES_GATE_GATE_CONFIG_H
#define DAEMON_PROCESSES_GATE_GATE_CONFIG_H

#include "daemon/config/config.h"
#include "daemon/processes/limits.h"
#include "daemon/session/session_config.h"

/* The gate's part of the settings, and what it hands on to each session. */
struct limits_config gate_config_limits(const struct config *config);
struct session_config gate_config_session(const struct config *config);

#endif
