#include "tests/daemon/screens/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char full_lobby[] =
    "{\"t\":\"lobby\",\"reset\":true,\"people\":["
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"rating\":1583,"
    "\"is_provisional\":false,\"table\":null,\"seated\":false,\"idle_s\":0},"
    "{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"admin\",\"rating\":1642,"
    "\"is_provisional\":false,\"table\":3,\"seated\":true,\"idle_s\":5},"
    "{\"name\":\"bob\",\"kind\":\"player\",\"role\":\"player\",\"rating\":1498,"
    "\"is_provisional\":false,\"table\":7,\"seated\":true,\"idle_s\":5},"
    "{\"name\":\"chen\",\"kind\":\"player\",\"role\":\"player\",\"rating\":1551,"
    "\"is_provisional\":true,\"table\":null,\"seated\":false,\"idle_s\":20},"
    "{\"name\":\"dmitri\",\"kind\":\"player\",\"role\":\"player\",\"rating\":1720,"
    "\"is_provisional\":false,\"table\":null,\"seated\":false,\"idle_s\":245},"
    "{\"name\":\"ella\",\"kind\":\"bot\",\"role\":\"player\",\"rating\":null,"
    "\"is_provisional\":false,\"table\":7,\"seated\":true,\"idle_s\":0},"
    "{\"name\":\"guest-12\",\"kind\":\"guest\",\"role\":\"player\",\"rating\":null,"
    "\"is_provisional\":false,\"table\":3,\"seated\":false,\"idle_s\":9}],"
    "\"tables\":["
    "{\"id\":7,\"game\":\"oh-hell\",\"players\":4,\"seated\":3,\"bots\":1,\"clock_s\":30,"
    "\"state\":\"open\",\"round\":0,\"rounds\":19,\"host\":\"bob\",\"is_locked\":false,"
    "\"watchers\":0},"
    "{\"id\":3,\"game\":\"oh-hell\",\"players\":5,\"seated\":5,\"bots\":0,\"clock_s\":60,"
    "\"state\":\"playing\",\"round\":2,\"rounds\":19,\"host\":\"ada\",\"is_locked\":false,"
    "\"watchers\":2},"
    "{\"id\":2,\"game\":\"oh-hell\",\"players\":4,\"seated\":4,\"bots\":0,\"clock_s\":86400,"
    "\"state\":\"playing\",\"round\":4,\"rounds\":19,\"host\":\"mira\",\"is_locked\":false,"
    "\"watchers\":0},"
    "{\"id\":5,\"game\":\"oh-hell\",\"players\":4,\"seated\":3,\"bots\":0,\"clock_s\":172800,"
    "\"state\":\"open\",\"round\":0,\"rounds\":19,\"host\":\"friends-of-ada\",\"is_locked\":true,"
    "\"watchers\":0},"
    "{\"id\":1,\"game\":\"oh-hell\",\"players\":4,\"seated\":4,\"bots\":4,\"clock_s\":0,"
    "\"state\":\"finished\",\"round\":19,\"rounds\":19,\"host\":\"chen\",\"is_locked\":false,"
    "\"watchers\":0}]}";

static void fill(struct driver *driver)
{
    driver_push(driver, full_lobby);
    driver_push(driver, "{\"t\":\"mine\",\"tables\":[{\"table\":2,\"game\":\"oh-hell\","
                        "\"turn\":true}]}");
    const char *const chat[] = {
        "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"system\",\"at\":1794999000000,\"n\":1,"
        "\"text\":\"bob opened #7, 4 seats, 30 s a move\"}",
        "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"at\":1794999060000,\"n\":2,"
        "\"from\":\"ada\",\"text\":\"anyone for a quick one before lunch?\"}",
        "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"at\":1794999120000,\"n\":3,"
        "\"from\":\"chen\",\"text\":\"after this round, mira owes me a game and I have been "
        "waiting for it since yesterday, so a table of four it is\"}",
        "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"me\",\"at\":1794999180000,\"n\":4,"
        "\"from\":\"dmitri\",\"text\":\"is away: coffee\"}",
        "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\",\"at\":1794999240000,\"n\":5,"
        "\"from\":\"ada\",\"to\":\"mira\",\"text\":\"join us at #7\"}",
    };
    for (size_t i = 0; i < sizeof chat / sizeof chat[0]; i++) {
        driver_push(driver, chat[i]);
    }
}

static struct driver *full_lobby_at(int columns, int rows)
{
    struct driver_setup setup = {.columns = columns, .rows = rows};
    struct driver *driver = driver_new(&setup);
    fill(driver);
    return driver;
}

static void the_lobby_shows_tables_people_and_talk(void **state)
{
    (void)state;
    struct driver *driver = full_lobby_at(80, 24);
    driver_expect(driver, "6 in · 5 tables");
    driver_expect(driver, "mira 1583");
    driver_expect(driver, "your turn ◄");
    driver_expect(driver, "open · bob");
    driver_expect(driver, "away 4m");
    driver_expect(driver, "<ada> anyone for a quick one before lunch?");
    driver_expect(driver, "* dmitri is away: coffee");
    driver_expect(driver, "ada to you: join us at #7");
    driver_free(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lobby_shows_tables_people_and_talk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
