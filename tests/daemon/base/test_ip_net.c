#include "daemon/base/base.h"

#include "games/macros.h"
#include "tests/unit.h"

static void a_text_with_a_prefix_is_a_network(void **state)
{
    (void)state;
    struct ip_net net, address;
    assert_true(ip_net_parse("192.0.2.0/23", &net));
    assert_int_equal(net.bits, IP_NET_IPV4_BITS + 23);
    assert_true(ip_net_parse("192.0.3.9", &address));
    assert_int_equal(address.bits, 128);
    assert_true(ip_net_contains(&net, address.bytes));
    assert_true(ip_net_parse("2001:db8::/48", &net));
    assert_int_equal(net.bits, 48);
    assert_false(ip_net_contains(&net, address.bytes));
    assert_true(ip_net_parse("::1", &address));
    assert_int_equal(address.bytes[15], 1);
    assert_int_equal(address.bytes[11], 0);
}

/* An error must not become a larger network: "10.0.0.0/" is not "10.0.0.0/0". */
static void a_text_with_a_wrong_prefix_is_no_network(void **state)
{
    static const char *const wrong[] = {"",
                                        "moon",
                                        "10.0.0.0/",
                                        "10.0.0.0/+8",
                                        "10.0.0.0/ 8",
                                        "10.0.0.0/8x",
                                        "10.0.0.0/33",
                                        "10.0.0.0/0008",
                                        "::/129",
                                        "::/",
                                        "/8",
                                        "10.0.0/8",
                                        "10.0.0.0/8/8",
                                        "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa"};
    (void)state;
    struct ip_net net = {.bits = 77};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(ip_net_parse(wrong[i], &net));
        assert_int_equal(net.bits, 77);
    }
}

static void a_list_of_networks_is_parsed_whole_or_not_at_all(void **state)
{
    (void)state;
    struct ip_net nets[3];
    assert_int_equal(ip_net_parse_list("127.0.0.0/8 ::1", nets, 3), 2);
    assert_int_equal(nets[0].bits, IP_NET_IPV4_BITS + 8);
    assert_int_equal(nets[1].bits, 128);
    assert_int_equal(ip_net_parse_list("::1 ::2 ::3", nets, 3), 3);
    assert_int_equal(ip_net_parse_list("::1 ::2 ::3 ::4", nets, 3), 0);
    assert_int_equal(ip_net_parse_list("", nets, 3), 0);
    assert_int_equal(ip_net_parse_list("::1 moon", nets, 3), 0);
    assert_int_equal(ip_net_parse_list("::1 ", nets, 3), 0);
    assert_int_equal(ip_net_parse_list("::1  ::2", nets, 3), 0);
    assert_int_equal(ip_net_parse_list("::1,::2", nets, 3), 0);
}

TEST_GROUP(ip_net)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_with_a_prefix_is_a_network),
        cmocka_unit_test(a_text_with_a_wrong_prefix_is_no_network),
        cmocka_unit_test(a_list_of_networks_is_parsed_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
