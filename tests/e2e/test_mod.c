#include "tests/e2e/guests.h"
#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/unit.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Moderation through the real ssh: a report, a mute, a ban, and the appeal against the ban. */

static const char password[] = "correct horse battery";

/* Makes ssh show what the house says before the sign-in. */
static const char *const shows_banner[] = {"-oLogLevel=INFO", NULL};

static int open_house(void **state)
{
    static struct house_fixture house;
    house_open_with_admin(&house, "ada", "");
    *state = &house;
    return 0;
}

/* The first moderation command asks staff to confirm who they are. */
static void confirm_identity(struct terminal *admin)
{
    terminal_expect(admin, "Confirm it is you.");
    terminal_type_line(admin, password);
}

/* Checks the screens of open reports, people present and recent actions, at 80x24 and at 120x40. */
static void check_moderation_screens(struct terminal *admin)
{
    static const struct {
        int columns, rows;
        const char *caption;
    } sizes[] = {{80, 24, "the moderators' screen, 80x24"},
                 {120, 40, "the moderators' screen, 120x40"}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        terminal_resize(admin, sizes[i].columns, sizes[i].rows);
        terminal_expect(admin, "1 report or appeal waits · 3 here");
        terminal_expect(admin, ">    1  open             bob (spam): he sells cards");
        terminal_expect(admin, "Here now  ");
        terminal_expect(admin, "ada: admin");
        terminal_expect(admin, "eve: report bob");
        terminal_expect(admin, "Enter read  t take  r resolve  d dismiss");
        terminal_print(admin, sizes[i].caption);
    }
    terminal_resize(admin, 100, 24);
    terminal_expect_full_screen(admin);
}

/* Connects again with the key of the banned account. The house refuses the key and asks for an
 * appeal. */
static struct terminal *connect_while_banned(const struct house_fixture *house)
{
    const struct connect_setup setup = {
        .user = "bob", .key = "bob", .columns = 100, .options = shows_banner};
    struct terminal *bob = house_connect_by_ssh(house, &setup);
    terminal_expect(bob, "You are banned");
    terminal_expect(bob, "Type appeal and your reason:");
    terminal_expect_gone(bob, "New here?");
    return bob;
}

static void a_report_leads_to_a_ban_and_an_appeal(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 100, 24);
    people_choose_password(ada, password);
    struct terminal *bob = people_connect(*state, "bob", 100, 24);
    struct terminal *eve = people_connect(*state, "eve", 100, 24);

    terminal_type(bob, "cBUY MY CARDS\r");
    terminal_expect(eve, "BUY MY CARDS");
    terminal_type(eve, "/report bob spam he sells cards\r");
    terminal_expect(eve, "that is report 1");
    terminal_expect(ada, "eve reports bob (spam)");

    terminal_type(ada, "/mod\r");
    confirm_identity(ada);
    terminal_expect(ada, "bob (spam): he sells cards");
    check_moderation_screens(ada);
    terminal_type(ada, "\r");
    terminal_expect(ada, "BUY MY CARDS");
    terminal_print(ada, "a report with the chat that it is about");
    terminal_type(ada, "q");
    terminal_expect(ada, "Open reports and appeals");
    terminal_type(ada, "q");
    terminal_expect(ada, "#lobby");

    terminal_type(ada, "/mute bob 10m scope=lobby no advertising // told before\r");
    terminal_expect(ada, "bob is muted");
    terminal_expect(bob, "no advertising");
    terminal_type(bob, "cBUY\r");
    terminal_expect(bob, "muted here");

    terminal_type(ada, "/ban bob 7d advertising\r");
    terminal_expect(ada, "bob is banned, 7 days");
    terminal_expect(bob, "advertising");
    terminal_free(bob);

    bob = connect_while_banned(*state);
    terminal_print(bob, "the sign-in screen of a banned person");
    terminal_type(bob, "appeal it was my brother\r");
    terminal_expect(ada, "it was my brother");
    terminal_expect(bob, "Your appeal is noted");
    terminal_free(bob);

    terminal_type(ada, "/dismiss 2 you have none\r");
    terminal_expect(ada, "Appeal 2 is refused");
    bob = connect_while_banned(*state);
    terminal_expect(bob, "is refused, by ada");
    terminal_free(bob);

    terminal_type(ada, "/unban bob a brother it was\r");
    terminal_expect(ada, "bob may come in again");
    bob = people_connect(*state, "bob", 100, 24);
    terminal_free(bob);
    terminal_type(ada, "/audit verify\r");
    terminal_expect(ada, "are as they were written");
    terminal_free(eve);
    terminal_free(ada);
}

static struct terminal *connect_as_guest(const struct house_fixture *house)
{
    const struct connect_setup setup = {.user = "guest", .columns = 100, .options = shows_banner};
    return house_connect_by_ssh(house, &setup);
}

static void a_banned_guest_can_only_appeal(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 100, 24);
    struct terminal *guest = connect_as_guest(*state);
    guests_close_offer(guest);
    terminal_expect(guest, " · guest-1");
    terminal_type(ada, "/whois guest-1\r");
    confirm_identity(ada);
    terminal_expect(ada, "a guest from 127.0.0.1 by ssh");
    terminal_type(ada, "/ban guest-1 10m advertising\r");
    terminal_expect(ada, "guest-1 is banned, 10 minutes");
    terminal_expect(guest, "advertising");
    terminal_free(guest);

    guest = connect_as_guest(*state);
    terminal_expect(guest, "You are banned");
    terminal_expect(guest, "Type appeal and your reason:");
    terminal_expect_gone(guest, "New here?");
    terminal_expect(ada, "Refused at sign-in");
    terminal_type(guest, "appeal my sister did\r");
    terminal_expect(ada, "my sister did");
    terminal_free(guest);
    terminal_type(ada, "/unban guest-1 a sister it was\r");
    terminal_expect(ada, "guest-1 may come in again");
    guest = connect_as_guest(*state);
    guests_close_offer(guest);
    terminal_expect(guest, " · guest-2");
    terminal_free(guest);
    terminal_free(ada);
}

/* Opens a socket to the house from the address 127.0.0.9, which no other client uses. */
static int connect_socket(const struct house_fixture *house)
{
    int client = house_connect_socket(house->port, 9);
    assert_true(client >= 0);
    return client;
}

static bool socket_receives_words(int client, const char *words)
{
    char heard[256] = "";
    size_t len = 0;
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    for (ssize_t got = 1; got > 0 && strstr(heard, words) == NULL;) {
        got = terminal_read_before(client, heard + len, sizeof(heard) - 1 - len, deadline);
        len += got > 0 ? (size_t)got : 0;
    }
    return strstr(heard, words) != NULL;
}

/* Connects until the gate admits the connection. The gate learns of the end of a ban separately,
 * perhaps a moment after the screen shows it. */
static void connect_until_admitted(const struct house_fixture *house)
{
    bool is_in = false;
    for (time_t until = time(NULL) + 10; !is_in && time(NULL) < until;) {
        int client = connect_socket(house);
        is_in = socket_receives_words(client, "SSH-2.0");
        close(client);
    }
    assert_true(is_in);
}

static void a_banned_network_gets_only_one_connection_at_a_time(void **state)
{
    struct terminal *ada = people_connect(*state, "ada", 100, 24);
    terminal_type(ada, "/mod ban ip=127.0.0.8/29 1h a flood\r");
    confirm_identity(ada);
    terminal_expect(ada, "127.0.0.8/29 is banned");
    int first = connect_socket(*state);
    assert_true(socket_receives_words(first, "SSH-2.0"));
    int second = connect_socket(*state);
    assert_true(socket_receives_words(second, "Your network is banned here."));
    close(second);
    terminal_type(ada, "/unban ip=127.0.0.8/29 it is over\r");
    terminal_expect(ada, "127.0.0.8/29 may come in again");
    connect_until_admitted(*state);
    close(first);
    terminal_free(ada);
}

TEST_GROUP(mod)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_leads_to_a_ban_and_an_appeal),
        cmocka_unit_test(a_banned_guest_can_only_appeal),
        cmocka_unit_test(a_banned_network_gets_only_one_connection_at_a_time),
    };
    return cmocka_run_group_tests_name("mod", tests, open_house, house_tear_down);
}
