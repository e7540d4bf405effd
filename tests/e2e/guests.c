#include "tests/e2e/guests.h"

struct terminal *guests_connect(const struct house_fixture *house)
{
    static const struct connect_setup as_guest = {.user = "guest"};
    struct terminal *guest = house_connect_by_ssh(house, &as_guest);
    terminal_expect(guest, "Tables");
    return guest;
}

void guests_chat(struct terminal *from, struct terminal *to, const char *words)
{
    terminal_type(from, "c");
    terminal_type_line(from, words);
    terminal_expect(from, words);
    terminal_expect(to, words);
    terminal_type(from, "\x1b");
}
