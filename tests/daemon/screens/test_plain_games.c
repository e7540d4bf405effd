#include "tests/daemon/screens/driver.h"
#include "tests/daemon/screens/stage.h"

#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "games/card.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays every game to its end in plain mode, and checks that the session prints everything that the
 * views show, and nothing else. */

#define NAME_BYTES 120

static const struct theme told = {.is_ascii = true, .is_plain_mode = true};
static const struct driver_setup piped = {
    .lines = {.is_on = true, .is_piped = true, .is_read_aloud = true}};

static struct words make_words_for_game(const struct game_def *game)
{
    return (struct words){.theme = &told, .game = game, .you = SPECTATOR};
}

static void write_card_name(const struct game_def *game, uint8_t card, char name[NAME_BYTES])
{
    struct words words = make_words_for_game(game);
    struct text text = text_init(name, NAME_BYTES);
    words_write_card(&words, card, &text);
}

/* True if the text contains the words by themselves, not as part of other words. */
static bool contains_whole_words(const char *text, const char *words)
{
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++) {
        char before = at > text ? at[-1] : ' ';
        char after = at[strlen(words)];
        if (strchr(" (:\n", before) != NULL && strchr(" .,;:)\n", after) != NULL) {
            return true;
        }
    }
    return false;
}

/* True if the view, written as text, contains a card of this name. */
static bool is_card_in_view_text(const struct game_def *game, const char *name,
                                 const char *view_text)
{
    for (uint8_t card = 0; card < card_count(game->deck); card++) {
        char id[CARD_TEXT_MAX];
        char other[NAME_BYTES];
        struct text text = text_init(id, sizeof(id));
        card_write_name(game->deck, card, &text);
        write_card_name(game, card, other);
        if (id[0] != '\0' && strcmp(other, name) == 0 && strstr(view_text, id) != NULL) {
            return true;
        }
    }
    return false;
}

/* True if the game's board, which a game makes from the view alone, names a card of this name. */
static bool is_card_on_board(const struct game_view *view, const char *name)
{
    struct face_fact facts[FACE_BOARD_MAX];
    const struct game_face *face = view->game->face;
    uint8_t count = face->board != NULL ? face->board(view, NULL, facts) : 0;
    for (int i = 0; i < count * PHRASE_ARGS_MAX; i++) {
        const struct phrase_arg *arg = &facts[i / PHRASE_ARGS_MAX].value.args[i % PHRASE_ARGS_MAX];
        char other[NAME_BYTES] = "";
        if (arg->type == ARG_CARD) {
            write_card_name(view->game, (uint8_t)arg->number, other);
        }
        if (strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_only_visible_cards_are_printed(const struct stage *stage,
                                                 const struct game_view *before,
                                                 const struct game_view *now)
{
    static char was[VIEW_TEXT_MAX];
    static char is[VIEW_TEXT_MAX];
    const struct deck_def *deck = stage->game->deck;
    struct text text = text_init(was, sizeof(was));
    view_write(before, &text);
    text = text_init(is, sizeof(is));
    view_write(now, &text);
    for (uint8_t card = 0; card < card_count(deck); card++) {
        char name[NAME_BYTES];
        write_card_name(stage->game, card, name);
        bool is_seen = is_card_in_view_text(stage->game, name, was) ||
                       is_card_in_view_text(stage->game, name, is) || is_card_on_board(now, name);
        if (!is_seen && contains_whole_words(driver_read_output(stage->driver), name)) {
            printf("---- heard\n%s----\n", driver_read_output(stage->driver));
            fail_msg("%s cannot be seen", name);
        }
    }
}

static void expect_plays_were_printed(const struct stage *stage, const struct view_trick *trick,
                                      uint8_t first_play)
{
    for (uint8_t i = first_play; i < trick->count; i++) {
        static const char *const verbs[2][2] = {{"play", "plays"}, {"lead", "leads"}};
        char name[NAME_BYTES];
        bool is_printed = false;
        write_card_name(stage->game, trick->plays[i].card, name);
        for (int form = 0; form < 4; form++) {
            char line[2 * NAME_BYTES];
            snprintf(line, sizeof(line), "%s %s%c", verbs[i == 0][form & 1], name,
                     form < 2 ? '.' : ':');
            is_printed |= strstr(driver_read_output(stage->driver), line) != NULL;
        }
        if (!is_printed) {
            fail_msg("%s was not printed", name);
        }
    }
}

/* Asserts that everything that happened between the two views was printed. */
static void check_all_events_are_printed(const struct stage *stage, const struct game_view *before,
                                         const struct game_view *now)
{
    bool is_same = before->round == now->round;
    uint8_t from = before->trick.count;
    for (uint8_t i = before->past_count; is_same && i < now->past_count; i++) {
        expect_plays_were_printed(stage, &now->past[i], from);
        driver_expect_output(stage->driver, "the trick: ");
        from = 0;
    }
    if (!is_same) {
        expect_plays_were_printed(stage, &now->last_trick, from);
        driver_expect_output(stage->driver, "is over.");
        from = 0;
    }
    expect_plays_were_printed(stage, &now->trick, from);
    for (uint8_t seat = 0; is_same && now->has_bids && seat < now->seats; seat++) {
        if (before->bids[seat] != now->bids[seat]) {
            char line[NAME_BYTES];
            snprintf(line, sizeof(line), seat == now->seat ? "You bid %d" : " bids %d",
                     now->bids[seat]);
            driver_expect_output(stage->driver, line);
        }
    }
    if (view_viewer_may_move(now) && !view_viewer_may_move(before)) {
        driver_expect_output(stage->driver, "Your turn: ");
    }
}

/* Types the line, and returns whether the session then requests exactly this move. Refuses the
 * request. */
static bool does_line_request_move(struct stage *stage, const char *line, uint8_t move)
{
    char written[MOVE_TEXT_MAX];
    struct text text = text_init(written, sizeof(written));
    game_move_write(stage->game, move, &text);
    driver_type(stage->driver, line);
    driver_type(stage->driver, "\r");
    const json_t *sent = driver_find_request(stage->driver, "move");
    bool is_made =
        sent != NULL && strcmp(json_string_value(json_object_get(sent, "move")), written) == 0;
    if (sent != NULL) {
        driver_refuse(stage->driver, "move", "later", "Not yet.");
    }
    return is_made;
}

/* Types every legal move as histories write it, and checks that the session requests this move. */
static void check_every_move_can_be_typed(struct stage *stage, const struct game_view *view)
{
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        char written[MOVE_TEXT_MAX];
        struct text text = text_init(written, sizeof(written));
        game_move_write(stage->game, move, &text);
        if (!does_line_request_move(stage, written, move)) {
            fail_msg("%s cannot be typed", written);
        }
    }
}

/* If the typed number stands for a card of the hand, checks that the move plays that card. */
static void check_move_plays_numbered_card(const struct game_view *view, int number, uint8_t move)
{
    uint8_t slots[SLOTS_MAX];
    bool keeps_slots = false;
    uint8_t count = hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
    uint8_t pointed = number > 0 && number <= count
                          ? view->game->face->point(view, slots[number - 1])
                          : MOVE_NONE;
    if (pointed != MOVE_NONE) {
        assert_int_equal(move, pointed);
    }
}

/* Types every number. Checks that each number that makes a move makes a legal one, and that no two
 * make the same move. */
static void check_typed_numbers_make_moves(struct stage *stage, const struct game_view *view)
{
    struct move_set made = move_set_empty();
    for (int number = 0; number <= MOVES_MAX; number++) {
        char line[16];
        snprintf(line, sizeof(line), "%d\r", number);
        driver_type(stage->driver, line);
        const json_t *sent = driver_find_request(stage->driver, "move");
        if (sent != NULL) {
            uint8_t move =
                game_move_parse(stage->game, json_string_value(json_object_get(sent, "move")));
            assert_true(move_set_has(&view->legal, move));
            check_move_plays_numbered_card(view, number, move);
            assert_false(move_set_has(&made, move));
            move_set_add(&made, move);
            driver_refuse(stage->driver, "move", "later", "Not yet.");
        } else if (driver_find_request(stage->driver, "say") != NULL) {
            driver_answer(stage->driver, "say", NULL);
        }
    }
    /* An order of suits is typed as letters. */
    assert_true((move_set_count(&made) > 0) == !order_is_asked(view));
}

static void every_move_of_every_game_can_be_typed(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        struct stage stage;
        static struct game_view view;
        stage_init(&stage, &piped, game, game->seats_max, 0);
        stage_deal(&stage, 1);
        for (uint8_t phase = 0; phase < game->phase_count; phase++) {
            if (stage_play_until_turn(&stage, phase)) {
                stage_write_view(&stage, &view);
                check_every_move_can_be_typed(&stage, &view);
                check_typed_numbers_make_moves(&stage, &view);
            } else {
                stage_deal(&stage, 1);
            }
        }
        stage_clear(&stage);
    }
}

/* True if the text counts one thing with a noun in the plural, as in "1 tricks" or "-1 points". */
static bool counts_one_thing_in_plural(const char *text)
{
    static const char *const verbs[] = {"is",    "was",   "has",  "wins",  "bids",  "takes",
                                        "leads", "plays", "plus", "minus", "begins"};
    for (const char *at = text; (at = strstr(at, "1 ")) != NULL; at++) {
        size_t len = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz");
        bool is_word = len > 2 && at[1 + len] == 's' && at[len] != 's';
        for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
            is_word &= strlen(verbs[i]) != len || strncmp(verbs[i], at + 2, len) != 0;
        }
        if (is_word && (at == text || strchr("0123456789.,", at[-1]) == NULL)) {
            return true;
        }
    }
    return false;
}

/* True if a list of cards gives a card as a mere number after its place: "3 1" for a card of which
 * only its value is known. */
static bool lists_card_as_mere_number(const char *line)
{
    bool is_list = strncmp(line, "Your cards: ", 12) == 0 || strncmp(line, "Cards of ", 9) == 0 ||
                   strncmp(line, "You can choose ", 15) == 0;
    for (const char *at = is_list ? strchr(line, ' ') : NULL; at != NULL;
         at = strchr(at + 1, ' ')) {
        size_t place = strspn(at + 1, "0123456789");
        size_t value = at[1 + place] == ' ' ? strspn(at + 2 + place, "0123456789") : 0;
        bool begins = at[-1] == ',' || at[-1] == ':' || at[-1] == 'e';
        if (begins && place > 0 && value > 0 && strchr(",.", at[2 + place + value]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Asserts that printed sentences make sense: no plural for one thing, no "?" in a headline, no
 * sentence that ends twice, no card that is only a number, no player who gives a clue about their
 * own cards. */
static void check_wording_of_output(const struct stage *stage)
{
    char *heard = strdup(driver_read_output(stage->driver));
    assert_non_null(heard);
    for (char *rest = heard, *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *tells = strstr(line, " tells: ");
        size_t name = tells == NULL ? 0 : (size_t)(tells - line);
        bool tells_own = tells != NULL && strncmp(tells + strlen(" tells: "), line, name) == 0;
        bool is_unknown = strstr(line, "Now ") == line && strstr(line, "?") != NULL;
        if (counts_one_thing_in_plural(line) || lists_card_as_mere_number(line) ||
            strstr(line, "?.") != NULL || tells_own || is_unknown ||
            strstr(line, "(null)") != NULL) {
            fail_msg("no sense: %s", line);
        }
    }
    free(heard);
}

static void play_game_and_check_output(const struct game_def *game, uint8_t player_count,
                                       int8_t own_seat)
{
    struct stage stage;
    static struct game_view before;
    static struct game_view now;
    stage_init(&stage, &piped, game, player_count, own_seat);
    stage_deal(&stage, player_count);
    stage_write_view(&stage, &before);
    check_only_visible_cards_are_printed(&stage, &before, &before);
    driver_expect_output(stage.driver, game->title);
    bool is_printed = getenv("PLAIN_PRINT") != NULL;
    do {
        stage_write_view(&stage, &now);
        check_only_visible_cards_are_printed(&stage, &before, &now);
        check_all_events_are_printed(&stage, &before, &now);
        check_wording_of_output(&stage);
        if (is_printed) {
            fputs(driver_read_output(stage.driver), stdout);
        }
        assert_null(strchr(driver_read_output(stage.driver), 0x1B));
        driver_forget_output(stage.driver);
        before = now;
    } while (stage_make_random_move(&stage));
    stage_push_result(&stage);
    driver_expect_output(stage.driver, "The game is over.");
    driver_expect_output(stage.driver, "The deal was fair");
    check_wording_of_output(&stage);
    if (is_printed) {
        fputs(driver_read_output(stage.driver), stdout);
    }
    stage_clear(&stage);
}

static void plain_mode_prints_exactly_what_the_view_of_every_game_shows(void **state)
{
    (void)state;
    assert_int_not_equal(game_count(), 0);
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        const int8_t seats[] = {0, SPECTATOR, SPECTATOR, 1};
        for (uint8_t at = 0; at < 4; at++) {
            if (environment_tries(4U * i + at)) {
                play_game_and_check_output(game, at < 2 ? game->seats_min : game->seats_max,
                                           seats[at]);
            }
        }
    }
}

static void a_refused_line_is_followed_by_what_can_be_typed(void **state)
{
    (void)state;
    static const struct {
        const char *game, *line, *help;
    } cases[] = {
        {"oh-hell", "bid", "Type a number from 0 to 10."},
        {"oh-hell", "11", "Type a number from 0 to 10."},
        {"suppose", "BG", "Type the colours from left to right"},
        {"suppose", "red red blue green", "Type the colours from left to right"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct stage stage;
        stage_init(&stage, &piped, game_find(cases[i].game), 3, 0);
        stage_deal(&stage, 3);
        assert_true(stage_play_until_turn(&stage, 0));
        driver_forget_output(stage.driver);
        driver_type(stage.driver, cases[i].line);
        driver_type(stage.driver, "\n");
        driver_expect_output(stage.driver, "was not said");
        driver_expect_output(stage.driver, cases[i].help);
        assert_null(driver_find_request(stage.driver, "say"));
        assert_null(driver_find_request(stage.driver, "move"));
        stage_clear(&stage);
    }
}

static void the_first_round_is_told_from_its_beginning(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, &piped, game_find("hund"), 3, 0);
    stage_deal(&stage, 3);
    driver_expect_output(stage.driver, "Round 1 of 5 begins.");
    driver_expect_output(stage.driver, " give the roles.");
    driver_expect_output(stage.driver, " this round.");
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "/look\n");
    driver_expect_no_output(stage.driver, "Round 1 of 5 begins.");
    stage_clear(&stage);
}

static void enter_sums_up_the_round_and_what_the_player_has(void **state)
{
    (void)state;
    struct stage stage;
    stage_init(&stage, &piped, game_find("oh-hell"), 3, 0);
    stage_deal(&stage, 3);
    assert_true(stage_play_until_turn(&stage, 1));
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\r");
    driver_expect_output(stage.driver, "round 1 of 19, trick 1 of 10, trump ");
    driver_expect_output(stage.driver, "You: bid ");
    driver_expect_output(stage.driver, "You can choose ");
    while (stage_make_random_move(&stage)) {
    }
    stage_push_result(&stage);
    driver_forget_output(stage.driver);
    driver_type(stage.driver, "\r");
    driver_expect_output(stage.driver, "The game is over.");
    driver_expect_output(stage.driver, "/rematch");
    stage_clear(&stage);
}

TEST_GROUP(plain_games)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_of_every_game_can_be_typed),
        cmocka_unit_test(plain_mode_prints_exactly_what_the_view_of_every_game_shows),
        cmocka_unit_test(a_refused_line_is_followed_by_what_can_be_typed),
        cmocka_unit_test(the_first_round_is_told_from_its_beginning),
        cmocka_unit_test(enter_sums_up_the_round_and_what_the_player_has),
    };
    return cmocka_run_group_tests_name("plain games", tests, NULL, NULL);
}
