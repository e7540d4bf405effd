#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Records the messages a client sends, and its calls of the answer and push handlers. */
struct recorder {
    json_t *sent; /* the messages, as a JSON array */
    json_t *pushes;
    int64_t answered[128]; /* ids of answered requests, negative for `no` */
    size_t answer_count;
};

static void record_sent_message(void *context, const char *json, size_t len)
{
    struct recorder *recorder = context;
    json_t *message = json_loadb(json, len, 0, NULL);
    assert_non_null(message);
    json_array_append_new(recorder->sent, message);
}

static void record_answer(void *context, bool is_ok, const json_t *answer)
{
    struct recorder *recorder = context;
    int64_t id = json_integer_value(json_object_get(answer, "id"));
    recorder->answered[recorder->answer_count++] = is_ok ? id : -id;
}

static void record_push(void *context, const char *type, const json_t *message)
{
    struct recorder *recorder = context;
    assert_string_equal(type, json_string_value(json_object_get(message, "t")));
    json_array_append_new(recorder->pushes, json_string(type));
}

static struct client *new_client(struct recorder *recorder)
{
    *recorder = (struct recorder){.sent = json_array(), .pushes = json_array()};
    struct client *client = client_new(record_sent_message, recorder);
    client_set_push_receiver(client, record_push, recorder);
    return client;
}

static void free_client(struct client *client, struct recorder *recorder)
{
    client_free(client);
    json_decref(recorder->sent);
    json_decref(recorder->pushes);
}

static enum client_result receive_message(struct client *client, const char *json)
{
    return client_receive_packet(client, json, strlen(json));
}

static const char *read_sent_type(const struct recorder *recorder, size_t index)
{
    return json_string_value(json_object_get(json_array_get(recorder->sent, index), "t"));
}

static int64_t read_sent_id(const struct recorder *recorder, size_t index)
{
    return json_integer_value(json_object_get(json_array_get(recorder->sent, index), "id"));
}

static void requests_have_rising_ids_and_the_given_fields(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    assert_true(client_send_request(client, "ping", NULL, NULL, NULL));
    assert_true(client_send_request(client, "say", json_pack("{s:s}", "text", "hi"), NULL, NULL));
    assert_int_equal(read_sent_id(&recorder, 0), 1);
    assert_int_equal(read_sent_id(&recorder, 1), 2);
    assert_string_equal(read_sent_type(&recorder, 1), "say");
    json_t *say = json_array_get(recorder.sent, 1);
    assert_string_equal(json_string_value(json_object_get(say, "text")), "hi");
    free_client(client, &recorder);
}

static void answers_may_arrive_in_any_order_and_each_is_handled_once(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    for (int i = 0; i < 3; i++) {
        assert_true(client_send_request(client, "ping", NULL, record_answer, &recorder));
    }
    assert_int_equal(client_oldest_unanswered_id(client), 1);
    assert_int_equal(receive_message(client, "{\"t\":\"ok\",\"id\":3}"), CLIENT_OK);
    assert_int_equal(receive_message(client, "{\"t\":\"no\",\"id\":1,\"code\":\"stale\"}"),
                     CLIENT_OK);
    assert_int_equal(receive_message(client, "{\"t\":\"ok\",\"id\":3}"), CLIENT_OK);
    assert_int_equal(recorder.answer_count, 2);
    assert_int_equal(recorder.answered[0], 3);
    assert_int_equal(recorder.answered[1], -1);
    assert_int_equal(client_oldest_unanswered_id(client), 2);
    free_client(client, &recorder);
}

static void after_a_resync_the_client_says_hello_and_repeats_unanswered_requests(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    client_send_hello(client, "test");
    for (int i = 0; i < 3; i++) {
        assert_true(client_send_request(client, "ping", NULL, record_answer, &recorder));
    }
    assert_int_equal(receive_message(client, "{\"t\":\"ok\",\"id\":2}"), CLIENT_OK);
    json_array_clear(recorder.sent);

    assert_int_equal(receive_message(client, "{\"t\":\"resync\"}"), CLIENT_OK);
    assert_int_equal(json_array_size(recorder.sent), 3);
    assert_string_equal(read_sent_type(&recorder, 0), "hello");
    assert_int_equal(read_sent_id(&recorder, 1), 1);
    assert_int_equal(read_sent_id(&recorder, 2), 3);
    assert_int_equal(json_array_size(recorder.pushes), 0);

    assert_int_equal(receive_message(client, "{\"t\":\"ok\",\"id\":1}"), CLIENT_OK);
    assert_int_equal(receive_message(client, "{\"t\":\"ok\",\"id\":3}"), CLIENT_OK);
    assert_int_equal(recorder.answer_count, 3);
    assert_int_equal(client_oldest_unanswered_id(client), 0);
    free_client(client, &recorder);
}

static void a_hello_names_the_number_of_the_protocol(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    client_send_hello(client, "test");
    const json_t *number = json_object_get(json_array_get(recorder.sent, 0), "protocol");
    assert_int_equal(json_integer_value(number), PROTOCOL_NUMBER);
    free_client(client, &recorder);
}

static void a_hello_contains_the_number_of_the_last_lobby_line(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"t\":\"chat\",\"channel\":\"lobby\",\"n\":41}",
        "{\"t\":\"chat\",\"channel\":\"lobby\",\"n\":40}",
        "{\"t\":\"chat\",\"channel\":\"table\",\"n\":50}",
        "{\"t\":\"chat\",\"channel\":\"#lobby\",\"n\":51}",
        "{\"t\":\"chat\"}",
    };
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    client_send_hello(client, "test");
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        assert_int_equal(receive_message(client, lines[i]), CLIENT_OK);
    }
    assert_int_equal(receive_message(client, "{\"t\":\"resync\"}"), CLIENT_OK);
    for (size_t i = 0; i < 2; i++) {
        const json_t *heard = json_object_get(json_array_get(recorder.sent, i), "heard");
        assert_int_equal(json_integer_value(heard), i == 0 ? 0 : 41);
    }
    free_client(client, &recorder);
}

static void at_most_64_requests_await_an_answer(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    for (int i = 0; i < 64; i++) {
        assert_true(client_send_request(client, "ping", json_object(), NULL, NULL));
    }
    assert_false(client_send_request(client, "ping", json_object(), NULL, NULL));
    assert_int_equal(json_array_size(recorder.sent), 64);
    assert_int_equal(receive_message(client, "{\"t\":\"ok\",\"id\":64}"), CLIENT_OK);
    assert_true(client_send_request(client, "ping", json_object(), NULL, NULL));
    assert_int_equal(read_sent_id(&recorder, 64), 65);
    free_client(client, &recorder);
}

static void pushes_of_any_type_reach_the_receiver(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    assert_int_equal(receive_message(client, "{\"t\":\"welcome\",\"conn\":1}"), CLIENT_OK);
    assert_int_equal(receive_message(client, "{\"t\":\"of_a_later_version\"}"), CLIENT_OK);
    assert_int_equal(json_array_size(recorder.pushes), 2);
    client_set_push_receiver(client, NULL, NULL);
    assert_int_equal(receive_message(client, "{\"t\":\"lobby\"}"), CLIENT_OK);
    assert_int_equal(json_array_size(recorder.pushes), 2);
    free_client(client, &recorder);
}

static void only_a_client_that_follows_the_lobby_asks_for_all_of_it(void **state)
{
    (void)state;
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    client_send_hello(client, "test");
    assert_true(json_is_false(json_object_get(json_array_get(recorder.sent, 0), "lobby")));
    client_follow_lobby(client);
    client_send_hello(client, "test");
    assert_true(json_is_true(json_object_get(json_array_get(recorder.sent, 1), "lobby")));
    free_client(client, &recorder);
}

static void a_malformed_message_ends_the_connection(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "", "{", "[]", "{\"id\":1}", "{\"t\":7}", "{\"t\":\"ok\"}", "{\"t\":\"ok\",\"id\":9}", "7",
    };
    struct recorder recorder;
    struct client *client = new_client(&recorder);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_int_equal(receive_message(client, bad[i]), CLIENT_BAD_MESSAGE);
    }
    free_client(client, &recorder);
}

TEST_GROUP(client)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_have_rising_ids_and_the_given_fields),
        cmocka_unit_test(answers_may_arrive_in_any_order_and_each_is_handled_once),
        cmocka_unit_test(after_a_resync_the_client_says_hello_and_repeats_unanswered_requests),
        cmocka_unit_test(a_hello_contains_the_number_of_the_last_lobby_line),
        cmocka_unit_test(a_hello_names_the_number_of_the_protocol),
        cmocka_unit_test(at_most_64_requests_await_an_answer),
        cmocka_unit_test(pushes_of_any_type_reach_the_receiver),
        cmocka_unit_test(only_a_client_that_follows_the_lobby_asks_for_all_of_it),
        cmocka_unit_test(a_malformed_message_ends_the_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
