#include "gallery.h"

#include "daemon/screens/kernel/ui.h"
#include "games/text.h"
#include "tests/daemon/screens/samples.h"
#include "tests/daemon/screens/stage.h"
#include "tests/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define CAPTION_BYTES 200
#define YOU(kind, role)                                                                            \
    "{\"name\":\"mira\",\"kind\":\"" kind "\",\"role\":\"" role "\",\"has_password\":true,"        \
    "\"settings\":{},\"is_new\":false}"

static const char admin[] = YOU("player", "admin");
static const char guest[] = YOU("guest", "player");
static const char player[] = YOU("player", "player");

static struct driver *begin_session(const struct gallery *gallery, const char *signed_in_person)
{
    struct driver_setup setup = gallery->setup;
    setup.you = signed_in_person;
    setup.is_unregistered = signed_in_person == NULL;
    return driver_new(&setup);
}

static struct driver *begin_session_in_lobby(const struct gallery *gallery,
                                             const char *signed_in_person)
{
    struct driver *driver = begin_session(gallery, signed_in_person);
    samples_push_lobby(driver);
    return driver;
}

static void end_session(struct driver *driver)
{
    driver_free(driver);
}

static void show_screen_state(const struct gallery *gallery, const char *caption,
                              struct driver *driver)
{
    gallery->look(gallery->context, caption, driver);
}

static void type_keys_and_show_state(const struct gallery *gallery, struct driver *driver,
                                     const char *keys, const char *caption)
{
    driver_type(driver, keys);
    driver_wait(driver, 1300);
    show_screen_state(gallery, caption, driver);
}

/* Shows the sign-up of a person with an ssh key, who needs no password. */
static void show_sign_up_by_key(const struct gallery *gallery)
{
    struct driver_setup setup = gallery->setup;
    setup.is_unregistered = true;
    setup.has_key = true;
    setup.suggested_name = "ada";
    struct driver *driver = driver_new(&setup);
    show_screen_state(gallery, "sign-up with a key", driver);
    if (driver_find_request(driver, "name_check") != NULL) {
        driver_answer(driver, "name_check", NULL);
    }
    type_keys_and_show_state(gallery, driver, "\r", "sign-up with a key, a password");
    end_session(driver);
}

static void show_sign_up(const struct gallery *gallery)
{
    static const char *const taken[] = {"0x", "x", "a b c", "much-too-long-a-name"};
    struct driver *driver = begin_session(gallery, NULL);
    show_screen_state(gallery, "sign-up", driver);
    for (size_t i = 0; i < ARRAY_LEN(taken); i++) {
        driver_type(driver, taken[i]);
        type_keys_and_show_state(gallery, driver, "\r", "sign-up, an invalid name");
        driver_type(driver, "\x15");
    }
    driver_type(driver, "ada");
    while (driver_find_request(driver, "name_check") != NULL) {
        driver_answer(driver, "name_check", NULL);
    }
    show_screen_state(gallery, "sign-up, a free name", driver);
    type_keys_and_show_state(gallery, driver, "\r", "sign-up, a password");
    while (driver_find_request(driver, "name_check") != NULL) {
        driver_answer(driver, "name_check", NULL);
    }
    type_keys_and_show_state(gallery, driver, "short\r", "sign-up, a password that is too short");
    type_keys_and_show_state(gallery, driver, "correct horse\r", "sign-up, repeat the password");
    type_keys_and_show_state(gallery, driver, "correct house\r",
                             "sign-up, two different passwords");
    driver_type(driver, "correct horse\rcorrect horse\r");
    driver_answer(driver, "sign_up",
                  "{\"you\":{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\","
                  "\"has_password\":true,\"settings\":{},\"is_new\":true,"
                  "\"recovery\":\"BCDF-GHJK-MNPQ-RSTV\",\"is_recovered\":false}}");
    show_screen_state(gallery, "sign-up, welcome", driver);
    end_session(driver);
}

static void show_lobby(const struct gallery *gallery)
{
    struct driver *driver = begin_session(gallery, player);
    driver_push(driver, "{\"t\":\"lobby\",\"reset\":true,\"people\":[{\"name\":\"mira\"}],"
                        "\"tables\":[]}");
    show_screen_state(gallery, "lobby, alone", driver);
    driver_answer(driver, "best",
                  "{\"game_id\":81,\"game\":\"heckin-hounds\","
                  "\"players\":[\"ada\",\"bob\",\"chen\",\"charlotte-anne-9\"]}");
    driver_type(driver, "/look\r");
    show_screen_state(gallery, "lobby, alone, with the best game of yesterday", driver);
    driver_type(driver, "/quick\r");
    driver_answer(driver, "games", "{\"rows\":[]}");
    show_screen_state(gallery, "games against bots", driver);
    end_session(driver);
    driver = begin_session_in_lobby(gallery, player);
    show_screen_state(gallery, "lobby", driver);
    driver_push(driver, "{\"t\":\"friends\",\"names\":[\"dmitri\",\"bob\"]}");
    driver_push(driver,
                "{\"t\":\"lobby\",\"reset\":false,\"people\":[{\"name\":\"dmitri\","
                "\"kind\":\"player\",\"rating\":1720,\"idle_s\":0,\"presence\":\"away\","
                "\"presence_text\":\"coffee\"},{\"name\":\"bob\",\"kind\":\"player\","
                "\"rating\":1498,\"idle_s\":0,\"presence\":\"dnd\"},"
                "{\"name\":\"charlotte-anne-9\",\"kind\":\"player\",\"rating\":1498,"
                "\"is_provisional\":true,\"table\":1234,\"seated\":true,\"role\":\"mod\"}],"
                "\"tables\":[{\"id\":12,\"game\":\"heckin-hounds\",\"players\":5,\"seated\":5,"
                "\"state\":\"playing\",\"halt\":\"pause\",\"round\":2,\"rounds\":3,\"clock\":{"
                "\"kind\":\"move\",\"move_s\":60},"
                "\"host\":\"charlotte-anne-9\",\"watchers\":12},"
                "{\"id\":1234,\"game\":\"head-and-tail\",\"players\":5,\"seated\":3,\"bots\":2,"
                "\"clock_s\":0,\"state\":\"open\",\"host\":\"charlotte-anne-9\","
                "\"is_locked\":true}]}");
    show_screen_state(gallery, "lobby, friends", driver);
    type_keys_and_show_state(gallery, driver, "/who\r", "lobby, who");
    type_keys_and_show_state(gallery, driver, "/tables\r", "lobby, tables");
    driver_push(driver, "{\"t\":\"invite\",\"table\":5,\"game\":\"heckin-hounds\","
                        "\"from\":\"charlotte-anne-9\",\"for_s\":300}");
    show_screen_state(gallery, "lobby, invited", driver);
    driver_push(driver, "{\"t\":\"channels\",\"names\":[\"#tea\",\"#dev\"]}");
    type_keys_and_show_state(gallery, driver, "\t", "lobby, people chosen");
    type_keys_and_show_state(gallery, driver, "f", "lobby, filtered");
    driver_type(driver, "\x15\x1b");
    driver_wait(driver, 1300);
    type_keys_and_show_state(gallery, driver, "q", "lobby, leaving");
    end_session(driver);
    driver = begin_session_in_lobby(gallery, player);
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\",\"n\":9,"
                        "\"at\":1794999300000,\"from\":\"ada\",\"to\":\"mira\","
                        "\"text\":\"call me\",\"kept\":true}");
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"tell\",\"kind\":\"say\",\"n\":10,"
                        "\"at\":1794999300000,\"from\":\"mira\",\"to\":\"ada\","
                        "\"text\":\"later\"}");
    show_screen_state(gallery, "lobby, messages", driver);
    end_session(driver);
}

static void show_people(const struct gallery *gallery)
{
    struct driver *driver = begin_session_in_lobby(gallery, player);
    driver_type(driver, "/leaders\r");
    show_screen_state(gallery, "leaders, asking", driver);
    samples_answer_leaders(driver);
    show_screen_state(gallery, "leaders", driver);
    if (!gallery->setup.lines.is_on) {
        type_keys_and_show_state(gallery, driver, "p", "leaders, next number of players");
    }
    driver_type(driver, "/leaders oh-hell 4p season friends\r");
    samples_answer_leaders(driver);
    show_screen_state(gallery, "leaders, filtered", driver);
    driver_type(driver, "/leaders oh-hell ever bots\r");
    driver_answer(driver, "leaders", "{\"total\":0,\"rows\":[],\"around\":[]}");
    show_screen_state(gallery, "leaders, nobody", driver);
    end_session(driver);
    driver = begin_session_in_lobby(gallery, player);
    driver_type(driver, "/history\r");
    samples_answer_games(driver, 30);
    show_screen_state(gallery, "history", driver);
    end_session(driver);
    driver = begin_session_in_lobby(gallery, player);
    driver_type(driver, "/history\r");
    samples_answer_games(driver, 0);
    show_screen_state(gallery, "history, empty", driver);
    end_session(driver);
    driver = begin_session_in_lobby(gallery, player);
    driver_type(driver, "/finger ada\r");
    driver_answer(driver, "profile",
                  "{\"name\":\"ada\",\"role\":\"mod\",\"kind\":\"player\","
                  "\"created_at\":1794000000000,\"seen_at\":1794900000000,\"games\":["
                  "{\"game\":\"heckin-hounds\",\"rank\":3,\"rating\":1583,\"deviation\":120,"
                  "\"games\":41,\"change_week\":3,\"streak\":2,\"stat\":40,"
                  "\"chart\":[1500,1540,1480,1520,1600,1583]},"
                  "{\"game\":\"oh-hell\",\"rank\":3,\"rating\":1583,\"deviation\":120,"
                  "\"games\":41,\"chart\":[1500]}]}");
    samples_answer_games(driver, 8);
    show_screen_state(gallery, "profile", driver);
    end_session(driver);
    driver = begin_session_in_lobby(gallery, player);
    driver_type(driver, "/finger ella\r");
    driver_answer(driver, "profile",
                  "{\"name\":\"ella\",\"kind\":\"bot\",\"created_at\":1794000000000,"
                  "\"is_here\":true,\"games\":[]}");
    show_screen_state(gallery, "profile of a bot", driver);
    end_session(driver);
}

static void show_moderators_screen(const struct gallery *gallery)
{
    static const char desk[] =
        "{\"lines\":[],"
        "\"data\":{\"reports\":[{\"id\":7,\"state\":\"open\",\"about\":\"charlotte-anne-9\","
        "\"category\":\"spam\",\"text\":\"BUY\"},{\"id\":8,\"staff\":\"bartholomew_iii1\","
        "\"about\":\"eve\",\"category\":\"spam\",\"text\":\"BUY\"}],"
        "\"people\":[{\"name\":\"ada\",\"flags\":\"\"},{\"name\":\"eve\",\"flags\":\"\"}],"
        "\"deeds\":[{\"id\":3,\"at\":1794999000000,\"actor\":\"max\",\"verb\":\"mute\","
        "\"target\":\"eve\",\"reason\":\"BUY\",\"result\":\"ok\"},{\"id\":2,\"at\":1,"
        "\"actor\":\"max\",\"verb\":\"ban\",\"target\":\"ada\",\"reason\":\"BUY\","
        "\"result\":\"denied\"},{\"id\":1,\"at\":1,\"actor\":\"ada\",\"verb\":\"backup\","
        "\"target\":\"\",\"reason\":\"\",\"result\":\"error\"}]}}";
    struct driver *driver = begin_session_in_lobby(gallery, admin);
    driver_type(driver, "/mod\r");
    driver_answer(driver, "mod", desk);
    show_screen_state(gallery, "the desk", driver);
    driver_type(driver, "\r");
    if (driver_find_request(driver, "mod") != NULL) {
        driver_answer(driver, "mod", "{\"lines\":[\"<eve> BUY\"]}");
        show_screen_state(gallery, "the desk, a report", driver);
    }
    end_session(driver);
    driver = begin_session_in_lobby(gallery, admin);
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "mod", "step_up", "");
    show_screen_state(gallery, "confirming", driver);
    end_session(driver);
    driver = begin_session_in_lobby(gallery, admin);
    driver_type(driver, "/totp on\r");
    driver_answer(driver, "totp_begin",
                  "{\"secret\":\"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\",\"uri\":"
                  "\"otpauth://totp/Trickhouse:mira?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\"}");
    show_screen_state(gallery, "authenticator", driver);
    end_session(driver);
}

static void show_help(const struct gallery *gallery)
{
    struct driver *driver = begin_session_in_lobby(gallery, admin);
    type_keys_and_show_state(gallery, driver, "/help\r", "help");
    for (int page = 0; page < 12 && !gallery->setup.lines.is_on; page++) {
        type_keys_and_show_state(gallery, driver, "\x1b[6~", "help, further down");
    }
    end_session(driver);
    driver = begin_session_in_lobby(gallery, admin);
    for (size_t i = 0; command_list[i].name != NULL; i++) {
        char line[CAPTION_BYTES];
        snprintf(line, sizeof line, "/help %s\r", command_list[i].name);
        driver_type(driver, line);
        show_screen_state(gallery, line, driver);
    }
    end_session(driver);
}

/* Somebody has signed in with their recovery code and chooses a new password. */
static void show_settings_after_recovery(const struct gallery *gallery)
{
    static const char *const recovered =
        "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"
        "\"settings\":{},\"recovery\":\"BCDF-GHJK-MNPQ-RSTV\",\"is_recovered\":true}";
    struct driver *driver = begin_session_in_lobby(gallery, recovered);
    show_screen_state(gallery, "settings after a recovery", driver);
    driver_type(driver, "correct horse\rcorrect horse\r");
    driver_answer(driver, "password_set", NULL);
    show_screen_state(gallery, "settings, a password is set", driver);
    end_session(driver);
}

static void show_settings(const struct gallery *gallery)
{
    static const char *const yous[] = {player, admin, guest};
    for (size_t i = 0; i < ARRAY_LEN(yous); i++) {
        struct driver *driver = begin_session_in_lobby(gallery, yous[i]);
        type_keys_and_show_state(gallery, driver, "/settings\r", "settings");
        for (int down = 0; down < 12 && !gallery->setup.lines.is_on; down++) {
            type_keys_and_show_state(gallery, driver, "\x1b[B", "settings, further down");
        }
        end_session(driver);
    }
}

static void show_table_set_up(const struct gallery *gallery)
{
    for (uint8_t i = 0; i < game_count(); i++) {
        char line[CAPTION_BYTES];
        struct driver *driver = begin_session_in_lobby(gallery, player);
        snprintf(line, sizeof line, "/new %s\r", game_at(i)->id);
        type_keys_and_show_state(gallery, driver, line, line);
        for (int down = 0; down < 12 && !gallery->setup.lines.is_on; down++) {
            type_keys_and_show_state(gallery, driver, "\x1b[B", "set-up, further down");
        }
        snprintf(line, sizeof line, "/rules %s\r", game_at(i)->id);
        type_keys_and_show_state(gallery, driver, line, line);
        snprintf(line, sizeof line, "/rules %s full\r", game_at(i)->id);
        type_keys_and_show_state(gallery, driver, line, line);
        end_session(driver);
    }
}

void gallery_show_house(const struct gallery *gallery)
{
    show_sign_up(gallery);
    show_sign_up_by_key(gallery);
    show_lobby(gallery);
    show_people(gallery);
    show_moderators_screen(gallery);
    show_help(gallery);
    show_settings(gallery);
    show_settings_after_recovery(gallery);
    show_table_set_up(gallery);
}

/* Answers the oldest request: with success if is_granted, otherwise with a refusal. */
static void answer_oldest_request(struct driver *driver, bool is_granted)
{
    char type[CAPTION_BYTES];
    snprintf(type, sizeof type, "%s", driver_oldest_request_type(driver));
    if (is_granted) {
        driver_answer(driver, type, NULL);
    } else {
        driver_refuse(driver, type, "denied", "NO");
    }
}

static void run_command_and_show_states(const struct gallery *gallery, struct driver *driver,
                                        const char *line, bool is_granted)
{
    char caption[CAPTION_BYTES];
    snprintf(caption, sizeof caption, "%.*s, %s", (int)strcspn(line, "\r"), line,
             is_granted ? "done" : "refused");
    driver_type(driver, line);
    show_screen_state(gallery, caption, driver);
    for (int i = 0; i < 3 && driver_oldest_request_type(driver) != NULL; i++) {
        answer_oldest_request(driver, is_granted);
        show_screen_state(gallery, caption, driver);
    }
}

static bool command_ends_session(const struct command *command)
{
    static const char *const names[] = {"quit", "language", "plain", "ascii", NULL};
    return text_find_word(names, command->name) >= 0;
}

static void show_command_in_lobby_and_at_table(const struct gallery *gallery, const char *line,
                                               bool is_granted)
{
    struct driver *driver = begin_session_in_lobby(gallery, admin);
    run_command_and_show_states(gallery, driver, line, is_granted);
    end_session(driver);
    struct stage stage;
    struct driver_setup setup = gallery->setup;
    setup.you = admin;
    stage_init(&stage, &setup, game_at(0), 4, 0);
    stage_deal(&stage, 3);
    run_command_and_show_states(gallery, stage.driver, line, is_granted);
    stage_clear(&stage);
}

void gallery_show_commands(const struct gallery *gallery)
{
    static const char *const args[] = {"", "zzz", "bob 7 zzz", "7", "on"};
    for (size_t i = 0; command_list[i].name != NULL; i++) {
        for (size_t j = 0; j < 2 * ARRAY_LEN(args) && !command_ends_session(&command_list[i]);
             j++) {
            char line[CAPTION_BYTES];
            if (!environment_tries(2 * ARRAY_LEN(args) * i + j)) {
                continue;
            }
            snprintf(line, sizeof line, "/%s %s\r", command_list[i].name, args[j / 2]);
            show_command_in_lobby_and_at_table(gallery, line, j % 2 == 0);
        }
    }
}
