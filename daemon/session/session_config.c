#include "daemon/session/session_config.h"

struct session_config session_config_default(void)
{
    return (struct session_config){
        .key_exchange_s = 15,
        .login_s = 60,
        .start_s = 30,
        .tries = 6,
        .key_probes = 20,
        .auth_requests = 100,
        .keepalive_s = 30,
        .keepalives = 3,
        .stall_s = 60,
        .cpu_percent = 20,
        .cpu_window_s = 30,
        .input_kib = 64,
        .pending_kib = 64,
        .rekey_mib = 1024,
        .rekey_s = 3600,
        .negotiation_ms = 3000,
        .replies = 64,
        .discarded_bytes = 4096,
        .sign_in_bytes = 16384,
        .are_queries_for_guests = true,
    };
}
