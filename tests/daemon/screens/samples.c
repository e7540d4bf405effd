#include "tests/daemon/screens/samples.h"

#include <stdlib.h>

static const char full_lobby[] =
    "{\"t\":\"lobby\",\"reset\":true,\"people\":["
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
    "\"is_provisional\":false,\"table\":3,\"seated\":false,\"idle_s\":9},"
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"rating\":1583,"
    "\"is_provisional\":false,\"table\":null,\"seated\":false,\"idle_s\":0}],"
    "\"tables\":["
    "{\"id\":2,\"game\":\"oh-hell\",\"players\":4,\"seated\":4,\"bots\":0,\"clock\":{\"kind\":"
    "\"days\",\"days\":1},"
    "\"state\":\"playing\",\"round\":4,\"rounds\":19,\"host\":\"mira\",\"is_locked\":false,"
    "\"watchers\":0},"
    "{\"id\":7,\"game\":\"oh-hell\",\"players\":4,\"seated\":3,\"bots\":1,\"clock\":{\"kind\":"
    "\"move\",\"move_s\":30},"
    "\"state\":\"open\",\"round\":0,\"rounds\":19,\"host\":\"bob\",\"is_locked\":false,"
    "\"watchers\":0},"
    "{\"id\":5,\"game\":\"oh-hell\",\"players\":4,\"seated\":3,\"bots\":0,\"clock\":{\"kind\":"
    "\"days\",\"days\":2},"
    "\"state\":\"open\",\"round\":0,\"rounds\":19,\"host\":\"friends-of-ada\",\"is_locked\":true,"
    "\"watchers\":0},"
    "{\"id\":3,\"game\":\"oh-hell\",\"players\":5,\"seated\":5,\"bots\":0,\"clock\":{\"kind\":"
    "\"move\",\"move_s\":60},"
    "\"state\":\"playing\",\"round\":2,\"rounds\":19,\"host\":\"ada\",\"is_locked\":false,"
    "\"watchers\":2},"
    "{\"id\":1,\"game\":\"oh-hell\",\"players\":4,\"seated\":4,\"bots\":4,\"clock_s\":0,"
    "\"state\":\"finished\",\"round\":19,\"rounds\":19,\"host\":\"chen\",\"is_locked\":false,"
    "\"watchers\":0}]}";

void samples_push_lobby(struct driver *driver)
{
    driver_push(driver, full_lobby);
    driver_push(driver, "{\"t\":\"mine\",\"tables\":[{\"table\":2,\"game\":\"oh-hell\","
                        "\"turn\":true,\"is_live\":false}]}");
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

static void answer_request(struct driver *driver, const char *type, json_t *answer)
{
    char *text = json_dumps(answer, JSON_COMPACT);
    driver_answer(driver, type, text);
    free(text);
    json_decref(answer);
}

static json_t *make_leaderboard_row(int rank, const char *name, const char *kind)
{
    return json_pack("{s:i, s:i, s:i, s:s, s:s, s:s, s:i, s:i, s:b, s:i, s:f, s:f, s:i, s:i, s:i,"
                     " s:I, s:I}",
                     "change_week", 40 - rank, "streak", rank % 5 - 2, "rank", rank, "role",
                     rank == 2 ? "mod" : "player", "name", name, "kind", kind, "rating",
                     1800 - 10 * rank, "deviation", 60 + rank, "is_provisional", rank % 3 == 0,
                     "games", 100 - rank, "wins", 50.4 - rank * 0.5, "place", 70.0 - rank, "stat",
                     40 - rank / 2, "finished", 98, "best", 1850 - rank, "best_at",
                     (json_int_t)1794000000000, "seen_at", (json_int_t)1794900000000);
}

void samples_answer_leaders(struct driver *driver)
{
    json_t *rows = json_array();
    for (int i = 1; i <= 50; i++) {
        json_t *name = json_sprintf("player-%d", i);
        json_array_append_new(
            rows, make_leaderboard_row(i, json_string_value(name), i % 7 == 4 ? "bot" : "player"));
        json_decref(name);
    }
    json_t *me = make_leaderboard_row(57, "mira", "player");
    json_object_set_new(me, "stat", json_null());
    json_t *around = json_array();
    for (int i = 52; i <= 61; i++) {
        json_t *name = json_sprintf(i == 57 ? "mira" : "player-%d", i);
        json_array_append_new(around, make_leaderboard_row(i, json_string_value(name), "player"));
        json_decref(name);
    }
    answer_request(driver, "leaders",
                   json_pack("{s:i, s:b, s:o, s:o, s:o}", "total", 61, "is_young", 1, "rows", rows,
                             "me", me, "around", around));
}

void samples_answer_games(struct driver *driver, int game_count)
{
    json_t *rows = json_array();
    for (int i = 0; i < game_count; i++) {
        json_t *players = json_pack("[{s:s}, {s:s}, {s:s}, {s:s}]", "name", "mira", "name", "ada",
                                    "name", "bob", "name", "ella");
        json_t *row =
            json_pack("{s:i, s:s, s:I, s:o, s:i, s:i, s:i}", "game_id", 900 - i, "game", "oh-hell",
                      "at", (json_int_t)(1794000000000 - i * 7200000LL), "players", players, "rank",
                      i % 4 + 1, "score", 120 - i, "change", 12 - i);
        if (i % 3 == 2) {
            json_object_set_new(row, "change", json_null());
        }
        json_array_append_new(rows, row);
    }
    answer_request(driver, "games", json_pack("{s:o}", "rows", rows));
}
