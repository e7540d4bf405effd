#include "daemon/processes/workers/workers.h"
#include "games/macros.h"
#include "tests/daemon/processes/workers/network.h"
#include "tests/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HTTPS 443

static bool is_address_allowed(const char *text, uint16_t port, bool is_private_allowed)
{
    struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    struct sockaddr_storage any = {0};
    if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
        *(struct sockaddr_in *)&any = ipv4;
        return hook_address_is_allowed((const struct sockaddr *)&any, sizeof ipv4,
                                       is_private_allowed);
    }
    assert_int_equal(inet_pton(AF_INET6, text, &ipv6.sin6_addr), 1);
    *(struct sockaddr_in6 *)&any = ipv6;
    return hook_address_is_allowed((const struct sockaddr *)&any, sizeof ipv6, is_private_allowed);
}

static void public_addresses_are_allowed(void **state)
{
    (void)state;
    static const char *const open[] = {
        "1.1.1.1",       "9.255.255.255",  "11.0.0.0",        "100.63.255.255", "100.128.0.0",
        "126.255.255.1", "128.0.0.1",      "169.253.255.255", "169.255.0.0",    "172.15.255.255",
        "172.32.0.0",    "192.0.1.0",      "192.167.255.255", "192.169.0.0",    "198.17.255.255",
        "198.20.0.0",    "203.0.112.255",  "223.255.255.255", "2606:4700::1",   "2a00:1450::1",
        "2001:200::1",   "::ffff:1.1.1.1",
    };
    for (size_t i = 0; i < ARRAY_LEN(open); i++) {
        if (!is_address_allowed(open[i], HTTPS, false)) {
            fail_msg("%s is refused", open[i]);
        }
    }
}

static void private_and_local_addresses_are_refused(void **state)
{
    (void)state;
    static const char *const closed[] = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:1ff:ffff::",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "4000::1",
    };
    for (size_t i = 0; i < ARRAY_LEN(closed); i++) {
        if (is_address_allowed(closed[i], HTTPS, false)) {
            fail_msg("%s is allowed", closed[i]);
        }
    }
}

static void a_setting_allows_private_addresses_but_never_multicast(void **state)
{
    (void)state;
    assert_true(is_address_allowed("127.0.0.1", 22, true));
    assert_true(is_address_allowed("192.168.0.1", HTTPS, true));
    assert_true(is_address_allowed("::1", HTTPS, true));
    assert_true(is_address_allowed("1.1.1.1", HTTPS, true));
    assert_false(is_address_allowed("fe80::1", HTTPS, true));
    assert_false(is_address_allowed("169.254.169.254", 80, true));
    assert_false(is_address_allowed("::ffff:169.254.169.254", 80, true));
    assert_false(is_address_allowed("224.0.0.1", HTTPS, true));
    assert_false(is_address_allowed("255.255.255.255", HTTPS, true));
    assert_false(is_address_allowed("::ffff:224.0.0.1", HTTPS, true));
    assert_false(is_address_allowed("ff02::1", HTTPS, true));
}

static void only_web_ports_and_ports_from_1024_are_allowed(void **state)
{
    (void)state;
    assert_true(is_address_allowed("1.1.1.1", 80, false));
    assert_true(is_address_allowed("1.1.1.1", 1024, false));
    assert_true(is_address_allowed("2606:4700::1", 8443, false));
    assert_false(is_address_allowed("1.1.1.1", 22, false));
    assert_false(is_address_allowed("1.1.1.1", 25, false));
    assert_false(is_address_allowed("2606:4700::1", 1023, false));
    assert_false(is_address_allowed("1.1.1.1", 0, false));
}

static void addresses_of_other_families_and_truncated_addresses_are_refused(void **state)
{
    (void)state;
    const struct sockaddr local = {.sa_family = AF_UNIX};
    const struct sockaddr_in torn = {.sin_family = AF_INET};
    assert_false(hook_address_is_allowed(&local, sizeof local, true));
    assert_false(hook_address_is_allowed((const struct sockaddr *)&torn, 4, true));
}

static bool is_own_address(const char *text)
{
    struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_port = htons(HTTPS)};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6, .sin6_port = htons(HTTPS)};
    if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1) {
        return hook_address_is_of_this_machine((const struct sockaddr *)&ipv4, sizeof ipv4);
    }
    assert_int_equal(inet_pton(AF_INET6, text, &ipv6.sin6_addr), 1);
    return hook_address_is_of_this_machine((const struct sockaddr *)&ipv6, sizeof ipv6);
}

/* Gives the test a network namespace of its own, with a public address. */
static void the_houses_own_addresses_are_recognised(void **state)
{
    (void)state;
    if (unshare(CLONE_NEWNET) != 0) {
        skip(); /* only root can make a namespace */
    }
    assert_false(is_own_address("11.22.33.44"));
    network_add_address("lo", "127.0.0.1");
    network_add_address("lo:1", "11.22.33.44");
    assert_true(is_address_allowed("11.22.33.44", HTTPS, false));
    /* an own address is recognised whatever its port */
    assert_true(is_own_address("11.22.33.44"));
    assert_true(is_own_address("127.0.0.1"));
    assert_true(is_own_address("::1"));
    assert_false(is_own_address("1.1.1.1"));
    assert_false(is_own_address("2606:4700::1"));
}

TEST_GROUP(hook_address)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_addresses_are_allowed),
        cmocka_unit_test(private_and_local_addresses_are_refused),
        cmocka_unit_test(a_setting_allows_private_addresses_but_never_multicast),
        cmocka_unit_test(only_web_ports_and_ports_from_1024_are_allowed),
        cmocka_unit_test(addresses_of_other_families_and_truncated_addresses_are_refused),
        /* the last test, since it changes the network namespace */
        cmocka_unit_test(the_houses_own_addresses_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
