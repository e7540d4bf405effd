#include "daemon/processes/core/core.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <string.h>

static void the_house_and_the_configuration_agree_on_defaults(void **state)
{
    (void)state;
    const struct config config = config_make_default();
    const struct house_config house = house_config_default();
#define CONFIG_NUMBER(section, key, value, min, max, unit, help)                                   \
    assert_int_equal(config.section##_##key, house.section##_##key);
#define CONFIG_SWITCH(section, key, value, help)                                                   \
    assert_int_equal(config.section##_##key, house.section##_##key);
#define CONFIG_TEXT(section, key, value, form, help)                                               \
    assert_string_equal(config.section##_##key, house.section##_##key);
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
}

/* Every setting gets a different value, so that swapped settings are noticed. */
static void every_setting_of_the_lobby_reaches_the_house(void **state)
{
    (void)state;
    struct config config = config_make_default();
    uint32_t number = 1000;
#define CONFIG_NUMBER(section, key, value, min, max, unit, help) config.section##_##key = number++;
#define CONFIG_SWITCH(section, key, value, help) config.section##_##key = !config.section##_##key;
#define CONFIG_TEXT(section, key, value, form, help)                                               \
    memcpy(config.section##_##key, #section "_" #key, sizeof #section "_" #key);
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
    const struct house_config defaults = house_config_default();
    const struct house_config house = core_config_make_lobby_part(&config);
    number = 1000;
#define CONFIG_NUMBER(section, key, value, min, max, unit, help)                                   \
    assert_int_equal(house.section##_##key, number++);
#define CONFIG_SWITCH(section, key, value, help)                                                   \
    assert_int_not_equal(house.section##_##key, defaults.section##_##key);
#define CONFIG_TEXT(section, key, value, form, help)                                               \
    assert_string_equal(house.section##_##key, #section "_" #key);
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
}

static void a_house_in_postgresql_makes_no_backups_by_itself(void **state)
{
    (void)state;
    struct config config = config_make_default();
    assert_int_not_equal(core_config_make_lobby_part(&config).backup_every_h, 0);
    memcpy(config.storage_url, "postgresql://db/house", sizeof "postgresql://db/house");
    assert_int_equal(core_config_make_lobby_part(&config).backup_every_h, 0);
}

TEST_GROUP(core_config)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_house_and_the_configuration_agree_on_defaults),
        cmocka_unit_test(a_house_in_postgresql_makes_no_backups_by_itself),
        cmocka_unit_test(every_setting_of_the_lobby_reaches_the_house),
    };
    return cmocka_run_group_tests_name("the core's configuration", tests, NULL, NULL);
}
