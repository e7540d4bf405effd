#include "daemon/screens/kernel/ui.h"
#include "tests/daemon/screens/samples.h"
#include "tests/daemon/screens/stage.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

/*
 * Somebody types anything, clicks anywhere, gives any command and resizes the window at any time,
 * in the lobby and during a game. No message or answer of the core breaks the session. Each byte of
 * the input chooses an act, and the bytes after it say how.
 */
#define ACTS_MAX 512

struct fuzz {
    const uint8_t *at, *end;
    struct stage stage;
    bool is_dealt;
};

static uint8_t next_byte(struct fuzz *fuzz)
{
    return fuzz->at < fuzz->end ? *fuzz->at++ : 0;
}

static void type_key(struct fuzz *fuzz)
{
    static const char *const keys[] = {"\r",     "\033",   "\t",     "\033[A",  "\033[B",  "\033[C",
                                       "\033[D", "\033[H", "\033[F", "\033[5~", "\033[6~", "\177",
                                       "\033[Z", "\x03",   "\x0c",   "q"};
    const char key[] = {(char)next_byte(fuzz), '\0'};
    uint8_t special = (uint8_t)key[0];
    driver_type(fuzz->stage.driver, special >= 0xF0 ? keys[special - 0xF0] : key);
}

/* Presses and releases a button, or turns the wheel. */
static void click(struct fuzz *fuzz)
{
    char click[64];
    int row = next_byte(fuzz) % 64 + 1, column = next_byte(fuzz) + 1;
    int button = row % 8 == 7 ? 64 : 0;
    (void)snprintf(click, sizeof(click), "\033[<%d;%d;%dM\033[<%d;%d;%dm", button, column, row,
                   button, column, row);
    driver_type(fuzz->stage.driver, click);
}

static void give_command(struct fuzz *fuzz)
{
    static const char *const arguments[] = {"",     "1",         "7",    "0",      "ada",
                                            "mira", "suppose",   "hund", "on",     "off",
                                            "4",    "oh-hell 5", "30",   "#lobby", "99999999999"};
    char line[128];
    size_t which = next_byte(fuzz), count = 0;
    while (command_list[count].name != NULL) {
        count++;
    }
    const struct command *command = &command_list[which < count ? which : which % 16];
    const char *argument = arguments[next_byte(fuzz) % ARRAY_LEN(arguments)];
    (void)snprintf(line, sizeof(line), "/%s %s\r", command->name, argument);
    driver_type(fuzz->stage.driver, line);
}

static void push_message(struct fuzz *fuzz)
{
    static const char *const messages[] = {
        "{\"t\":\"mine\",\"tables\":[{\"table\":7,\"turn\":true}]}",
        "{\"t\":\"chat\",\"channel\":\"tell\",\"from\":\"ada\",\"text\":\"hello\",\"n\":2}",
        "{\"t\":\"notice\",\"kind\":\"warn\",\"text\":\"careful\"}",
        "{\"t\":\"sent_out\",\"table\":7,\"why\":\"You are back in the lobby.\"}",
        "{\"t\":\"table\",\"id\":null}",
        "{\"t\":\"away\",\"since\":1}",
    };
    struct stage *stage = &fuzz->stage;
    uint8_t which = next_byte(fuzz);
    if (which % 8 < ARRAY_LEN(messages)) {
        driver_push(stage->driver, messages[which % 8]);
    } else if (which % 8 == ARRAY_LEN(messages)) {
        stage_push_table(stage, fuzz->is_dealt ? "playing" : "open");
    } else if (!fuzz->is_dealt) {
        stage_deal(stage, which);
        fuzz->is_dealt = true;
    } else if (!stage_make_random_move(stage)) {
        stage_push_result(stage);
        stage_deal(stage, which);
    }
}

static void answer_request(struct fuzz *fuzz)
{
    struct driver *driver = fuzz->stage.driver;
    const char *type = driver_oldest_request_type(driver);
    uint8_t how = next_byte(fuzz);
    if (type == NULL) {
        driver_wait(driver, how * 100);
        return;
    }
    char copy[64];
    (void)snprintf(copy, sizeof(copy), "%s", type);
    if (how % 4 == 0) {
        driver_refuse(driver, copy, how % 8 == 0 ? "confirm" : "started", "Not now.");
    } else {
        driver_answer(driver, copy, how % 4 == 1 ? "{\"table\":7,\"rows\":[]}" : NULL);
    }
}

static void act(struct fuzz *fuzz)
{
    switch (next_byte(fuzz) % 8) {
    case 0:
        click(fuzz);
        break;
    case 1:
        give_command(fuzz);
        break;
    case 2:
        driver_resize(fuzz->stage.driver, 20 + 2 * next_byte(fuzz), 10 + next_byte(fuzz) % 60);
        break;
    case 3:
        push_message(fuzz);
        break;
    case 4:
        answer_request(fuzz);
        break;
    default:
        type_key(fuzz);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct fuzz fuzz = {.at = bytes, .end = len == 0 ? bytes : bytes + len};
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    uint8_t begin = next_byte(&fuzz);
    const struct game_def *game = game_at(begin % game_count());
    stage_init(&fuzz.stage, &setup, game, game->seats_min > 2 ? game->seats_min : 3,
               (int8_t)(begin & 0x40 ? SPECTATOR : 0));
    samples_push_lobby(fuzz.stage.driver);
    for (int i = 0; i < ACTS_MAX && fuzz.at < fuzz.end; i++) {
        if (driver_is_session_over(fuzz.stage.driver)) {
            break;
        }
        act(&fuzz);
    }
    stage_clear(&fuzz.stage);
    return 0;
}
