#include "daemon/processes/gate/gate.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <string.h>

static int find_banned_net_of_address(const struct banned_nets *banned, const char *address)
{
    struct limits_source source = limits_source_of_address(address);
    return find_ip_net(banned->nets, banned->count, source.bytes);
}

static void replace_banned_nets(struct banned_nets *banned, const char *json)
{
    json_t *message = json_loads(json, 0, NULL);
    assert_non_null(message);
    banned_nets_replace_from_message(banned, message);
    json_decref(message);
}

static void an_address_is_found_in_the_network_that_contains_it(void **state)
{
    struct banned_nets banned = {0};
    (void)state;
    replace_banned_nets(&banned,
                        "{\"nets\":[\"192.0.2.0/23\",\"2001:db8:5::/48\",\"198.51.100.7\"]}");
    assert_int_equal(find_banned_net_of_address(&banned, "192.0.2.9"), 0);
    assert_int_equal(find_banned_net_of_address(&banned, "192.0.3.255"), 0);
    assert_int_equal(find_banned_net_of_address(&banned, "192.0.4.0"), -1);
    assert_int_equal(find_banned_net_of_address(&banned, "2001:db8:5:1::7"), 1);
    assert_int_equal(find_banned_net_of_address(&banned, "2001:db8:6::7"), -1);
    assert_int_equal(find_banned_net_of_address(&banned, "198.51.100.7"), 2);
    assert_int_equal(find_banned_net_of_address(&banned, "198.51.100.8"), -1);
    replace_banned_nets(&banned, "{\"nets\":[\"::/0\"]}");
    assert_int_equal(find_banned_net_of_address(&banned, "192.0.4.0"), 0);
    replace_banned_nets(&banned, "{\"nets\":[]}");
    assert_int_equal(find_banned_net_of_address(&banned, "192.0.2.9"), -1);
}

static void malformed_networks_are_skipped(void **state)
{
    struct banned_nets banned = {0};
    (void)state;
    replace_banned_nets(&banned,
                        "{\"nets\":[7,\"\",\"moon\",\"192.0.2.0/33\",\"192.0.2.0/-1\",\"::1/129\","
                        "\"192.0.2.0/2x\",\"192.0.2.1\"]}");
    assert_int_equal(banned.count, 1);
    assert_int_equal(find_banned_net_of_address(&banned, "192.0.2.1"), 0);
    replace_banned_nets(&banned, "{}");
    assert_int_equal(banned.count, 0);
}

TEST_GROUP(banned_nets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_found_in_the_network_that_contains_it),
        cmocka_unit_test(malformed_networks_are_skipped),
    };
    return cmocka_run_group_tests_name("banned_nets", tests, NULL, NULL);
}
