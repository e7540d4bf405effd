#include "daemon/processes/core/core_config.h"
#include "daemon/processes/gate/gate_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* Both parts have defaults of their own, for those who use them without a configuration. */

static void the_house_and_the_configuration_agree_on_defaults(void **state)
{
    (void)state;
    const struct config config = config_default();
    const struct house_config own = house_config_default();
    const struct house_config configured = core_config(&config);
    assert_string_equal(configured.name, own.name);
    assert_string_equal(configured.first_admin, own.first_admin);
    assert_int_equal(configured.bot_delay_ms, own.bot_delay_ms);
    assert_int_equal(configured.absent_grace_s, own.absent_grace_s);
    assert_int_equal(configured.seat_kept_s, own.seat_kept_s);
    assert_int_equal(configured.table_kept_s, own.table_kept_s);
    assert_memory_equal(&configured.limits, &own.limits,
                        offsetof(struct house_limits, is_loopback_limited));
    assert_int_equal(configured.limits.is_loopback_limited, own.limits.is_loopback_limited);
}

static void the_gate_and_the_configuration_agree_on_defaults(void **state)
{
    (void)state;
    const struct config config = config_default();
    const struct limits_config own = limits_config_default();
    const struct limits_config configured = gate_config_limits(&config);
#define ASSERT_AGREE(field) assert_true(configured.field == own.field)
    ASSERT_AGREE(unauth_start);
    ASSERT_AGREE(unauth_percent);
    ASSERT_AGREE(unauth_full);
    ASSERT_AGREE(source_unauth);
    ASSERT_AGREE(source_connections);
    ASSERT_AGREE(source_burst);
    ASSERT_AGREE(source_interval_ms);
    ASSERT_AGREE(net_unauth);
    ASSERT_AGREE(net_connections);
    ASSERT_AGREE(net_burst);
    ASSERT_AGREE(net_interval_ms);
    ASSERT_AGREE(penalty_no_auth_ms);
    ASSERT_AGREE(penalty_auth_failed_ms);
    ASSERT_AGREE(penalty_grace_ms);
    ASSERT_AGREE(penalty_crash_ms);
    ASSERT_AGREE(penalty_from_ms);
    ASSERT_AGREE(penalty_max_ms);
    ASSERT_AGREE(is_loopback_limited);
}

/* The numbers of a session come first, without gaps. */
#define NUMBERS_SIZE offsetof(struct session_config, is_api_for_guests)

static void sessions_and_the_configuration_agree_on_defaults(void **state)
{
    (void)state;
    const struct config config = config_default();
    const struct session_config own = session_config_default();
    const struct session_config configured = gate_config_session(&config);
    assert_memory_equal(&configured, &own, NUMBERS_SIZE);
    assert_int_equal(configured.is_api_for_guests, own.is_api_for_guests);
    assert_int_equal(configured.are_queries_for_guests, own.are_queries_for_guests);
}

/* Every number of the file is one of its own there: what is exchanged for another shows. */
static void every_setting_reaches_the_part_it_is_for(void **state)
{
    (void)state;
    struct config config = config_default();
    uint32_t *const numbers[] = {
        &config.door_key_exchange_s,
        &config.door_login_s,
        &config.door_start_s,
        &config.door_tries,
        &config.door_key_probes,
        &config.door_requests,
        &config.connection_keepalive_s,
        &config.connection_keepalives,
        &config.connection_stall_s,
        &config.connection_cpu_percent,
        &config.connection_cpu_window_s,
        &config.connection_input_kib,
        &config.connection_pending_kib,
        &config.ssh_rekey_mib,
        &config.ssh_rekey_s,
        &config.telnet_negotiation_ms,
        &config.telnet_replies,
        &config.telnet_discarded_bytes,
        &config.telnet_sign_in_bytes,
    };
    for (uint32_t i = 0; i < ARRAY_LEN(numbers); i++) {
        *numbers[i] = 1000 + i;
    }
    const struct session_config session = gate_config_session(&config);
    uint32_t expected[ARRAY_LEN(numbers)];
    for (uint32_t i = 0; i < ARRAY_LEN(expected); i++) {
        expected[i] = 1000 + i;
    }
    assert_int_equal(NUMBERS_SIZE, sizeof expected);
    assert_memory_equal(&session, expected, sizeof expected);

    assert_false(session.is_api_for_guests);
    config.ssh_api_guests = true;
    assert_true(gate_config_session(&config).is_api_for_guests);
    assert_true(session.are_queries_for_guests);
    config.ssh_verb_guests = false;
    assert_false(gate_config_session(&config).are_queries_for_guests);

    config.limits_input_excess = 1;
    config.limits_changes_per_s = 2;
    config.limits_changes_burst = 3;
    config.chat_columns = 4;
    config.door_backoff_names = 5;
    config.accounts_password_min = 6;
    config.accounts_password_max = 7;
    config.accounts_keys_each = 8;
    config.accounts_code_s = 9;
    const struct house_limits limits = core_config(&config).limits;
    assert_int_equal(limits.input_excess, 1);
    assert_int_equal(limits.changes_per_s, 2);
    assert_int_equal(limits.changes_burst, 3);
    assert_int_equal(limits.chat_columns, 4);
    assert_int_equal(limits.backoff_names, 5);
    assert_int_equal(limits.password_min, 6);
    assert_int_equal(limits.password_max, 7);
    assert_int_equal(limits.keys_each, 8);
    assert_int_equal(limits.code_s, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_house_and_the_configuration_agree_on_defaults),
        cmocka_unit_test(the_gate_and_the_configuration_agree_on_defaults),
        cmocka_unit_test(sessions_and_the_configuration_agree_on_defaults),
        cmocka_unit_test(every_setting_reaches_the_part_it_is_for),
    };
    return cmocka_run_group_tests_name("configured parts", tests, NULL, NULL);
}
