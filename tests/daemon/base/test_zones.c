#include "daemon/base/base.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int setup(void **state)
{
    (void)state;
    zones_load();
    return 0;
}

static void expect_time(const char *zone, time_t at, int day, int hour, int minute)
{
    struct tm parts;
    assert_string_equal(zones_use(zone), zone);
    assert_string_equal(zones_used(), zone);
    assert_non_null(localtime_r(&at, &parts));
    assert_int_equal(parts.tm_mday, day);
    assert_int_equal(parts.tm_hour, hour);
    assert_int_equal(parts.tm_min, minute);
}

static void times_are_those_of_the_zone_in_summer_and_in_winter(void **state)
{
    static const time_t winter = 1768478400; /* 2026-01-15 12:00 UTC */
    static const time_t summer = 1784116800; /* 2026-07-15 12:00 UTC */
    (void)state;
    expect_time("Europe/Berlin", winter, 15, 13, 0);
    expect_time("Europe/Berlin", summer, 15, 14, 0);
    expect_time("America/New_York", winter, 15, 7, 0);
    expect_time("America/New_York", summer, 15, 8, 0);
    expect_time("Australia/Sydney", winter, 15, 23, 0);
    expect_time("Australia/Sydney", summer, 15, 22, 0);
    expect_time("Asia/Kathmandu", winter, 15, 17, 45);
    expect_time("UTC", summer, 15, 12, 0);
}

static void a_zone_is_found_by_its_last_part_in_any_case(void **state)
{
    (void)state;
    assert_string_equal(zones_use("berlin"), "Europe/Berlin");
    assert_string_equal(zones_use("EUROPE/PARIS"), "Europe/Paris");
    assert_string_equal(zones_use("buenos_aires"), "America/Argentina/Buenos_Aires");
}

static void what_is_no_zone_changes_nothing(void **state)
{
    static const char *const none[] = {
        "", "Europe", "Nowhere", "../../etc/passwd", "zone.tab", "CET-1CEST", "Europe/Berlin\n"};
    (void)state;
    assert_non_null(zones_use("Asia/Tokyo"));
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        assert_null(zones_use(none[i]));
    }
    assert_string_equal(zones_used(), "Asia/Tokyo");
}

TEST_GROUP(zones)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_the_zone_in_summer_and_in_winter),
        cmocka_unit_test(a_zone_is_found_by_its_last_part_in_any_case),
        cmocka_unit_test(what_is_no_zone_changes_nothing),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
