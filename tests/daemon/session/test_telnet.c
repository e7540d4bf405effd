#include "daemon/session/session_state.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Telnet commands and options, as strings of the bytes that are sent. */
#define WILL "\377\373"
#define WONT "\377\374"
#define DO "\377\375"
#define DONT "\377\376"
#define SB "\377\372"
#define SE "\377\360"
#define BINARY "\000"
#define ECHO "\001"
#define SGA "\003"
#define TM "\006"
#define TTYPE "\030"
#define NAWS "\037"
#define CHARSET "\052"
#define LINEMODE "\042"
#define NEW_ENVIRON "\047"
#define COMPRESS2 "\126"
#define AUTHENTICATION "\045"
#define SEND_TTYPE SB TTYPE "\001" SE

struct client {
    struct telnet telnet;
    struct bytes typed;
};

static int set_up_negotiation(void **state)
{
    struct client *client = calloc(1, sizeof(*client));
    assert_non_null(client);
    bytes_init(&client->typed, 1 << 16);
    telnet_begin_negotiation(&client->telnet, 1 << 16);
    *state = client;
    return 0;
}

static int tear_down_negotiation(void **state)
{
    struct client *client = *state;
    bytes_clear(&client->typed);
    bytes_clear(&client->telnet.out);
    free(client);
    return 0;
}

static void send_bytes(struct client *client, const char *bytes, size_t len)
{
    telnet_receive(&client->telnet, (const uint8_t *)bytes, len, &client->typed);
}

#define SEND(client, text) send_bytes((client), text, sizeof(text) - 1)

static void expect_bytes(struct bytes *bytes, const char *wanted, size_t len)
{
    assert_int_equal(bytes->len, len);
    if (len > 0) {
        assert_memory_equal(bytes->at, wanted, len);
    }
    bytes_drop_first(bytes, bytes->len);
}

/* Checks the bytes that the client has received (ANSWERED) or that count as typed (TYPED) since the
 * last check. */
#define ANSWERED(client, text) expect_bytes(&(client)->telnet.out, text, sizeof(text) - 1)
#define TYPED(client, text) expect_bytes(&(client)->typed, text, sizeof(text) - 1)

static void the_server_offers_only_the_telnet_options_a_screen_needs(void **state)
{
    ANSWERED((struct client *)*state,
             WILL ECHO WILL SGA DO SGA WILL BINARY DO BINARY DO NAWS DO TTYPE DO NEW_ENVIRON);
}

static void agreement_to_an_offer_is_not_answered(void **state)
{
    struct client *client = *state;
    ANSWERED(client,
             WILL ECHO WILL SGA DO SGA WILL BINARY DO BINARY DO NAWS DO TTYPE DO NEW_ENVIRON);
    SEND(client, DO ECHO DO SGA WILL SGA DO BINARY WILL BINARY WILL NAWS);
    ANSWERED(client, "");
    assert_int_equal(client->telnet.echo.ours, TELNET_YES);
    assert_int_equal(client->telnet.go_ahead.theirs, TELNET_YES);
    SEND(client, DO ECHO WILL SGA);
    ANSWERED(client, "");
    assert_int_equal(client->telnet.replies, 0);
}

static void a_refused_option_stays_off_and_is_not_answered(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, DONT ECHO DONT SGA WONT SGA DONT BINARY WONT BINARY WONT NAWS WONT TTYPE);
    ANSWERED(client, "");
    assert_int_equal(client->telnet.echo.ours, TELNET_NO);
    assert_true(telnet_is_negotiated(&client->telnet));
    SEND(client, DONT ECHO WONT NAWS);
    ANSWERED(client, "");
}

static void an_agreed_option_can_be_turned_off_and_requested_again(void **state)
{
    struct client *client = *state;
    SEND(client, DO ECHO WILL BINARY);
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, DONT ECHO WONT BINARY);
    ANSWERED(client, WONT ECHO DONT BINARY);
    assert_int_equal(client->telnet.echo.ours, TELNET_NO);
    SEND(client, DO ECHO WILL BINARY);
    ANSWERED(client, WILL ECHO DO BINARY);
    assert_int_equal(client->telnet.echo.ours, TELNET_YES);
}

static void an_echo_that_was_turned_off_is_offered_again_only_after_the_client_answers(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, DO ECHO);
    telnet_set_echo(&client->telnet, false);
    ANSWERED(client, WONT ECHO);
    telnet_set_echo(&client->telnet, true);
    telnet_set_echo(&client->telnet, false);
    telnet_set_echo(&client->telnet, true);
    ANSWERED(client, "");
    SEND(client, DONT ECHO);
    ANSWERED(client, WILL ECHO);
    SEND(client, DONT ECHO);
    ANSWERED(client, "");
    assert_int_equal(client->telnet.echo.ours, TELNET_NO);
    assert_int_equal(client->telnet.replies, 0);
}

static void an_echo_that_is_no_longer_wanted_is_turned_off_when_the_client_agrees(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    telnet_set_echo(&client->telnet, false);
    ANSWERED(client, "");
    SEND(client, DO ECHO);
    ANSWERED(client, WONT ECHO);
    SEND(client, DONT ECHO DO ECHO); /* after it has agreed, the client itself asks us to echo */
    ANSWERED(client, WILL ECHO);
    assert_int_equal(client->telnet.echo.ours, TELNET_YES);
}

static void every_unsupported_telnet_option_is_refused(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, WILL LINEMODE WILL CHARSET DO COMPRESS2 WILL AUTHENTICATION WILL ECHO DO NAWS);
    ANSWERED(client,
             DONT LINEMODE DONT CHARSET WONT COMPRESS2 DONT AUTHENTICATION DONT ECHO WONT NAWS);
    SEND(client, WONT LINEMODE DONT COMPRESS2);
    ANSWERED(client, "");
}

static void unrequested_compression_stays_off(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, SB COMPRESS2 SE "\170\234text");
    TYPED(client, "\170\234text");
    ANSWERED(client, "");
}

static void a_client_gets_at_most_64_answers_about_telnet_options(void **state)
{
    struct client *client = *state;
    for (int i = 0; i < TELNET_REPLIES_MAX; i++) {
        SEND(client, WILL LINEMODE);
        assert_false(client->telnet.is_too_much);
    }
    SEND(client, WILL LINEMODE);
    assert_true(client->telnet.is_too_much);
}

static void an_answer_to_a_timing_mark_only_shows_that_the_client_is_alive(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    telnet_ask_if_client_is_alive(&client->telnet);
    ANSWERED(client, DO TM);
    for (int i = 0; i < 10 * TELNET_REPLIES_MAX; i++) {
        SEND(client, WILL TM WONT TM);
        assert_false(client->telnet.is_too_much);
    }
    ANSWERED(client, "");
    SEND(client, DO TM);
    ANSWERED(client, WONT TM);
}

static void every_telnet_line_ending_counts_as_one_enter_key(void **state)
{
    struct client *client = *state;
    SEND(client, "a\rb\r\000c\r\nd\r\r\n\n");
    TYPED(client, "a\rb\rc\rd\r\r\n");
    SEND(client, "e\r");
    SEND(client, "\n");
    SEND(client, "f\r");
    SEND(client, "\000g");
    TYPED(client, "e\rf\rg");
}

static void telnet_commands_become_keys(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, "a\377\363\377\364\377\367\377\370\377\361\377\362\377\365\377\371\377\377b");
    TYPED(client, "a\003\003\177\025\377b");
    ANSWERED(client, "");
    SEND(client, "\377\366"); /* the client asks whether the house is there */
    ANSWERED(client, "\a");
}

static void a_window_size_counts_only_if_offered_and_four_bytes_long(void **state)
{
    struct client *client = *state;
    SEND(client, SB NAWS "\000\120\000\030" SE);
    assert_false(client->telnet.has_size);
    SEND(client, WILL NAWS SB NAWS "\000\120\000" SE SB NAWS "\000\120\000\030\000" SE SB NAWS SE);
    assert_false(client->telnet.has_size);
    SEND(client, SB NAWS "\000\120\000\030" SE);
    assert_true(client->telnet.has_size && client->telnet.is_resized);
    assert_int_equal(client->telnet.columns, 80);
    assert_int_equal(client->telnet.rows, 24);
    SEND(client, SB NAWS "\001\377\377\377\377\377\377" SE); /* 511 by 65535 */
    assert_int_equal(client->telnet.columns, 511);
    assert_int_equal(client->telnet.rows, 65535);
    TYPED(client, "");
}

static void a_client_without_mtts_repeats_its_terminal_name(void **state)
{
    struct client *client = *state;
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    assert_string_equal(client->telnet.name, "");
    SEND(client, WILL TTYPE);
    ANSWERED(client, SEND_TTYPE);
    SEND(client, SB TTYPE "\000XTERM-256color" SE);
    ANSWERED(client, SEND_TTYPE);
    assert_false(client->telnet.has_terminal);
    SEND(client, SB TTYPE "\000XTERM-256COLOR" SE);
    ANSWERED(client, "");
    assert_true(client->telnet.has_terminal);
    assert_string_equal(client->telnet.name, "xterm-256color");
    assert_false(client->telnet.is_read_aloud);
    SEND(client, SB TTYPE "\000VT52" SE);
    assert_string_equal(client->telnet.name, "xterm-256color");
}

static void the_client_is_asked_for_its_time_zone(void **state)
{
    struct client *client = *state;
    SEND(client, SB NEW_ENVIRON "\000\003TZ\001Europe/Berlin" SE); /* before anybody has asked */
    assert_string_equal(client->telnet.zone, "");
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, WILL NEW_ENVIRON WILL NEW_ENVIRON);
    ANSWERED(client, SB NEW_ENVIRON "\001\003TZ" SE);
    SEND(client, SB NEW_ENVIRON "\000" SE SB NEW_ENVIRON "\000\003TZ" SE SB NEW_ENVIRON
                                "\000\003TZ\001" SE);
    SEND(client, SB NEW_ENVIRON "\000\003XY\001Europe/Berlin" SE);
    assert_string_equal(client->telnet.zone, "");
    SEND(client, SB NEW_ENVIRON "\000\003TZ\001Europe/Berlin" SE);
    assert_string_equal(client->telnet.zone, "Europe/Berlin");
    ANSWERED(client, "");
}

static void the_first_of_several_terminal_names_is_used(void **state)
{
    struct client *client = *state;
    SEND(client,
         WILL TTYPE SB TTYPE "\000XTERM" SE SB TTYPE "\000VT220" SE SB TTYPE "\000VT100" SE);
    assert_true(client->telnet.has_terminal);
    assert_string_equal(client->telnet.name, "xterm");
}

static void mtts_gives_the_terminal_name_and_its_capabilities(void **state)
{
    struct client *client = *state;
    SEND(client, WILL TTYPE SB TTYPE "\000MUDLET" SE SB TTYPE "\000ANSI" SE);
    assert_false(client->telnet.has_terminal);
    SEND(client, SB TTYPE "\000MTTS 2381" SE);
    assert_true(client->telnet.has_terminal);
    assert_string_equal(client->telnet.name, "ansi");
    assert_true(client->telnet.is_read_aloud);
    assert_true(client->telnet.shows_utf8);
}

static void a_client_that_says_by_mtts_that_it_has_no_utf8_has_none(void **state)
{
    struct client *client = *state;
    assert_true(client->telnet.shows_utf8); /* until it says more */
    SEND(client, WILL TTYPE SB TTYPE "\000OLDMUD" SE SB TTYPE "\000XTERM" SE);
    assert_true(client->telnet.shows_utf8);
    SEND(client, SB TTYPE "\000MTTS 3" SE);
    assert_false(client->telnet.shows_utf8);
}

static void a_terminal_name_is_accepted_only_if_valid_and_requested(void **state)
{
    struct client *client = *state;
    SEND(client, SB TTYPE "\000XTERM" SE WILL TTYPE SB TTYPE SE SB TTYPE "\001XTERM" SE SB SE);
    assert_string_equal(client->telnet.name, "");
    assert_false(client->telnet.is_too_much);
}

static void an_over_long_subnegotiation_is_skipped_to_its_end(void **state)
{
    struct client *client = *state;
    char name[TELNET_SUB_MAX];
    memset(name, 'X', sizeof(name));
    SEND(client, WILL TTYPE);
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, SB TTYPE "\000");
    send_bytes(client, name, sizeof(name) - 1); /* one byte more than the limit */
    SEND(client, SE "typed");
    assert_string_equal(client->telnet.name, "");
    ANSWERED(client, "");
    TYPED(client, "typed");
    SEND(client, SB TTYPE "\000");
    send_bytes(client, name, sizeof(name) - 2);
    SEND(client, SE);
    assert_int_equal(strlen(client->telnet.name), TELNET_SUB_MAX - 2);
}

static void after_4_kib_of_invalid_subnegotiation_the_connection_ends(void **state)
{
    struct client *client = *state;
    SEND(client, SB "\311");
    for (int i = 0; i < TELNET_SUB_MAX - 1 + TELNET_DISCARDED_MAX; i++) {
        SEND(client, "x");
        assert_false(client->telnet.is_too_much);
    }
    SEND(client, "x");
    assert_true(client->telnet.is_too_much);
    TYPED(client, "");
}

static void a_subnegotiation_that_contains_a_command_is_ignored(void **state)
{
    struct client *client = *state;
    SEND(client, WILL NAWS);
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    SEND(client, SB NAWS "\000\120" DO LINEMODE "\000\030" SE "x");
    assert_false(client->telnet.has_size);
    ANSWERED(client, "");
    TYPED(client, "x");
}

static void telnet_negotiation_ends_once_the_client_has_answered_every_offer(void **state)
{
    struct client *client = *state;
    static const char said[] = DO ECHO DO BINARY WILL NAWS WILL TTYPE SB NAWS
        "\000\120\000\030" SE SB TTYPE "\000VT100" SE SB TTYPE "\000VT100" SE;
    for (size_t i = 0; i < sizeof(said) - 1; i++) {
        assert_false(telnet_is_negotiated(&client->telnet));
        send_bytes(client, said + i, 1);
    }
    assert_true(telnet_is_negotiated(&client->telnet));
}

static void telnet_output_is_escaped_for_binary_and_for_text_mode(void **state)
{
    struct client *client = *state;
    static const char text[] = "a\rb\r\nc\377d\r";
    bytes_drop_first(&client->telnet.out, client->telnet.out.len);
    telnet_encode(&client->telnet, text, sizeof(text) - 1);
    ANSWERED(client, "a\r\000b\r\nc\377\377d\r\000");
    SEND(client, DO BINARY);
    telnet_encode(&client->telnet, text, sizeof(text) - 1);
    ANSWERED(client, "a\rb\r\nc\377\377d\r");
    telnet_encode(&client->telnet, NULL, 0);
}

/* Sends the same input in two parts, cut at every possible place. */
static void input_split_at_any_place_gives_the_same_result(void **state)
{
    struct client *whole = *state;
    static const char said[] = DO ECHO WONT BINARY WILL LINEMODE
        "gu\r\nest\r\000" WILL NAWS SB NAWS "\000\120\377\377\030" SE WILL TTYPE SB TTYPE
        "\000VT100" SE "x\377\377\377\364\377\366" SB "\311ab\377\377c" SE DONT ECHO "\r";
    SEND(whole, said);
    for (size_t at = 0; at < sizeof(said); at++) {
        void *other = NULL;
        set_up_negotiation(&other);
        struct client *cut = other;
        send_bytes(cut, said, at);
        send_bytes(cut, said + at, sizeof(said) - 1 - at);
        assert_int_equal(cut->typed.len, whole->typed.len);
        assert_memory_equal(cut->typed.at, whole->typed.at, whole->typed.len);
        assert_int_equal(cut->telnet.out.len, whole->telnet.out.len);
        assert_memory_equal(cut->telnet.out.at, whole->telnet.out.at, whole->telnet.out.len);
        assert_memory_equal(&cut->telnet, &whole->telnet, offsetof(struct telnet, out));
        tear_down_negotiation(&other);
    }
}

static void only_input_that_does_not_fit_the_buffer_is_lost(void **state)
{
    struct client *client = *state;
    bytes_clear(&client->typed);
    bytes_init(&client->typed, 3);
    SEND(client, "abcdef" DO ECHO);
    TYPED(client, "abc");
    assert_int_equal(client->telnet.echo.ours, TELNET_YES);
}

#define WITH_A_CLIENT(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, set_up_negotiation, tear_down_negotiation)

TEST_GROUP(telnet)
{
    const struct CMUnitTest tests[] = {
        WITH_A_CLIENT(the_server_offers_only_the_telnet_options_a_screen_needs),
        WITH_A_CLIENT(agreement_to_an_offer_is_not_answered),
        WITH_A_CLIENT(a_refused_option_stays_off_and_is_not_answered),
        WITH_A_CLIENT(an_agreed_option_can_be_turned_off_and_requested_again),
        WITH_A_CLIENT(an_echo_that_was_turned_off_is_offered_again_only_after_the_client_answers),
        WITH_A_CLIENT(an_echo_that_is_no_longer_wanted_is_turned_off_when_the_client_agrees),
        WITH_A_CLIENT(every_unsupported_telnet_option_is_refused),
        WITH_A_CLIENT(unrequested_compression_stays_off),
        WITH_A_CLIENT(a_client_gets_at_most_64_answers_about_telnet_options),
        WITH_A_CLIENT(an_answer_to_a_timing_mark_only_shows_that_the_client_is_alive),
        WITH_A_CLIENT(every_telnet_line_ending_counts_as_one_enter_key),
        WITH_A_CLIENT(telnet_commands_become_keys),
        WITH_A_CLIENT(a_window_size_counts_only_if_offered_and_four_bytes_long),
        WITH_A_CLIENT(a_client_without_mtts_repeats_its_terminal_name),
        WITH_A_CLIENT(the_client_is_asked_for_its_time_zone),
        WITH_A_CLIENT(the_first_of_several_terminal_names_is_used),
        WITH_A_CLIENT(mtts_gives_the_terminal_name_and_its_capabilities),
        WITH_A_CLIENT(a_client_that_says_by_mtts_that_it_has_no_utf8_has_none),
        WITH_A_CLIENT(a_terminal_name_is_accepted_only_if_valid_and_requested),
        WITH_A_CLIENT(an_over_long_subnegotiation_is_skipped_to_its_end),
        WITH_A_CLIENT(after_4_kib_of_invalid_subnegotiation_the_connection_ends),
        WITH_A_CLIENT(a_subnegotiation_that_contains_a_command_is_ignored),
        WITH_A_CLIENT(telnet_negotiation_ends_once_the_client_has_answered_every_offer),
        WITH_A_CLIENT(telnet_output_is_escaped_for_binary_and_for_text_mode),
        WITH_A_CLIENT(input_split_at_any_place_gives_the_same_result),
        WITH_A_CLIENT(only_input_that_does_not_fit_the_buffer_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
