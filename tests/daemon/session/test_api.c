#include "daemon/session/session_state.h"

#include "daemon/queries/queries.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hello[] = "{\"t\":\"hello\",\"protocol\":3}";
static const char welcome[] = "{\"t\":\"welcome\",\"protocol\":3}";

/* A program that uses the API, with the input it has sent and the output it has received. */
struct program {
    struct api api;
    struct bytes in, out;
};

static struct program make_program(void)
{
    struct program program = {.api = {.ids_used = 3}};
    bytes_init(&program.in, API_IN_MAX);
    bytes_init(&program.out, API_OUT_ENOUGH);
    return program;
}

static void clear_program(struct program *program)
{
    bytes_clear(&program->in);
    bytes_clear(&program->out);
}

static void send_line_from_program(struct program *program, const char *line)
{
    assert_true(bytes_add(&program->in, line, strlen(line)));
    assert_true(bytes_add(&program->in, "\n", 1));
}

static void expect_packet_to_core(struct program *program, const char *expected)
{
    char *packet;
    size_t len;
    assert_null(api_take_line(&program->api, &program->in, false, &packet, &len));
    assert_non_null(packet);
    assert_int_equal(len, strlen(expected));
    assert_string_equal(packet, expected);
    free(packet);
}

/* NULL: no line has arrived. */
static void expect_result_without_packet(struct program *program, const char *expected)
{
    char *packet;
    size_t len;
    const char *why = api_take_line(&program->api, &program->in, false, &packet, &len);
    assert_int_equal(why == NULL, expected == NULL);
    if (why != NULL && expected != NULL) {
        assert_string_equal(why, expected);
    }
    assert_null(packet);
}

static void send_to_program(struct program *program, const char *packet)
{
    assert_true(api_pass_to_program(&program->api, packet, strlen(packet), &program->out));
}

static void expect_output_to_program(struct program *program, const char *expected)
{
    size_t len = strlen(expected);
    assert_int_equal(program->out.len, len);
    if (len > 0) {
        assert_memory_equal(program->out.at, expected, len);
    }
    bytes_drop_first(&program->out, program->out.len);
}

/* Returns a program that has said hello and received the welcome. */
static struct program make_welcomed_program(void)
{
    struct program program = make_program();
    send_line_from_program(&program, hello);
    expect_packet_to_core(&program, hello);
    send_to_program(&program, welcome);
    bytes_drop_first(&program.out, program.out.len);
    return program;
}

static void the_first_message_to_a_program_answers_its_hello(void **state)
{
    (void)state;
    struct program program = make_program();
    send_to_program(&program, "{\"t\":\"lobby\",\"reset\":true}");
    send_to_program(&program, "{\"t\":\"resync\"}");
    send_line_from_program(&program, hello);
    expect_packet_to_core(&program, hello);
    send_to_program(&program, "{\"t\":\"mine\",\"tables\":[]}");
    send_to_program(&program, "{\"t\":\"ok\",\"id\":3}");
    expect_output_to_program(&program, "");
    send_to_program(&program, welcome);
    send_to_program(&program, "{\"t\":\"mine\",\"tables\":[]}");
    expect_output_to_program(
        &program, "{\"t\":\"welcome\",\"protocol\":3}\n{\"t\":\"mine\",\"tables\":[]}\n");
    clear_program(&program);
}

static void each_program_numbers_its_requests_from_1(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    send_line_from_program(&program, "{\"t\":\"ping\",\"id\":1}");
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    send_to_program(&program, "{\"t\":\"ok\",\"id\":4}");
    expect_output_to_program(&program, "{\"t\":\"ok\",\"id\":1}\n");
    clear_program(&program);
}

static void a_request_id_out_of_range_is_refused(void **state)
{
    (void)state;
    static const char *const ids[] = {"0",   "-1",    "2147483648", "9223372036854775807",
                                      "1.5", "\"1\"", "null"};
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        struct program program = make_welcomed_program();
        char line[80];
        snprintf(line, sizeof(line), "{\"t\":\"ping\",\"id\":%s}", ids[i]);
        send_line_from_program(&program, line);
        expect_result_without_packet(&program, API_BAD_ID);
        clear_program(&program);
    }
}

static void a_program_that_does_not_say_hello_first_is_disconnected(void **state)
{
    (void)state;
    struct program program = make_program();
    send_line_from_program(&program, "{\"t\":\"ping\",\"id\":1}");
    expect_result_without_packet(&program, API_NO_HELLO);
    clear_program(&program);
}

static void a_program_cannot_sign_in_by_itself(void **state)
{
    static const char *const types[] = {"sign_in", "key_check"};
    char line[64];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct program program = make_welcomed_program();
        (void)snprintf(line, sizeof(line), "{\"t\":\"%s\",\"id\":1}", types[i]);
        send_line_from_program(&program, line);
        expect_result_without_packet(&program, API_NOT_THEIRS);
        clear_program(&program);
    }
}

static void blank_lines_and_carriage_returns_are_skipped(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    send_line_from_program(&program, "\n \t\r\n{\"t\":\"ping\",\"id\":1}\r");
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    expect_result_without_packet(&program, NULL);
    assert_int_equal(program.in.len, 0);
    clear_program(&program);
}

static void a_line_that_is_not_a_json_object_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "hello",   "[1]", "1", "{\"t\":\"ping\"", "{} {}", "{\"t\":\"ping\",\"t\":\"say\"}",
        "\"\xff\""};
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        struct program program = make_welcomed_program();
        send_line_from_program(&program, lines[i]);
        expect_result_without_packet(&program, API_NO_OBJECT);
        clear_program(&program);
    }
}

/* Sends the message {"t":"ping","id":1,"x":"…"} with as many x as give it this length in bytes. */
static void send_message_of_length(struct program *program, size_t len)
{
    static char line[2 * API_LINE_MAX];
    size_t head = (size_t)snprintf(line, sizeof(line), "{\"t\":\"ping\",\"id\":1,\"x\":\"");
    memset(line + head, 'x', len - head - 2);
    memcpy(line + len - 2, "\"}", 3);
    send_line_from_program(program, line);
}

static void a_line_longer_than_64_kib_is_refused(void **state)
{
    (void)state;
    char *packet;
    size_t len;
    struct program program = make_welcomed_program();
    send_message_of_length(&program, API_LINE_MAX);
    assert_null(api_take_line(&program.api, &program.in, false, &packet, &len));
    assert_int_equal(len, API_LINE_MAX);
    free(packet);
    send_message_of_length(&program, API_LINE_MAX + 1);
    expect_result_without_packet(&program, API_TOO_LONG);
    clear_program(&program);
}

static void an_over_long_line_is_refused_before_its_end(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    for (size_t i = 0; i < API_LINE_MAX; i++) {
        assert_true(bytes_add(&program.in, "x", 1));
    }
    expect_result_without_packet(&program, NULL);
    assert_true(bytes_add(&program.in, "x", 1));
    expect_result_without_packet(&program, API_TOO_LONG);
    clear_program(&program);
}

/* The session may write a number with more digits than it has read, so a line of the maximum length
 * can become too long. */
static void a_message_that_does_not_fit_a_packet_is_refused(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    static char line[API_LINE_MAX + 1];
    size_t len = (size_t)snprintf(line, sizeof(line), "{\"t\":\"ping\",\"id\":1,\"x\":[1e300");
    for (int i = 1; i < 200; i++) {
        len += (size_t)snprintf(line + len, sizeof(line) - len, ",1e300");
    }
    len += (size_t)snprintf(line + len, sizeof(line) - len, "],\"y\":\"");
    memset(line + len, 'y', API_LINE_MAX - len - 2);
    memcpy(line + API_LINE_MAX - 2, "\"}", 3);
    send_line_from_program(&program, line);
    expect_result_without_packet(&program, API_TOO_LONG);
    clear_program(&program);
}

static void a_line_of_more_values_than_a_message_may_hold_is_refused(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    static char line[API_LINE_MAX];
    size_t len = (size_t)snprintf(line, sizeof(line), "{\"t\":\"ping\",\"id\":1");
    for (int i = 0; i < REQUEST_VALUES_MAX; i++) {
        len += (size_t)snprintf(line + len, sizeof(line) - len, ",\"%d\":0", i);
    }
    (void)snprintf(line + len, sizeof(line) - len, "}");
    send_line_from_program(&program, line);
    expect_result_without_packet(&program, API_NO_OBJECT);
    clear_program(&program);
}

static void the_last_line_needs_no_newline_at_the_end_of_input(void **state)
{
    (void)state;
    char *packet;
    size_t len;
    struct program program = make_program();
    assert_true(bytes_add(&program.in, hello, strlen(hello)));
    expect_result_without_packet(&program, NULL);
    assert_null(api_take_line(&program.api, &program.in, true, &packet, &len));
    assert_string_equal(packet, hello);
    free(packet);
    clear_program(&program);
}

static void a_program_awaits_answers_to_its_hello_and_its_requests(void **state)
{
    (void)state;
    struct program program = make_program();
    assert_true(api_has_all_answers(&program.api));
    send_line_from_program(&program, hello);
    expect_packet_to_core(&program, hello);
    assert_false(api_has_all_answers(&program.api));
    send_to_program(&program, welcome);
    assert_true(api_has_all_answers(&program.api));
    send_line_from_program(&program, "{\"t\":\"ping\",\"id\":1}");
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    assert_false(api_has_all_answers(&program.api));
    send_to_program(&program, "{\"t\":\"no\",\"id\":4,\"code\":\"too_fast\",\"why\":\"x\"}");
    assert_true(api_has_all_answers(&program.api));
    clear_program(&program);
}

static void a_program_gets_a_history_in_place_of_a_record(void **state)
{
    (void)state;
    const struct history_seat seats[] = {{"ada", NULL}, {"bob", NULL}, {"eve", NULL}};
    struct history_source source = {.id = 7, .game = game_find("oh-hell"), .seats = seats};
    source.config = game_config_default(source.game, 3);
    (void)crypto_hash_sha256(source.commitment, source.seed, sizeof source.seed);
    json_t *record = record_to_json(&source, 0);
    json_t *answer = json_pack("{s:s, s:i, s:o}", "t", "ok", "id", 4, "record", record);
    char *text = json_dumps(answer, JSON_COMPACT);
    struct program program = make_welcomed_program();
    send_to_program(&program, text);
    json_t *got = json_loadb(program.out.at, program.out.len, 0, NULL);
    json_t *history = query_record_to_history(record);
    assert_string_equal(json_string_value(json_object_get(history, "format")),
                        "trickhouse-history/3");
    assert_true(json_equal(json_object_get(got, "history"), history));
    assert_null(json_object_get(got, "record"));
    assert_int_equal(json_integer_value(json_object_get(got, "id")), 1);
    json_decref(history);
    json_decref(got);
    free(text);
    json_decref(answer);
    clear_program(&program);
}

static void a_resync_is_passed_on_to_the_program(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    send_line_from_program(&program, "{\"t\":\"ping\",\"id\":1}");
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    send_to_program(&program, "{\"t\":\"resync\"}");
    expect_output_to_program(&program, "{\"t\":\"resync\"}\n");
    assert_false(api_has_all_answers(&program.api));
    send_line_from_program(&program, hello);
    send_line_from_program(&program, "{\"t\":\"ping\",\"id\":1}");
    expect_packet_to_core(&program, hello);
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    send_to_program(&program, welcome);
    send_to_program(&program, "{\"t\":\"ok\",\"id\":4}");
    expect_output_to_program(&program,
                             "{\"t\":\"welcome\",\"protocol\":3}\n{\"t\":\"ok\",\"id\":1}\n");
    assert_true(api_has_all_answers(&program.api));
    clear_program(&program);
}

/* The core passes over what comes before the next hello, and the program repeats it. */
static void a_request_that_crosses_a_resync_is_answered_once(void **state)
{
    (void)state;
    static const char ping[] = "{\"t\":\"ping\",\"id\":1}";
    struct program program = make_welcomed_program();
    send_to_program(&program, "{\"t\":\"resync\"}");
    send_line_from_program(&program, ping);
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    send_line_from_program(&program, hello);
    send_line_from_program(&program, ping);
    expect_packet_to_core(&program, hello);
    expect_packet_to_core(&program, "{\"t\":\"ping\",\"id\":4}");
    send_to_program(&program, welcome);
    assert_false(api_has_all_answers(&program.api));
    send_to_program(&program, "{\"t\":\"ok\",\"id\":4}");
    assert_true(api_has_all_answers(&program.api));
    clear_program(&program);
}

static void a_program_is_not_told_that_the_house_is_away(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    send_to_program(&program, "{\"t\":\"house_away\"}");
    send_to_program(&program, "{\"t\":\"house_back\"}");
    send_to_program(&program, "{\"t\":\"resync\"}");
    expect_output_to_program(&program, "{\"t\":\"resync\"}\n");
    clear_program(&program);
}

static void a_program_is_sent_only_one_bye(void **state)
{
    (void)state;
    struct program program = make_welcomed_program();
    api_add_bye(&program.api, "The house is \"closing\".", &program.out);
    api_add_bye(&program.api, "Really.", &program.out);
    expect_output_to_program(&program,
                             "{\"t\":\"bye\",\"why\":\"The house is \\\"closing\\\".\"}\n");
    clear_program(&program);

    program = make_program();
    send_to_program(&program, "{\"t\":\"bye\",\"why\":\"x\"}");
    api_add_bye(&program.api, "y", &program.out);
    expect_output_to_program(&program, "{\"t\":\"bye\",\"why\":\"x\"}\n");
    clear_program(&program);
}

static void a_program_that_reads_too_slowly_is_disconnected(void **state)
{
    (void)state;
    static const char push[] = "{\"t\":\"mine\",\"tables\":[]}";
    struct program program = make_welcomed_program();
    size_t count = 0;
    while (api_pass_to_program(&program.api, push, strlen(push), &program.out)) {
        count++;
    }
    assert_int_equal(count, API_OUT_ENOUGH / (strlen(push) + 1));
    clear_program(&program);
}

static void the_type_of_a_message_may_stand_anywhere(void **state)
{
    static const char later[] = "{\"protocol\":3,\"t\":\"welcome\"}";
    static const char inner[] = "{\"why\":{\"t\":\"house_away\"},\"t\":\"notice\"}";
    static const char away[] = "{\"since\":1,\"t\":\"house_away\"}";
    struct program program = make_program();
    (void)state;
    send_line_from_program(&program, hello);
    expect_packet_to_core(&program, hello);
    send_to_program(&program, later);
    expect_output_to_program(&program, "{\"protocol\":3,\"t\":\"welcome\"}\n");
    send_to_program(&program, inner);
    expect_output_to_program(&program, "{\"why\":{\"t\":\"house_away\"},\"t\":\"notice\"}\n");
    send_to_program(&program, away);
    expect_output_to_program(&program, "");
    clear_program(&program);
}

TEST_GROUP(api)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_message_to_a_program_answers_its_hello),
        cmocka_unit_test(each_program_numbers_its_requests_from_1),
        cmocka_unit_test(a_request_id_out_of_range_is_refused),
        cmocka_unit_test(a_program_that_does_not_say_hello_first_is_disconnected),
        cmocka_unit_test(a_program_cannot_sign_in_by_itself),
        cmocka_unit_test(blank_lines_and_carriage_returns_are_skipped),
        cmocka_unit_test(a_line_that_is_not_a_json_object_is_refused),
        cmocka_unit_test(a_line_longer_than_64_kib_is_refused),
        cmocka_unit_test(an_over_long_line_is_refused_before_its_end),
        cmocka_unit_test(a_message_that_does_not_fit_a_packet_is_refused),
        cmocka_unit_test(a_line_of_more_values_than_a_message_may_hold_is_refused),
        cmocka_unit_test(the_last_line_needs_no_newline_at_the_end_of_input),
        cmocka_unit_test(a_program_awaits_answers_to_its_hello_and_its_requests),
        cmocka_unit_test(a_program_gets_a_history_in_place_of_a_record),
        cmocka_unit_test(a_resync_is_passed_on_to_the_program),
        cmocka_unit_test(a_request_that_crosses_a_resync_is_answered_once),
        cmocka_unit_test(a_program_is_not_told_that_the_house_is_away),
        cmocka_unit_test(the_type_of_a_message_may_stand_anywhere),
        cmocka_unit_test(a_program_is_sent_only_one_bye),
        cmocka_unit_test(a_program_that_reads_too_slowly_is_disconnected),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
