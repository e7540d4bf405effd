#include "tests/e2e/client.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/openssh.h"
#include "tests/e2e/play.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/*
 * Connects through OpenSSH with all its features: every kind of key (except hardware keys, sk-…,
 * which cannot be made here), a new key exchange every 16 KiB, many changes of the window size,
 * unusual terminals.
 */

#define ROUND_MS 60000
#define RESIZES 40

static void make_key(const struct house_fixture *house, const char *type, const char *bits,
                     const char *name)
{
    struct command_result result;
    const char *const argv[] = {"ssh-keygen", "-q", "-t", type, "-b", bits,
                                "-N",         "",   "-f", name, NULL};
    command_run(house, argv, &result);
    command_assert_result(&result, 0, "");
}

/* Connects with ssh. `key` may be NULL: no key. `options`: further options of ssh, NULL-ended. */
static struct terminal *connect_with_options(const struct house_fixture *house, const char *user,
                                             const char *key, const char *const *options)
{
    const struct connect_setup setup = {.user = user, .key = key, .options = options};
    return house_connect_by_ssh(house, &setup);
}

static struct terminal *connect_as(const struct house_fixture *house, const char *user,
                                   const char *key)
{
    return connect_with_options(house, user, key, (const char *const[]){NULL});
}

static void every_kind_of_key_can_sign_up_and_sign_in_again(void **state)
{
    static const struct {
        const char *type, *bits, *name;
    } keys[] = {
        {"ecdsa", "256", "chen"}, {"ecdsa", "384", "dora"}, {"ecdsa", "521", "erik"},
        {"rsa", "2048", "fred"},  {"rsa", "3072", "gina"},
    };
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        make_key(*state, keys[i].type, keys[i].bits, keys[i].name);
        struct terminal *person = connect_as(*state, keys[i].name, keys[i].name);
        client_sign_up(person, keys[i].name);
        client_leave(person);
        person = connect_as(*state, "root", keys[i].name);
        terminal_expect(person, "#lobby");
        terminal_expect(person, keys[i].name);
        client_leave(person);
    }
}

static void a_person_with_an_ed25519_key_plays_a_trick_and_comes_back(void **state)
{
    make_key(*state, "ed25519", "256", "ada");
    client_assert_key_works(*state, connect_as, "ada");
}

static void a_person_with_a_password_comes_back_and_plays_a_trick(void **state)
{
    client_assert_password_works(*state, connect_as, "bob");
}

/* Keys of outdated kinds count as no key: the house asks for the password at once. */
static void outdated_kinds_of_keys_are_refused(void **state)
{
    static const char *const short_too[] = {"-oRequiredRSASize=1024", NULL};
    static const char *const sha1_only[] = {"-oPubkeyAcceptedAlgorithms=ssh-rsa", NULL};
    static const char *const dsa_too[] = {"-oPubkeyAcceptedAlgorithms=+ssh-dss", NULL};
    make_key(*state, "rsa", "1024", "hans");
    struct terminal *hans = connect_with_options(*state, "hans", "hans", short_too);
    terminal_expect(hans, "Password:");
    terminal_free(hans);
    make_key(*state, "rsa", "2048", "ines");
    struct terminal *ines = connect_with_options(*state, "ines", "ines", sha1_only);
    terminal_expect(ines, "Password:");
    terminal_free(ines);
    make_key(*state, "dsa", "1024", "jana");
    struct terminal *jana = connect_with_options(*state, "jana", "jana", dsa_too);
    terminal_expect(jana, "Password:");
    terminal_free(jana);
}

/* Counts the lines with these words in the log that ssh wrote (-E). */
static int count_ssh_log_lines(const struct house_fixture *house, const char *name,
                               const char *words)
{
    char path[128], line[1024];
    int count = 0;
    snprintf(path, sizeof(path), "%s/%s", house->folder, name);
    FILE *log = fopen(path, "re");
    assert_non_null(log);
    while (fgets(line, sizeof(line), log) != NULL) {
        count += strstr(line, words) != NULL ? 1 : 0;
    }
    fclose(log);
    return count;
}

/* After each change of size, waits for a complete screen, because a terminal as small as one cell
 * has lost everything it showed. */
static void resize_window_often(void *context, struct terminal *player)
{
    static const int sizes[][2] = {{80, 24}, {100, 30}, {1, 1}, {81, 25}, {500, 200}};
    int *turn = context;
    const int *size = sizes[(*turn)++ % (int)ARRAY_LEN(sizes)];
    terminal_resize(player, size[0], size[1]);
    terminal_resize(player, 90, 30);
    terminal_expect_full_screen(player);
}

/* Draws the screen anew, so that a round transfers more than a few KiB. */
static void redraw_screen(void *context, struct terminal *player)
{
    (void)context;
    terminal_type(player, "\x0c");
}

static void a_round_is_played_with_new_keys_every_16_kib(void **state)
{
    struct house_fixture *house = *state;
    char log[128];
    snprintf(log, sizeof(log), "%s/rekey.log", house->folder);
    const char *const options[] = {"-oRekeyLimit=16K", "-oLogLevel=DEBUG1", "-E", log, NULL};
    struct terminal *guest = connect_with_options(house, "guest", NULL, options);
    struct terminal *const players[] = {guest, NULL};
    client_begin_game(guest);
    play_until_observed(players, "round 2 of", ROUND_MS, redraw_screen, NULL);
    client_resign(guest);
    int exchanges = count_ssh_log_lines(house, "rekey.log", "SSH2_MSG_NEWKEYS received");
    printf("%d key exchanges\n", exchanges);
    assert_in_range(exchanges, 3, 10000);
}

static void a_round_is_played_during_a_flood_of_window_resizes(void **state)
{
    int turn = 0;
    struct terminal *guest = connect_as(*state, "guest", NULL);
    struct terminal *const players[] = {guest, NULL};
    client_begin_game(guest);
    play_until_observed(players, "round 2 of", ROUND_MS, resize_window_often, &turn);
    while (turn < RESIZES) {
        resize_window_often(&turn, guest);
    }
    terminal_resize(guest, 80, 24);
    terminal_expect_full_screen(guest);
    client_resign(guest);
}

static struct terminal *connect_on_terminal(const struct house_fixture *house, const char *term)
{
    static const struct connect_setup guest = {.user = "guest"};
    struct connect_setup setup = guest;
    setup.term = term;
    return house_connect_by_ssh(house, &setup);
}

static void an_unknown_terminal_is_treated_like_a_common_one(void **state)
{
    static char too_long[201];
    memset(too_long, 'x', sizeof(too_long) - 1);
    const char *const terms[] = {
        "",
        "no-such-terminal",
        "../../etc/passwd",
        "/etc/passwd",
        too_long,
        "xterm\x1b[2J",
        "$(id)",
        "%s%n",
        "unknown",
    };
    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct terminal *guest = connect_on_terminal(*state, terms[i]);
        terminal_expect(guest, "Unknown terminal");
        terminal_expect(guest, "drawing for xterm-256color");
        guests_close_offer(guest);
        terminal_expect(guest, "#lobby");
        client_leave(guest);
    }
}

/* Connects and waits until the offer is drawn whole: its games come after its last row. */
static struct terminal *open_offer_on_terminal(const struct house_fixture *house, const char *term)
{
    struct terminal *guest = connect_on_terminal(house, term);
    terminal_expect(guest, "You learn in play which suits");
    terminal_expect(guest, "? help  q back");
    return guest;
}

/* Copies the screen, with lines in the form that terminals without Unicode get. */
static void copy_screen_in_ascii(struct terminal *guest, char *out, size_t size)
{
    static const char line[] = "─";
    size_t len = 0;
    for (const char *at = terminal_read_text(guest); *at != '\0' && len < size - 1;) {
        bool is_line = strncmp(at, line, sizeof(line) - 1) == 0;
        out[len++] = is_line ? '-' : *at;
        at += is_line ? sizeof(line) - 1 : 1;
    }
    out[len] = '\0';
}

static void screens_are_the_same_on_all_kinds_of_terminals(void **state)
{
    static const char *const terms[] = {
        "xterm", "linux", "screen-256color", "tmux-256color", "rxvt-unicode-256color",
        "putty", "vt220"};
    char first[8192], screen[8192];
    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct terminal *guest = open_offer_on_terminal(*state, terms[i]);
        copy_screen_in_ascii(guest, i == 0 ? first : screen, sizeof(screen));
        assert_string_equal(i == 0 ? first : screen, first);
        guests_close_offer(guest);
        terminal_expect(guest, "#lobby");
        assert_false(terminal_shows(guest, "Unknown terminal"));
        client_leave(guest);
    }
}

/* A terminal of this type may wrap lines at once or, as libvterm, only before the next character.
 */
static void the_last_column_stays_free_where_the_cursor_may_wrap(void **state)
{
    struct terminal *guest = open_offer_on_terminal(*state, "ansi");
    for (int row = 0; row < 24; row++) {
        assert_string_equal(terminal_read_cell(guest, row, 79), "");
    }
    const char *screen = terminal_read_text(guest);
    assert_non_null(strstr(screen, "\n > c to talk"));
    assert_non_null(strstr(screen, "\n 1-5 play"));
    guests_close_offer(guest);
    terminal_expect(guest, "#lobby");
    client_leave(guest);
}

/* Without a terminal, ssh reports a window of 0 by 0 and the end of the input. The end of the input
 * alone must not end the session. */
static void a_terminal_without_size_or_input_shows_the_house(void **state)
{
    const struct house_fixture *house = *state;
    char command[512];
    snprintf(command, sizeof(command),
             "exec ssh -F none -p %d -tt -o StrictHostKeyChecking=no -o LogLevel=ERROR"
             " -o UserKnownHostsFile=%s/hosts " OPENSSH_GUEST " </dev/null",
             house->port, house->folder);
    struct terminal *guest = client_start(house, (const char *const[]){"sh", "-c", command, NULL});
    terminal_expect(guest, "Play against bots");
    terminal_expect_full_screen(guest);
    terminal_free(guest);
}

static void lines_that_are_pasted_are_text(void **state)
{
    struct terminal *guest = guests_connect(*state);
    guests_assert_paste_is_text(guest);
    client_leave(guest);
}

TEST_GROUP(openssh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_with_an_ed25519_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(every_kind_of_key_can_sign_up_and_sign_in_again),
        cmocka_unit_test(a_person_with_a_password_comes_back_and_plays_a_trick),
        cmocka_unit_test(outdated_kinds_of_keys_are_refused),
        cmocka_unit_test(a_round_is_played_with_new_keys_every_16_kib),
        cmocka_unit_test(a_round_is_played_during_a_flood_of_window_resizes),
        cmocka_unit_test(an_unknown_terminal_is_treated_like_a_common_one),
        cmocka_unit_test(screens_are_the_same_on_all_kinds_of_terminals),
        cmocka_unit_test(the_last_column_stays_free_where_the_cursor_may_wrap),
        cmocka_unit_test(a_terminal_without_size_or_input_shows_the_house),
        cmocka_unit_test(lines_that_are_pasted_are_text),
    };
    return cmocka_run_group_tests_name("openssh", tests, house_set_up, house_tear_down);
}
