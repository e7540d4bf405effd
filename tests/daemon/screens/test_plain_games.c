#include "tests/daemon/screens/driver.h"
#include "tests/daemon/screens/stage.h"

#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_typed.h"
#include "games/card.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
                       is_card_in_view_text(stage->game, name, is);
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
        char name[NAME_BYTES];
        char line[2 * NAME_BYTES];
        write_card_name(stage->game, trick->plays[i].card, name);
        snprintf(line, sizeof(line), "%s %s.", i == 0 ? "lead" : "play", name);
        char *others = strdup(line);
        assert_non_null(others);
        snprintf(line, sizeof(line), "%s %s.", i == 0 ? "leads" : "plays", name);
        if (strstr(driver_read_output(stage->driver), others) == NULL) {
            driver_expect_output(stage->driver, line);
        }
        free(others);
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
            snprintf(line, sizeof(line), " %d.", now->bids[seat]);
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
    uint8_t count = typed_list_numbered_slots(view, slots);
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
    assert_true(move_set_count(&made) > 0);
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
    static const char *const verbs[] = {"is",    "was",   "has",   "wins", "bids",
                                        "takes", "leads", "plays", "plus", "minus"};
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

/* Asserts that printed sentences make sense: no plural for one thing, no "?" in a headline, no
 * player who gives a clue about their own cards. */
static void check_wording_of_output(const struct stage *stage)
{
    char *heard = strdup(driver_read_output(stage->driver));
    assert_non_null(heard);
    for (char *rest = heard, *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *tells = strstr(line, " tells: ");
        size_t name = tells == NULL ? 0 : (size_t)(tells - line);
        bool tells_own = tells != NULL && strncmp(tells + strlen(" tells: "), line, name) == 0;
        bool is_unknown = strstr(line, "Now ") == line && strstr(line, "?") != NULL;
        if (counts_one_thing_in_plural(line) || tells_own || is_unknown ||
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
        play_game_and_check_output(game, game->seats_min, 0);
        play_game_and_check_output(game, game->seats_min, SPECTATOR);
        play_game_and_check_output(game, game->seats_max, SPECTATOR);
        play_game_and_check_output(game, game->seats_max, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_of_every_game_can_be_typed),
        cmocka_unit_test(plain_mode_prints_exactly_what_the_view_of_every_game_shows),
    };
    return cmocka_run_group_tests_name("plain games", tests, NULL, NULL);
}
