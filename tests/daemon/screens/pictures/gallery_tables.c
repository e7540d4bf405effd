#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "gallery.h"

#include "daemon/screens/table/table_state.h"
#include "games/history.h"
#include "tests/daemon/screens/stage.h"
#include "tests/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPTION_BYTES 200
#define STEPS_LOOKED_AT 40
#define ROUNDS_LOOKED_AT 2

/* A table that the gallery shows, with its game. */
struct shown_table {
    const struct gallery *gallery;
    struct stage stage;
};

static void show_screen_state(struct shown_table *shown_table, const char *caption_end)
{
    char caption[CAPTION_BYTES];
    snprintf(caption, sizeof caption, "%s, %d players: %s", shown_table->stage.game->id,
             (int)shown_table->stage.config.players, caption_end);
    shown_table->gallery->look(shown_table->gallery->context, caption, shown_table->stage.driver);
}

static void type_keys_and_show_state(struct shown_table *shown_table, const char *keys,
                                     const char *caption_end)
{
    driver_type(shown_table->stage.driver, keys);
    show_screen_state(shown_table, caption_end);
}

static void enter_shown_table(struct shown_table *shown_table, const struct gallery *gallery,
                              const struct game_def *game, uint8_t player_count, int8_t own_seat)
{
    shown_table->gallery = gallery;
    stage_init(&shown_table->stage, &gallery->setup, game, player_count, own_seat);
    shown_table->stage.has_long_names = true;
    stage_push_table(&shown_table->stage, "open");
}

/* Shows a hand whose suits are put in order, then a choice of two numbers while it is typed, then
 * the wait for the other players. Does nothing in games without such moves. */
static void show_suits_put_in_order(struct shown_table *shown_table)
{
    struct stage *stage = &shown_table->stage;
    struct game_view view;
    stage_deal(stage, 3);
    stage_write_view(stage, &view);
    if (!order_is_asked(&view) || shown_table->gallery->setup.lines.is_on) {
        return;
    }
    type_keys_and_show_state(shown_table, "12", "two suits swapped");
    type_keys_and_show_state(shown_table, "\x1b[C", "a suit picked");
    stage_make_move(stage, 0, move_set_next(&view.legal, 0));
    show_screen_state(shown_table, "the order is chosen");
    type_keys_and_show_state(shown_table, "10", "a number typed");
    type_keys_and_show_state(shown_table, ",", "the second number is missing");
    type_keys_and_show_state(shown_table, "11", "two numbers typed");
    stage_write_view(stage, &view);
    stage_make_move(stage, 0, move_set_next(&view.legal, 0));
    show_screen_state(shown_table, "waiting for the others");
}

/* Shows a hint at the table, where it is the viewer's turn. */
static void show_hint(struct shown_table *shown_table)
{
    stage_push_table_and_view(&shown_table->stage, "{\"is_rated\":false}", NULL);
    type_keys_and_show_state(shown_table, "/hint\r", "a hint");
    stage_push_table_and_view(&shown_table->stage, NULL, NULL);
}

static void show_viewers_turn_in_each_phase(struct shown_table *shown_table)
{
    struct stage *stage = &shown_table->stage;
    for (uint8_t phase = 0; phase < stage->game->phase_count; phase++) {
        stage_deal(stage, 3);
        if (stage_play_until_turn(stage, phase)) {
            driver_wait(stage->driver, 1300);
            show_screen_state(shown_table, "your turn");
            show_hint(shown_table);
            type_keys_and_show_state(shown_table, "/look\r", "after /look");
            type_keys_and_show_state(shown_table, "/scores\r", "the sheet");
            driver_type(stage->driver, "\x1b");
            driver_wait(stage->driver, 1300);
        }
    }
}

static void show_halted_game(struct shown_table *shown_table)
{
    static const char *const halts[] = {
        "{\"halt\":\"pause\"}",
        "{\"asks\":{\"pause\":[2],\"adjourn\":[],\"resume\":[]}}",
        "{\"halt\":\"adjourn\",\"asks\":{\"resume\":[0]}}",
        "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true}",
        "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true,\"resume_by\":1795000000000}",
    };
    for (size_t i = 0; i < ARRAY_LEN(halts); i++) {
        stage_push_table_and_view(&shown_table->stage, halts[i],
                                  "{\"clock\":{\"left_ms\":17000,\"of_ms\":30000}}");
        driver_wait(shown_table->stage.driver, 1300);
        show_screen_state(shown_table, "a halt");
    }
    stage_push_table_and_view(&shown_table->stage, NULL, NULL);
}

/* Shows a request for a pause at each turn of the viewer in the first round, because the last row
 * shows different keys for each number of cards in the hand. */
static void show_pause_request(struct shown_table *shown_table)
{
    struct game_view view;
    stage_write_view(&shown_table->stage, &view);
    if (view.round == 1 && view_viewer_may_move(&view)) {
        stage_push_table_and_view(&shown_table->stage,
                                  "{\"asks\":{\"pause\":[2],\"adjourn\":[],\"resume\":[]}}", NULL);
        driver_wait(shown_table->stage.driver, 1300);
        show_screen_state(shown_table, "a pause is asked for");
        stage_push_table_and_view(&shown_table->stage, NULL, NULL);
    }
}

/* Shows the stop after each of the first rounds, in the ways in which the table can wait. */
static void show_stop_after_round(struct shown_table *shown_table)
{
    static const char *const stops[] = {
        "{\"halt\":\"round\",\"awaited\":[0]}",
        "{\"halt\":\"round\",\"awaited\":[0],\"resume_in\":17000}",
        "{\"halt\":\"round\",\"awaited\":[0,1],\"resume_in\":17000}",
        "{\"halt\":\"round\",\"awaited\":[1],\"resume_in\":17000}",
        "{\"halt\":\"round\",\"awaited\":[1]}",
    };
    struct stage *stage = &shown_table->stage;
    for (size_t i = 0; i < ARRAY_LEN(stops); i++) {
        stage_push_table_and_view(stage, stops[i], NULL);
        driver_wait(stage->driver, 1300);
        show_screen_state(shown_table, "the end of a round");
    }
    stage_push_table_and_view(stage, NULL, NULL);
}

static void show_whole_game(struct shown_table *shown_table)
{
    struct stage *stage = &shown_table->stage;
    stage_deal(stage, 3);
    size_t rounds = 0;
    for (int i = 0; stage_make_random_move(stage); i++) {
        show_pause_request(shown_table);
        if (json_array_size(stage->sheet) > rounds) {
            rounds = json_array_size(stage->sheet);
            if (rounds <= ROUNDS_LOOKED_AT) {
                show_stop_after_round(shown_table);
            }
        }
        if (i < STEPS_LOOKED_AT) {
            show_screen_state(shown_table, "a move");
            driver_wait(stage->driver, 1300);
            show_screen_state(shown_table, "after a move");
        }
    }
    driver_wait(stage->driver, 9000);
    show_screen_state(shown_table, "the last round");
    driver_type(stage->driver, " ");
    stage_push_result(stage);
    driver_wait(stage->driver, 9000);
    driver_type(stage->driver, " ");
    show_screen_state(shown_table, "result");
    type_keys_and_show_state(shown_table, "/look\r", "result, after /look");
    type_keys_and_show_state(shown_table, "/story\r", "the story of the game");
    driver_type(stage->driver, shown_table->gallery->setup.lines.is_on ? "" : "\x1b");
    driver_wait(stage->driver, 1300);
}

static void show_replay(struct shown_table *shown_table)
{
    struct stage *stage = &shown_table->stage;
    driver_type(stage->driver, "/replay 812\r");
    stage_answer_with_record(stage);
    assert_false(driver_shows(stage->driver, _("This game cannot be shown: q goes back.")));
    show_screen_state(shown_table, "replay");
    for (int i = 0; i < 12; i++) {
        type_keys_and_show_state(shown_table,
                                 shown_table->gallery->setup.lines.is_on ? "\r" : "\x1b[C",
                                 "replay, a step");
        if (i % 4 == 0) {
            type_keys_and_show_state(shown_table, "/hint\r", "replay, a hint");
        }
    }
}

static void show_game_as_player(const struct gallery *gallery, const struct game_def *game,
                                uint8_t player_count)
{
    struct shown_table shown_table;
    enter_shown_table(&shown_table, gallery, game, player_count, 0);
    show_screen_state(&shown_table, "waiting");
    type_keys_and_show_state(&shown_table, "/look\r", "waiting, after /look");
    show_viewers_turn_in_each_phase(&shown_table);
    show_suits_put_in_order(&shown_table);
    stage_deal(&shown_table.stage, 3);
    show_halted_game(&shown_table);
    type_keys_and_show_state(&shown_table, "/rules\r", "its rules");
    driver_type(shown_table.stage.driver, "\x1b");
    driver_wait(shown_table.stage.driver, 1300);
    type_keys_and_show_state(&shown_table, "/leave\r", "leaving");
    driver_type(shown_table.stage.driver, "\x1b");
    driver_wait(shown_table.stage.driver, 1300);
    show_whole_game(&shown_table);
    show_replay(&shown_table);
    stage_clear(&shown_table.stage);
}

static void answer_request_for_past_step(struct stage *stage)
{
    char *buffer = malloc(65536);
    assert_non_null(buffer);
    struct text text = text_init(buffer, 65536);
    struct game_view view;
    stage_write_view(stage, &view);
    text_put(&text, "{\"step\":7,\"last\":9,\"tricks\":[4,8],\"rounds\":[0,9],\"view\":");
    view_write(&view, &text);
    text_put(&text, "}");
    driver_answer(stage->driver, "past", buffer);
    free(buffer);
}

static void show_game_as_spectator(const struct gallery *gallery, const struct game_def *game,
                                   uint8_t player_count)
{
    struct shown_table shown_table;
    enter_shown_table(&shown_table, gallery, game, player_count, SPECTATOR);
    show_screen_state(&shown_table, "not yet begun, watched");
    stage_deal(&shown_table.stage, 3);
    for (int i = 0; i < STEPS_LOOKED_AT && stage_make_random_move(&shown_table.stage); i++) {
        show_screen_state(&shown_table, "watched");
    }
    stage_push_table_and_view(&shown_table.stage,
                              "{\"watch\":{\"policy\":\"delay\",\"moves\":10,\"talk\":\"apart\"}}",
                              "{\"clock\":null,\"times\":[]}");
    driver_wait(shown_table.stage.driver, 1300);
    show_screen_state(&shown_table, "watched late");
    driver_type(shown_table.stage.driver, "/past\r");
    answer_request_for_past_step(&shown_table.stage);
    show_screen_state(&shown_table, "looking back");
    stage_clear(&shown_table.stage);
}

/* Shows what the game's lesson tells at each turn of its player. */
static void show_lesson(const struct gallery *gallery, const struct game_def *game)
{
    const struct game_lesson *lesson = game->face->lesson;
    struct shown_table shown_table = {.gallery = gallery};
    struct stage *stage = &shown_table.stage;
    stage_begin_lesson(stage, &gallery->setup, game);
    for (uint16_t i = 0; i < lesson->move_count; i++) {
        const struct lesson_move *move = &lesson->moves[i];
        if (move->seat == lesson->seat) {
            show_screen_state(&shown_table, "a lesson");
        }
        stage_make_move(stage, move->seat, game_move_parse(game, move->move));
        driver_wait(stage->driver, 9000);
    }
    show_screen_state(&shown_table, "after the lesson's script");
    stage_clear(stage);
}

void gallery_show_tables(const struct gallery *gallery)
{
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        if (environment_tries(3U * i)) {
            show_game_as_player(gallery, game, game->seats_min);
        }
        if (environment_tries(3U * i + 1)) {
            show_game_as_player(gallery, game, game->seats_max);
        }
        if (environment_tries(3U * i + 2)) {
            show_game_as_spectator(gallery, game, game->seats_max);
        }
        show_lesson(gallery, game);
    }
}
