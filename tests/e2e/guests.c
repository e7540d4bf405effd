#include "tests/e2e/guests.h"

#include "tests/unit.h"

#include <signal.h>

struct terminal *guests_connect(const struct house_fixture *house)
{
    static const struct connect_setup as_guest = {.user = "guest"};
    struct terminal *guest = house_connect_by_ssh(house, &as_guest);
    guests_close_offer(guest);
    terminal_expect(guest, "Tables");
    return guest;
}

void guests_close_offer(struct terminal *guest)
{
    static const char fifth_game[] = "5  HUND"; /* the same in every language */
    terminal_expect(guest, fifth_game);
    terminal_type(guest, "q");
    terminal_expect_gone(guest, fifth_game);
}

void guests_chat(struct terminal *from, struct terminal *to, const char *words)
{
    terminal_type(from, "c");
    terminal_type_line(from, words);
    terminal_expect(from, words);
    terminal_expect(to, words);
    terminal_type(from, "\x1b");
}

void guests_assert_paste_is_text(struct terminal *guest)
{
    terminal_type(guest, "c");
    terminal_expect(guest, "say it");
    terminal_type(guest, "my shopping list\rq\ry\r");
    terminal_expect(guest, "> my shopping list q y");
    terminal_type(guest, "\x1b[D\x15"); /* the arrow moves the cursor before the y */
    terminal_expect(guest, "> y");
    terminal_type(guest, "\x1b");
    terminal_expect_gone(guest, "say it");
}

void guests_kill_gate(const struct house_fixture *house, int sessions)
{
    int before = house_count_log_lines(house, "event=inherit");
    assert_int_equal(kill(house_find_process(house, "gate"), SIGKILL), 0);
    house_wait_for_log_lines(house, "event=inherit", before + sessions);
}
