#include "daemon/processes/gate/gate_config.h"

struct limits_config gate_config_limits(const struct config *config)
{
    return (struct limits_config){
        .unauth_start = (int)config->door_unauth_start,
        .unauth_percent = (int)config->door_unauth_percent,
        .unauth_full = (int)config->door_unauth_full,
        .source_unauth = (int)config->door_source_unauth,
        .source_connections = (int)config->door_source_connections,
        .source_burst = (int)config->door_source_burst,
        .source_interval_ms = (int)config->door_source_interval_ms,
        .net_unauth = (int)config->door_net_unauth,
        .net_connections = (int)config->door_net_connections,
        .net_burst = (int)config->door_net_burst,
        .net_interval_ms = (int)config->door_net_interval_ms,
        .penalty_no_auth_ms = 1000 * (int64_t)config->door_penalty_no_auth_s,
        .penalty_auth_failed_ms = 1000 * (int64_t)config->door_penalty_auth_failed_s,
        .penalty_grace_ms = 1000 * (int64_t)config->door_penalty_grace_s,
        .penalty_crash_ms = 1000 * (int64_t)config->door_penalty_crash_s,
        .penalty_from_ms = 1000 * (int64_t)config->door_penalty_from_s,
        .penalty_max_ms = 1000 * (int64_t)config->door_penalty_max_s,
        .is_loopback_limited = config->door_limit_loopback,
    };
}

struct session_config gate_config_session(const struct config *config)
{
    return (struct session_config){
        .key_exchange_s = config->door_key_exchange_s,
        .login_s = config->door_login_s,
        .start_s = config->door_start_s,
        .tries = config->door_tries,
        .key_probes = config->door_key_probes,
        .auth_requests = config->door_requests,
        .keepalive_s = config->connection_keepalive_s,
        .keepalives = config->connection_keepalives,
        .stall_s = config->connection_stall_s,
        .cpu_percent = config->connection_cpu_percent,
        .cpu_window_s = config->connection_cpu_window_s,
        .input_kib = config->connection_input_kib,
        .pending_kib = config->connection_pending_kib,
        .rekey_mib = config->ssh_rekey_mib,
        .rekey_s = config->ssh_rekey_s,
        .negotiation_ms = config->telnet_negotiation_ms,
        .replies = config->telnet_replies,
        .discarded_bytes = config->telnet_discarded_bytes,
        .sign_in_bytes = config->telnet_sign_in_bytes,
        .are_queries_for_guests = config->ssh_verb_guests,
        .is_api_for_guests = config->ssh_api_guests,
    };
}
