#include "daemon/processes/core/core_config.h"

struct house_config core_config(const struct config *config)
{
    struct house_config house = house_config_default(); /* of which only `random` stays */
    house.name = config->house_name;
    house.registration = config->house_registration;
    house.guests = config->house_guests;
    house.first_admin = config->house_first_admin;
    house.bot_delay_ms = config->play_bot_delay_ms;
    house.absent_grace_s = config->play_absent_grace_s;
    house.seat_kept_s = config->play_seat_kept_s;
    house.table_kept_s = config->play_table_kept_s;
    house.halted_kept_days = config->play_halted_kept_days;
    house.vacation_days = config->play_vacation_days;
    house.backup_every_s = config->backup_every_h * 3600;
    house.hooks = (struct house_hooks){
        .is_on = config->webhook_enabled,
        .is_http_allowed = config->webhook_http,
        .idle_s = config->webhook_idle_s,
        .parallel = config->webhook_parallel,
        .command = config->webhook_command,
    };
    house.limits = (struct house_limits){
        .sessions_each = config->limits_sessions_each,
        .tables = config->limits_tables,
        .tables_each = config->limits_tables_each,
        .tables_each_bot = config->limits_tables_each_bot,
        .registrations = config->limits_registrations,
        .input_per_s = config->limits_input_per_s,
        .input_burst = config->limits_input_burst,
        .input_excess = config->limits_input_excess,
        .changes_per_s = config->limits_changes_per_s,
        .changes_burst = config->limits_changes_burst,
        .auth_queue = config->limits_password_queue,
        .is_loopback_limited = config->door_limit_loopback,
        .denial_ms = config->door_denial_ms,
        .backoff_max_s = config->door_backoff_max_s,
        .step_up_s = config->staff_step_up_s,
        .chat_burst = config->chat_burst,
        .chat_interval_ms = config->chat_interval_ms,
        .chat_strikes = config->chat_strikes,
        .chat_mute_s = config->chat_mute_s,
        .chat_columns = config->chat_columns,
        .backoff_names = config->door_backoff_names,
        .password_min = config->accounts_password_min,
        .password_max = config->accounts_password_max,
        .keys_each = config->accounts_keys_each,
        .code_s = config->accounts_code_s,
        .audit_burst = config->limits_audit_burst,
        .audit_per_h = config->limits_audit_per_h,
    };
    return house;
}
