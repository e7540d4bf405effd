#include "daemon/processes/core_config.h"
#include "daemon/processes/gate_config.h"

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
    assert_memory_equal(&configured.limits, &own.limits, sizeof own.limits);
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
    ASSERT_AGREE(penalty_no_auth_ms);
    ASSERT_AGREE(penalty_auth_failed_ms);
    ASSERT_AGREE(penalty_grace_ms);
    ASSERT_AGREE(penalty_crash_ms);
    ASSERT_AGREE(penalty_from_ms);
    ASSERT_AGREE(penalty_max_ms);
    ASSERT_AGREE(is_loopback_limited);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_house_and_the_configuration_agree_on_defaults),
        cmocka_unit_test(the_gate_and_the_configuration_agree_on_defaults),
    };
    return cmocka_run_group_tests_name("configured parts", tests, NULL, NULL);
}
