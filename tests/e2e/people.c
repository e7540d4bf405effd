#include "tests/e2e/people.h"

#include "tests/unit.h"

struct terminal *people_connect(const struct house_fixture *house, const char *name, int columns,
                                int rows)
{
    const struct connect_setup setup = {
        .user = name, .key = name, .columns = columns, .rows = rows};
    static const char *const places[] = {"Choose a name:", "#lobby", "your seat", " · round ",
                                         NULL};
    struct terminal *person = house_connect_by_ssh(house, &setup);
    if (terminal_expect_any(person, places) == 0) {
        terminal_expect(person, "The name is free");
        terminal_type(person, "\r");
        terminal_expect(person, "Enter alone: none");
        terminal_type(person, "\r");
        terminal_expect(person, "Welcome");
        terminal_type(person, "l");
        terminal_expect(person, "#lobby");
    }
    return person;
}

void people_choose_password(struct terminal *person, const char *password)
{
    terminal_type(person, "/password\r");
    terminal_expect(person, "New password:");
    terminal_type_line(person, password);
    terminal_expect(person, "once more:");
    terminal_type_line(person, password);
    terminal_expect(person, "The new password is set.");
    terminal_type(person, "q");
    terminal_expect(person, "#lobby");
}
