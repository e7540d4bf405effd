#include "tests/e2e/line_client.h"
#include "tests/unit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A person leaves the house during a correspondence game, and the house calls the webhook when it
 * is that person's turn. The receiver is the one shown in the README. */

#define SECRET_LETTERS 64
/* the bots move at once; a person who has left counts as away after ten seconds */
#define AWAY_MS 60000

static const char settings[] = "[play]\nbot_delay_ms = 0\n[webhook]\nenabled = yes\nhttp = yes\n"
                               "private = yes\ncommand = ssh -p 2222 house.example\n";

static void wait_until_port_listens(int port)
{
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    int probe = -1;
    while (probe < 0) {
        assert_in_range(terminal_now_ms(), 0, deadline);
        probe = house_connect_socket(port, 1);
        (void)poll(NULL, 0, 20);
    }
    close(probe);
}

/* Writes the receiver from the README into the house's folder. */
static void write_receiver(const struct house_fixture *house)
{
    static char page[65536];
    char path[512];
    snprintf(path, sizeof(path), "%s/README.md", getenv("SOURCE_DIR"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
    fclose(file);
    char *code = strstr(page, "```python\nimport hashlib");
    assert_non_null(code);
    code += strlen("```python\n");
    char *end = strstr(code, "```");
    assert_non_null(end);
    snprintf(path, sizeof(path), "%s/receiver.py", house->folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(code, 1, (size_t)(end - code), file), (size_t)(end - code));
    assert_int_equal(fclose(file), 0);
}

static struct line_client *start_receiver(const struct house_fixture *house, const char *secret,
                                          int port)
{
    char number[16];
    snprintf(number, sizeof(number), "%d", port);
    const char *const argv[] = {"/usr/bin/python3", "-B", "receiver.py", secret, number, NULL};
    struct line_client *receiver = line_client_start(house, argv, "dumb");
    wait_until_port_listens(port);
    return receiver;
}

static struct line_client *connect_and_sign_up(struct house_fixture *house, const char *name)
{
    struct line_client *person = line_client_open_ssh(house, name, name, "-T", "xterm");
    line_client_expect(person, "Choose a name: ");
    line_client_type(person, "\n");
    line_client_expect(person, "Password ");
    line_client_type(person, "\nlobby\n");
    line_client_expect(person, "The lobby of ");
    return person;
}

/* Sets the webhook and reads its secret from the screen. */
static void set_webhook(struct line_client *person, int port, char secret[SECRET_LETTERS + 1])
{
    char line[80];
    snprintf(line, sizeof(line), "/webhook http://127.0.0.1:%u/\n/webhook\n", port);
    line_client_type(person, line);
    line_client_expect(person, "shows only once:");
    const char *at = line_client_unmatched_output(person);
    line_client_expect(person, "gets these events: turn.");
    while (strspn(at, "0123456789abcdef") != SECRET_LETTERS) {
        assert_int_not_equal(*at, '\0');
        at++;
    }
    snprintf(secret, SECRET_LETTERS + 1, "%.*s", SECRET_LETTERS, at);
}

static void a_webhook_is_called_when_it_is_the_turn_of_an_absent_player(void **state)
{
    struct house_fixture *house = *state;
    char secret[SECRET_LETTERS + 1];
    int port = house_find_free_port();
    write_receiver(house);
    struct line_client *bob = connect_and_sign_up(house, "bob");
    set_webhook(bob, port, secret);
    struct line_client *receiver = start_receiver(house, secret, port);
    line_client_type(bob, "/webhook test\n");
    line_client_expect(bob, "Your webhook works: it answered with 204.");
    line_client_expect(receiver, "This is a test");
    line_client_type(bob, "/new\ngame oh-hell\nclock 2d\nbots\n");
    line_client_expect(bob, "round 1 of");
    line_client_type(bob, "/quit\n");
    line_client_free(bob);
    static const char *const turn[] = {"It is your turn at #1 Oh Hell.", NULL};
    line_client_expect_any(receiver, turn, AWAY_MS);
    line_client_print(receiver, "the README's receiver");
    line_client_free(receiver);
}

static void a_signature_with_another_secret_is_refused(void **state)
{
    struct house_fixture *house = *state;
    char secret[SECRET_LETTERS + 1];
    int port = house_find_free_port();
    struct line_client *ada = connect_and_sign_up(house, "ada");
    set_webhook(ada, port, secret);
    struct line_client *receiver = start_receiver(house, "some other secret", port);
    line_client_type(ada, "/webhook test\n");
    line_client_expect(ada, "Your webhook answered with 403");
    assert_false(line_client_has_read(receiver, "This is a test"));
    line_client_free(receiver);
    line_client_free(ada);
}

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, settings);
    *state = &house;
    return 0;
}

TEST_GROUP(webhook)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_webhook_is_called_when_it_is_the_turn_of_an_absent_player),
        cmocka_unit_test(a_signature_with_another_secret_is_refused),
    };
    return cmocka_run_group_tests_name("webhook", tests, open_house, house_tear_down);
}
