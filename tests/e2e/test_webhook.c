#include "tests/e2e/talker.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* A person with a game that takes days leaves, and the webhook is called when it is their turn. The
 * receiver is the one shown in the README. */

#define SECRET_LETTERS 64
#define AWAY_MS 60000 /* the bots play; a person who has left counts as away after ten seconds */

static const char settings[] = "[play]\nbot_delay_ms = 0\n[webhook]\nenabled = yes\nhttp = yes\n"
                               "private = yes\ncommand = ssh -p 2222 house.example\n";

static uint16_t free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(probe >= 0);
    assert_int_equal(bind(probe, (const struct sockaddr *)&address, len), 0);
    assert_int_equal(getsockname(probe, (struct sockaddr *)&address, &len), 0);
    close(probe);
    return ntohs(address.sin_port);
}

static void wait_until_open(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    bool is_open = false;
    while (!is_open) {
        assert_in_range(terminal_now_ms(), 0, deadline);
        int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        is_open = connect(probe, (const struct sockaddr *)&address, sizeof(address)) == 0;
        close(probe);
        (void)poll(NULL, 0, 20);
    }
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

static struct talker *receive(const struct house_fixture *house, const char *secret, uint16_t port)
{
    char number[16];
    snprintf(number, sizeof(number), "%u", port);
    const char *const argv[] = {"/usr/bin/python3", "-B", "receiver.py", secret, number, NULL};
    struct talker *receiver = talker_start(house, argv, "dumb");
    wait_until_open(port);
    return receiver;
}

static struct talker *come_in(struct house_fixture *house, const char *name)
{
    house_make_key(house, name);
    struct talker *person = talker_by_ssh(house, name, name, "-T", "xterm");
    talker_expect(person, "Choose a name: ");
    talker_type(person, "\n");
    talker_expect(person, "Password ");
    talker_type(person, "\nlobby\n");
    talker_expect(person, "The lobby of ");
    return person;
}

/* Sets the webhook and reads its secret from the screen. */
static void set_webhook(struct talker *person, uint16_t port, char secret[SECRET_LETTERS + 1])
{
    char line[80];
    snprintf(line, sizeof(line), "/webhook http://127.0.0.1:%u/\n/webhook\n", port);
    talker_type(person, line);
    talker_expect(person, "this once:");
    const char *at = talker_rest(person);
    talker_expect(person, "is told: turn.");
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
    uint16_t port = free_port();
    write_receiver(house);
    struct talker *bob = come_in(house, "bob");
    set_webhook(bob, port, secret);
    struct talker *receiver = receive(house, secret, port);
    talker_type(bob, "/webhook test\n");
    talker_expect(bob, "Your webhook works: it answered with 204.");
    talker_expect(receiver, "This is a test");
    talker_type(bob, "/new\ngame oh-hell\nclock 2d\nbots\n");
    talker_expect(bob, "round 1 of");
    talker_type(bob, "/quit\n");
    talker_free(bob);
    static const char *const turn[] = {"It is your turn at #1 Oh Hell.", NULL};
    talker_expect_any(receiver, turn, AWAY_MS);
    talker_print(receiver, "the README's receiver");
    talker_free(receiver);
}

static void a_signature_with_another_secret_is_refused(void **state)
{
    struct house_fixture *house = *state;
    char secret[SECRET_LETTERS + 1];
    uint16_t port = free_port();
    struct talker *ada = come_in(house, "ada");
    set_webhook(ada, port, secret);
    struct talker *receiver = receive(house, "some other secret", port);
    talker_type(ada, "/webhook test\n");
    talker_expect(ada, "Your webhook answered with 403");
    assert_false(talker_heard(receiver, "This is a test"));
    talker_free(receiver);
    talker_free(ada);
}

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open_with(&house, settings);
    *state = &house;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_webhook_is_called_when_it_is_the_turn_of_an_absent_player),
        cmocka_unit_test(a_signature_with_another_secret_is_refused),
    };
    return cmocka_run_group_tests_name("webhook", tests, open_house, house_tear_down);
}
