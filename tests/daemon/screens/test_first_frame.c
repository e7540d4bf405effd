#include "daemon/screens/kernel/ui.h"
#include "lobby/protocol/protocol.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the first frame waits for, so that a session does not paint twice in a moment. */

#define NOW_MS 1000

/* Records the number of the last request. */
static void note_request(void *context, const char *packet, size_t len)
{
    json_int_t *id = context;
    json_t *request = json_loadb(packet, len, 0, NULL);
    if (json_object_get(request, "id") != NULL) {
        *id = json_integer_value(json_object_get(request, "id"));
    }
    json_decref(request);
}

static void receive(struct client *client, const char *packet)
{
    assert_int_equal(client_receive_packet(client, packet, strlen(packet)), CLIENT_OK);
}

static struct ui *enter_house(struct client *client, bool is_unregistered)
{
    json_t *you = json_pack("{s:s, s:s, s:s, s:{}}", "name", "guest-1", "kind", "guest", "role",
                            "player", "settings");
    const struct ui_setup setup = {
        .term = "xterm-256color",
        .columns = 80,
        .rows = 24,
        .is_unregistered = is_unregistered,
        .you = is_unregistered ? NULL : you,
        .client = client,
        .now_ms = NOW_MS,
    };
    struct ui *ui = ui_new(&setup);
    assert_non_null(ui);
    json_decref(you);
    receive(client, "{\"t\":\"welcome\",\"protocol\":3,\"house\":\"\",\"version\":\"\",\"conn\":0,"
                    "\"phase\":\"in\",\"you\":null}");
    ui_tick(ui, NOW_MS);
    return ui;
}

static void the_first_frame_waits_for_what_it_shows(void **state)
{
    (void)state;
    json_int_t last_id = 0;
    struct client *client = client_new(note_request, &last_id);
    struct ui *ui = enter_house(client, false);
    assert_true(ui_awaits_first_content(ui));
    receive(client, "{\"t\":\"mine\",\"tables\":[]}");
    assert_true(last_id > 0);
    assert_true(ui_awaits_first_content(ui));
    for (json_int_t id = 1; id <= last_id; id++) {
        char answer[64];
        snprintf(answer, sizeof(answer), "{\"t\":\"ok\",\"id\":%d,\"rows\":[]}", (int)id);
        receive(client, answer);
    }
    assert_false(ui_awaits_first_content(ui));
    ui_free(ui);
    client_free(client);
}

static void the_first_frame_of_the_sign_up_waits_for_nothing(void **state)
{
    (void)state;
    json_int_t last_id = 0;
    struct client *client = client_new(note_request, &last_id);
    struct ui *ui = enter_house(client, true);
    assert_false(ui_awaits_first_content(ui));
    ui_free(ui);
    client_free(client);
}

TEST_GROUP(first_frame)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_frame_waits_for_what_it_shows),
        cmocka_unit_test(the_first_frame_of_the_sign_up_waits_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
