#include "tests/e2e/client.h"

#include "tests/e2e/guests.h"

#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <stdio.h>

#define ARGS_MAX 40
#define TRICK_MS 30000

const char client_password[] = "correct horse battery";

struct terminal *client_start(const struct house_fixture *house, const char *const *argv)
{
    char home[80];
    const char *words[ARGS_MAX] = {"env", home};
    size_t n = 2;
    snprintf(home, sizeof(home), "HOME=%s", house->folder);
    for (size_t i = 0; argv[i] != NULL; i++) {
        assert_true(n < ARGS_MAX - 1);
        words[n++] = argv[i];
    }
    words[n] = NULL;
    return terminal_open(words, "xterm-256color", 80, 24);
}

static void choose_name(struct terminal *person, const char *name)
{
    char question[64];
    snprintf(question, sizeof(question), "Choose a name: %s", name);
    terminal_expect(person, question);
    terminal_expect(person, "The name is free");
    terminal_type(person, "\r");
}

static void expect_lobby(struct terminal *person, const char *name)
{
    char header[64];
    snprintf(header, sizeof(header), "· %s", name);
    terminal_expect(person, "#lobby");
    terminal_expect(person, header);
}

static void enter_lobby(struct terminal *person, const char *name)
{
    terminal_expect(person, "Welcome, ");
    terminal_type(person, "l");
    expect_lobby(person, name);
}

void client_sign_up(struct terminal *person, const char *name)
{
    choose_name(person, name);
    terminal_expect(person, "Enter alone: none");
    terminal_type(person, "\r");
    enter_lobby(person, name);
}

static void sign_up_with_password(struct terminal *person, const char *name)
{
    choose_name(person, name);
    terminal_expect(person, "Choose a password:");
    terminal_type_line(person, client_password);
    terminal_expect(person, "once more:");
    terminal_type_line(person, client_password);
    enter_lobby(person, name);
}

void client_sign_up_by_telnet(struct terminal *person, const char *name)
{
    terminal_expect(person, "Your name");
    terminal_type_line(person, "new");
    terminal_expect(person, "Choose a name:");
    terminal_type(person, name);
    sign_up_with_password(person, name);
}

static void sign_in(struct terminal *person)
{
    terminal_expect(person, "Password:");
    terminal_type_line(person, client_password);
}

void client_sign_in_by_telnet(struct terminal *person, const char *name)
{
    terminal_expect(person, "Your name");
    terminal_type_line(person, name);
    sign_in(person);
}

void client_begin_game(struct terminal *person)
{
    static const char *const places[] = {"#lobby", "Play against bots", NULL};
    (void)terminal_expect_any(person, places);
    terminal_expect_gone(person, " 0 here"); /* once it knows who is here, the house offers games */
    if (terminal_shows(person, places[1])) {
        guests_close_offer(person);
        terminal_expect(person, "#lobby");
    }
    terminal_type(person, "/quick oh-hell\r");
    terminal_expect(person, "round 1 of");
}

void client_play_trick(struct terminal *person)
{
    struct terminal *const players[] = {person, NULL};
    client_begin_game(person);
    play_until(players, " the trick: ", TRICK_MS);
}

void client_resign(struct terminal *person)
{
    terminal_type(person, "X");
    terminal_expect(person, "Leave for good?");
    terminal_type(person, "y");
    /* Bots play on without delay: a round or the whole game may be over meanwhile. */
    static const char *const as_spectator[] = {"look back", "show the table", "deal ✓", NULL};
    (void)terminal_expect_any(person, as_spectator);
    terminal_type(person, "q");
    terminal_expect(person, "#lobby");
    client_leave(person);
}

void client_leave(struct terminal *person)
{
    terminal_type(person, "qy");
    terminal_expect(person, "Goodbye");
    assert_int_equal(terminal_wait_for_end(person), 0);
    terminal_free(person);
}

void client_assert_key_works(const struct house_fixture *house, client_connector *connect_as,
                             const char *name)
{
    struct terminal *person = connect_as(house, name, name);
    client_sign_up(person, name);
    client_play_trick(person);
    client_resign(person);
    person = connect_as(house, "root", name);
    expect_lobby(person, name);
    client_leave(person);
}

void client_assert_password_works(const struct house_fixture *house, client_connector *connect_as,
                                  const char *name)
{
    struct terminal *person = connect_as(house, name, NULL);
    terminal_expect(person, "Password:");
    terminal_type(person, "\r");
    sign_up_with_password(person, name);
    client_leave(person);
    person = connect_as(house, name, NULL);
    sign_in(person);
    expect_lobby(person, name);
    client_play_trick(person);
    client_resign(person);
}

void client_assert_resizing_works(const struct house_fixture *house, client_connector *connect_as)
{
    struct terminal *guest = connect_as(house, "guest", NULL);
    guests_close_offer(guest);
    terminal_expect_full_screen(guest);
    terminal_resize(guest, 120, 40);
    terminal_expect_full_screen(guest);
    terminal_resize(guest, 70, 20);
    terminal_expect_full_screen(guest);
    client_leave(guest);
}
