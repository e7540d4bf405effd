#include "daemon/processes/gate/gate.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <string.h>

#define FIXED "\r\n\r\n\0\r\nQUIT\n"
#define IPV4_PART "\xc0\x00\x02\x07\x7f\x00\x00\x01\xc0\x01\x09\x13"
#define TLS_TLV "\x20\x00\x05\x01\x00\x00\x00\x00"

#define HEADER(text) make_header(text, sizeof(text) - 1)

static struct proxy_header make_header(const char *bytes, size_t len)
{
    struct proxy_header header = {.len = len};
    assert_in_range(len, 0, PROXY_HEADER_MAX);
    memcpy(header.bytes, bytes, len);
    return header;
}

static enum proxy_header_result parse(const struct proxy_header *header)
{
    struct proxy_client client;
    return proxy_header_parse(header, &client);
}

static void expect_client(const struct proxy_header *header, const char *address, bool is_encrypted)
{
    struct proxy_client client;
    char text[INET6_ADDRSTRLEN];
    assert_int_equal(proxy_header_parse(header, &client), PROXY_HEADER_COMPLETE);
    listen_write_address(&client.address, text);
    assert_string_equal(text, address);
    assert_int_equal(client.is_encrypted, is_encrypted);
}

static void a_header_tells_an_ipv4_address_and_its_port(void **state)
{
    (void)state;
    const struct proxy_header header = HEADER(FIXED "\x21\x11\x00\x0c" IPV4_PART);
    struct proxy_client client;
    struct sockaddr_in address;
    expect_client(&header, "192.0.2.7", false);
    assert_int_equal(proxy_header_parse(&header, &client), PROXY_HEADER_COMPLETE);
    memcpy(&address, &client.address, sizeof(address));
    assert_int_equal(ntohs(address.sin_port), 0xc001);
}

static void a_header_tells_an_ipv6_address(void **state)
{
    (void)state;
    const struct proxy_header header =
        HEADER(FIXED "\x21\x21\x00\x24"
                     "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07"
                     "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\xc0\x01\x09\x13");
    expect_client(&header, "2001:db8::7", false);
}

static void a_header_tells_whether_tls_encrypts_the_connection(void **state)
{
    (void)state;
    const struct proxy_header encrypted =
        HEADER(FIXED "\x21\x11\x00\x18" IPV4_PART "\x04\x00\x01x" TLS_TLV);
    const struct proxy_header plain =
        HEADER(FIXED "\x21\x11\x00\x14" IPV4_PART "\x20\x00\x05\x00\x00\x00\x00\x00");
    expect_client(&encrypted, "192.0.2.7", true);
    expect_client(&plain, "192.0.2.7", false);
}

/* Wherever the bytes are split, the header is incomplete before its end, and its reader never asks
 * for a byte beyond it. */
static void a_header_may_arrive_in_pieces_of_any_size(void **state)
{
    (void)state;
    const struct proxy_header whole = HEADER(FIXED "\x21\x11\x00\x14" IPV4_PART TLS_TLV);
    for (size_t first = 0; first <= whole.len; first++) {
        struct proxy_header header = make_header((const char *)whole.bytes, first);
        while (header.len < whole.len) {
            assert_int_equal(parse(&header), PROXY_HEADER_INCOMPLETE);
            size_t missing = proxy_header_count_missing_bytes(&header);
            assert_in_range(missing, 1, whole.len - header.len);
            header = make_header((const char *)whole.bytes, header.len + missing);
        }
        assert_int_equal(proxy_header_count_missing_bytes(&header), 0);
        expect_client(&header, "192.0.2.7", true);
    }
}

static void a_wrong_signature_is_refused_at_its_first_wrong_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        struct proxy_header header = HEADER(FIXED);
        header.len = i + 1;
        assert_int_equal(parse(&header), PROXY_HEADER_INCOMPLETE);
        header.bytes[i] ^= 1;
        assert_int_equal(parse(&header), PROXY_HEADER_INVALID);
        assert_int_equal(proxy_header_count_missing_bytes(&header), 0);
    }
}

static void a_check_by_the_proxy_has_no_client(void **state)
{
    (void)state;
    const struct proxy_header header = HEADER(FIXED "\x20\x00\x00\x00");
    assert_int_equal(parse(&header), PROXY_HEADER_LOCAL);
    assert_int_equal(proxy_header_count_missing_bytes(&header), 0);
}

static void what_the_house_does_not_serve_is_refused(void **state)
{
    (void)state;
    const struct proxy_header headers[] = {
        HEADER(FIXED "\x11\x11\x00\x0c" IPV4_PART), /* version 1 */
        HEADER(FIXED "\x22\x11\x00\x0c" IPV4_PART), /* unknown command */
        HEADER(FIXED "\x21\x00\x00\x00"),           /* unspecified family */
        HEADER(FIXED "\x21\x12\x00\x0c" IPV4_PART), /* UDP */
        HEADER(FIXED "\x21\x31\x00\x0c" IPV4_PART), /* a Unix socket */
        HEADER(FIXED "\x21\x21\x00\x0c" IPV4_PART), /* too short for IPv6 */
        HEADER(FIXED "\x21\x11\x00\x0b"
                     "elevenbytes"),
        HEADER(FIXED "\x21\x11\xff\xff"), /* too long */
        HEADER(FIXED "\x21\x11\x03\xf1"), /* too long by one byte */
        HEADER(FIXED "\x21\x11\x00\x0e" IPV4_PART "\x04\x00"),
        HEADER(FIXED "\x21\x11\x00\x0f" IPV4_PART "\x04\x00\x01"),
        HEADER(FIXED "\x21\x11\x00\x10" IPV4_PART "\x04\xff\xffx"),
        HEADER(FIXED "\x21\x11\x00\x13" IPV4_PART "\x20\x00\x04\x01\x00\x00\x00"),
    };
    for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
        if (parse(&headers[i]) != PROXY_HEADER_INVALID) {
            fail_msg("header %zu is not refused", i);
        }
        assert_int_equal(proxy_header_count_missing_bytes(&headers[i]), 0);
    }
}

static void the_longest_header_is_read(void **state)
{
    (void)state;
    struct proxy_header header = HEADER(FIXED "\x21\x11\x03\xf0" IPV4_PART "\x04\x03\xe1");
    assert_int_equal(proxy_header_count_missing_bytes(&header), PROXY_HEADER_MAX - header.len);
    header.len = PROXY_HEADER_MAX;
    expect_client(&header, "192.0.2.7", false);
}

TEST_GROUP(proxy_header)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_tells_an_ipv4_address_and_its_port),
        cmocka_unit_test(a_header_tells_an_ipv6_address),
        cmocka_unit_test(a_header_tells_whether_tls_encrypts_the_connection),
        cmocka_unit_test(a_header_may_arrive_in_pieces_of_any_size),
        cmocka_unit_test(a_wrong_signature_is_refused_at_its_first_wrong_byte),
        cmocka_unit_test(a_check_by_the_proxy_has_no_client),
        cmocka_unit_test(what_the_house_does_not_serve_is_refused),
        cmocka_unit_test(the_longest_header_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
