#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "reach.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A hurried typist plays whole games: Enter after every key, digits too early and too late, words
 * at one's turn, whole sentences, q, X and Esc at random. The test acts as the core, and checks
 * there that nothing was said that was meant as a move, that no move was made that was not meant,
 * and that nothing ended without an answer to a question.
 *
 * HURRIED_GAMES sets the number of games of each kind (2), HURRIED_SEED the first seed, and
 * HURRIED_SHOW=1 prints the minute with the most refused keys.
 */
#define GAMES_USUAL 2
#define EVENTS_MAX 4096
#define EVENT_BYTES 160
#define MINUTE_MS 60000
#define MOVES_MOST 4000

struct event {
    int64_t at_ms;
    bool is_refusal;
    char text[EVENT_BYTES];
};

struct typist {
    struct stage stage;
    struct quick_random random;
    char meant_move[MOVE_TEXT_MAX]; /* the move that the typist means to make now; "": none */
    char meant_talk[EVENT_BYTES];   /* what the typist means to say now; "": nothing */
    struct event events[EVENTS_MAX];
    int event_count;
    int moves_made, talk_made, refusals;
};

static uint32_t pick(struct typist *typist, uint32_t below)
{
    return quick_random_draw_below(&typist->random, below);
}

static int read_number_setting(const char *name, int usual)
{
    const char *text = getenv(name);
    return text != NULL ? (int)strtol(text, NULL, 10) : usual;
}

static void note_event(struct typist *typist, bool is_refusal, const char *what, const char *text)
{
    if (typist->event_count == EVENTS_MAX) {
        return;
    }
    struct event *event = &typist->events[typist->event_count++];
    event->at_ms = driver_clock_ms(typist->stage.driver);
    event->is_refusal = is_refusal;
    int len = snprintf(event->text, sizeof(event->text), "%s", what);
    for (; *text != '\0' && len + 6 < EVENT_BYTES; text++) {
        bool is_plain = (unsigned char)*text >= ' ' && *text != 0x7F;
        len += snprintf(event->text + len, sizeof(event->text) - (size_t)len,
                        is_plain ? "%c" : "\\x%02x", (unsigned char)*text);
    }
    typist->refusals += is_refusal;
}

static void fail_with_transcript(struct typist *typist, const char *why, const char *what)
{
    int first = typist->event_count > 25 ? typist->event_count - 25 : 0;
    for (int i = first; i < typist->event_count; i++) {
        printf("%s\n", typist->events[i].text);
    }
    driver_print_screen(typist->stage.driver, why);
    fail_msg("%s: %s", why, what);
}

static const char *get_field(const json_t *request, const char *field)
{
    return json_string_value(json_object_get(request, field));
}

/* Checks what the session asked of the core. Returns true if a move was sent. */
static bool check_requests(struct typist *typist)
{
    struct driver *driver = typist->stage.driver;
    const char *type;
    bool is_move = false;
    while ((type = driver_oldest_request_type(driver)) != NULL && !is_move) {
        const json_t *request = driver_find_request(driver, type);
        if (strcmp(type, "say") == 0) {
            if (strcmp(get_field(request, "text"), typist->meant_talk) != 0) {
                fail_with_transcript(typist, "said, but not meant", get_field(request, "text"));
            }
            typist->talk_made++;
            typist->meant_talk[0] = '\0';
            driver_answer(driver, "say", NULL);
        } else if (strcmp(type, "move") == 0) {
            if (strcmp(get_field(request, "move"), typist->meant_move) != 0) {
                fail_with_transcript(typist, "played, but not meant", get_field(request, "move"));
            }
            is_move = true;
        } else {
            fail_with_transcript(typist, "nobody was asked before", type);
        }
    }
    return is_move;
}

/* Returns the refusal that the screen shows; NULL if it shows none. */
static const char *find_shown_refusal(struct driver *driver)
{
    static const char *const refusals[] = {"does nothing here", "came too early", "is no choice",
                                           "was not said", "Not your turn yet"};
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        if (driver_shows(driver, refusals[i])) {
            return refusals[i];
        }
    }
    return NULL;
}

static void type_keys(struct typist *typist, const char *keys)
{
    struct driver *driver = typist->stage.driver;
    const char *before = find_shown_refusal(driver);
    note_event(typist, false, "types ", keys);
    driver_type(driver, keys);
    const char *refusal = find_shown_refusal(driver);
    if (refusal != NULL && refusal != before) {
        note_event(typist, true, "  is told: ", refusal);
    }
}

/* Closes what noise may have left open: a question, a typed line, another screen, a half number. */
static void calm_down(struct typist *typist)
{
    static const char *const closed_by_escape[] = {"Esc empty the line", "Esc stay"};
    struct driver *driver = typist->stage.driver;
    for (int i = 0; i < 6; i++) {
        bool is_open = false;
        for (size_t j = 0; j < ARRAY_LEN(closed_by_escape); j++) {
            is_open |= driver_shows(driver, closed_by_escape[j]);
        }
        if (is_open) {
            type_keys(typist, "\x1b");
        } else if (strcmp(driver_screen_name(driver), "table") != 0) {
            type_keys(typist, "q");
        } else {
            type_keys(typist, "\x7f\x7f"); /* answers a question with no, and erases digits */
            return;
        }
    }
    fail_with_transcript(typist, "nothing leads back to the table", driver_screen_name(driver));
}

/* Types a sentence as talk, at any moment. */
static void say_sentence(struct typist *typist)
{
    static const char *const sentences[] = {"well played", "bid high, lead low", "3 more rounds?",
                                            "one moment please", "quite a hand"};
    const char *words = sentences[pick(typist, ARRAY_LEN(sentences))];
    char keys[EVENT_BYTES];
    calm_down(typist);
    driver_wait(typist->stage.driver, 3000); /* no trick is shown that a space bar would skip */
    snprintf(typist->meant_talk, sizeof(typist->meant_talk), "%s", words);
    snprintf(keys, sizeof(keys), "%s%s\r", pick(typist, 2) == 0 ? "c" : " ", words);
    type_keys(typist, keys);
    assert_false(check_requests(typist));
    if (typist->meant_talk[0] != '\0') {
        fail_with_transcript(typist, "meant, but not said", words);
    }
}

/* Types something that must decide nothing: it is not the typist's turn, or it comes at the moment
 * in which the screen changes. */
static void type_noise_out_of_turn(struct typist *typist)
{
    static const char *const noise[] = {"\r",    "1",     "2\x1b",     "3",    "0",      "9\x1b",
                                        "c3\r",  "c12\r", "cplay 1\r", "\x1b", "z",      "j",
                                        "h",     "q\r",   "X\r",       "X1",   "q7\x1b", "t",
                                        "s\x1b", "w",     "i",         "i",    ","};
    const char *keys = noise[pick(typist, ARRAY_LEN(noise))];
    type_keys(typist, keys);
    if (check_requests(typist)) {
        fail_with_transcript(typist, "noise made a move", keys);
    }
    /* the same digit twice, or Enter after it, would choose that card for the next turn */
    calm_down(typist);
}

/* Types words at one's turn that no key means, and keys that ask first. */
static void type_noise_in_turn(struct typist *typist)
{
    static const char *const noise[] = {"q\r",
                                        "X\r",
                                        "q\x1b",
                                        "Xn",
                                        "c\x1b",
                                        "c77\r",
                                        "c88,99\r",
                                        "/help\r\x1b",
                                        "s\x1b",
                                        "\x1b",
                                        "w",
                                        "t\r",
                                        "hello\r",
                                        "gg\r",
                                        "lol\r",
                                        "haha\r\x1b",
                                        "thanks\r\x1b",
                                        "good\r",
                                        "quitting\r\x1b",
                                        "yeah\r",
                                        "omg\r\x1b",
                                        "hm\r\x1b"};
    const char *keys = noise[pick(typist, ARRAY_LEN(noise))];
    type_keys(typist, keys);
    if (check_requests(typist)) {
        fail_with_transcript(typist, "noise made a move", keys);
    }
    calm_down(typist);
}

/* Types Enter and digits in the moment in which the screen changes. */
static void type_burst_too_late(struct typist *typist)
{
    static const char *const bursts[] = {"\r", "1", "2\r", "33", "\r\r", "0"};
    const char *keys = bursts[pick(typist, ARRAY_LEN(bursts))];
    note_event(typist, false, "types, too late: ", keys);
    driver_type_too_late(typist->stage.driver, keys);
    if (check_requests(typist)) {
        fail_with_transcript(typist, "a key for the old screen made a move", keys);
    }
    calm_down(typist);
}

/* Makes a random legal move as hurried people do: by its keys or as a line, with an Enter too many.
 */
static void make_move(struct typist *typist)
{
    struct stage *stage = &typist->stage;
    struct game_view view;
    stage_write_view(stage, &view);
    uint8_t move = policy_random_move(&view, &stage->config, &typist->random);
    struct text text = text_init(typist->meant_move, sizeof(typist->meant_move));
    game_move_write(stage->game, move, &text);
    driver_wait(stage->driver, 1300); /* the finished trick of the last round has been seen */
    driver_wait(stage->driver, 300);
    note_event(typist, false, "means ", typist->meant_move);
    if (pick(typist, 3) == 0) {
        char line[EVENT_BYTES];
        snprintf(line, sizeof(line), "c%s\r", typist->meant_move);
        type_keys(typist, line);
    } else {
        reach_make_move_with_keys(stage, move);
    }
    type_keys(typist, "\r");
    if (!check_requests(typist)) {
        fail_with_transcript(typist, "meant, but not played", typist->meant_move);
    }
    typist->moves_made++;
    typist->meant_move[0] = '\0';
    driver_answer(stage->driver, "move", NULL);
    stage_make_move(stage, (uint8_t)stage->you, move);
    if (pick(typist, 2) == 0) {
        type_burst_too_late(typist);
    }
}

static void play_hurriedly(struct typist *typist, const struct game_def *game, uint32_t seed)
{
    const struct driver_setup setup = {.columns = 80, .rows = 24};
    struct stage *stage = &typist->stage;
    struct game_view view;
    stage_init(stage, &setup, game, (uint8_t)(game->seats_min > 2 ? game->seats_min : 3), 0);
    stage_deal(stage, seed);
    for (int i = 0; i < MOVES_MOST; i++) {
        stage_write_view(stage, &view);
        if (pick(typist, 12) == 0) {
            say_sentence(typist);
        }
        if (view_viewer_may_move(&view)) {
            if (pick(typist, 3) == 0) {
                type_noise_in_turn(typist);
            }
            make_move(typist);
            continue;
        }
        if (pick(typist, 2) == 0) {
            type_noise_out_of_turn(typist);
        }
        if (!stage_make_random_move(stage)) {
            return;
        }
    }
    fail_msg("the game does not end");
}

/* Prints the minute in which most keys were refused. */
static void print_worst_minute(const struct typist *typist, const char *title)
{
    int worst = 0, worst_count = -1;
    for (int i = 0; i < typist->event_count; i++) {
        int count = 0;
        for (int j = i; j < typist->event_count &&
                        typist->events[j].at_ms < typist->events[i].at_ms + MINUTE_MS;
             j++) {
            count += typist->events[j].is_refusal;
        }
        worst = count > worst_count ? i : worst;
        worst_count = count > worst_count ? count : worst_count;
    }
    printf("---- %s: %d keys refused in the worst minute\n", title, worst_count);
    for (int i = worst; i < typist->event_count &&
                        typist->events[i].at_ms < typist->events[worst].at_ms + MINUTE_MS;
         i++) {
        printf("%6.1f s  %s\n",
               (double)(typist->events[i].at_ms - typist->events[worst].at_ms) / 1000,
               typist->events[i].text);
    }
}

static void a_hurried_typist_says_and_plays_nothing_unmeant(void **state)
{
    (void)state;
    int games = read_number_setting("HURRIED_GAMES", GAMES_USUAL);
    uint32_t seed = (uint32_t)read_number_setting("HURRIED_SEED", 1);
    for (uint8_t kind = 0; kind < game_count(); kind++) {
        int moves = 0, talk = 0, refusals = 0;
        for (int i = 0; i < games; i++, seed++) {
            struct typist *typist = calloc(1, sizeof(*typist));
            assert_non_null(typist);
            quick_random_init(&typist->random, seed);
            play_hurriedly(typist, game_at(kind), seed);
            moves += typist->moves_made;
            talk += typist->talk_made;
            refusals += typist->refusals;
            if (getenv("HURRIED_SHOW") != NULL) {
                print_worst_minute(typist, game_at(kind)->title);
            }
            stage_clear(&typist->stage);
            free(typist);
        }
        assert_true(moves > 0 && refusals > 0 && (talk > 0 || games < GAMES_USUAL));
    }
}

TEST_GROUP(hurried)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hurried_typist_says_and_plays_nothing_unmeant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
