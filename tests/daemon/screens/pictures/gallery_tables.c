#include "daemon/base/i18n.h"
#include "gallery.h"

#include "tests/daemon/screens/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPTION_BYTES 200
#define STEPS_LOOKED_AT 40

/* A table that the gallery shows. */
struct shown {
    const struct gallery *gallery;
    struct stage stage;
};

static void show_state(struct shown *shown, const char *caption_end)
{
    char caption[CAPTION_BYTES];
    snprintf(caption, sizeof caption, "%s, %d players: %s", shown->stage.game->id,
             (int)shown->stage.config.players, caption_end);
    shown->gallery->look(shown->gallery->context, caption, shown->stage.driver);
}

static void type_and_show(struct shown *shown, const char *keys, const char *caption_end)
{
    driver_type(shown->stage.driver, keys);
    show_state(shown, caption_end);
}

static void begin_table(struct shown *shown, const struct gallery *gallery,
                        const struct game_def *game, uint8_t player_count, int8_t own_seat)
{
    shown->gallery = gallery;
    stage_init(&shown->stage, &gallery->setup, game, player_count, own_seat);
    shown->stage.has_long_names = true;
    stage_push_table(&shown->stage, "open");
}

static void show_phases(struct shown *shown)
{
    struct stage *stage = &shown->stage;
    for (uint8_t phase = 0; phase < stage->game->phase_count; phase++) {
        stage_deal(stage, 3);
        if (stage_play_until_turn(stage, phase)) {
            driver_wait(stage->driver, 1300);
            show_state(shown, "your turn");
            type_and_show(shown, "/look\r", "after /look");
            type_and_show(shown, "/scores\r", "the sheet");
            driver_type(stage->driver, "\x1b");
            driver_wait(stage->driver, 1300);
        }
    }
}

static void show_halted_game(struct shown *shown)
{
    static const char *const halts[] = {
        "{\"halt\":\"pause\"}",
        "{\"asks\":{\"pause\":[2],\"adjourn\":[],\"resume\":[]}}",
        "{\"halt\":\"adjourn\",\"asks\":{\"resume\":[0]}}",
        "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true}",
        "{\"halt\":\"house\",\"awaited\":[2],\"is_rated\":true,\"resume_by\":1795000000000}",
    };
    for (size_t i = 0; i < ARRAY_LEN(halts); i++) {
        stage_push_table_and_view(&shown->stage, halts[i],
                                  "{\"clock\":{\"left_ms\":17000,\"of_ms\":30000}}");
        driver_wait(shown->stage.driver, 1300);
        show_state(shown, "a halt");
    }
    stage_push_table_and_view(&shown->stage, NULL, NULL);
}

/* Shows a request for a pause at every size of the hand, as each size has its own keys in the last
 * row. */
static void show_pause_request(struct shown *shown)
{
    struct game_view view;
    stage_write_view(&shown->stage, &view);
    if (view.round == 1 && view_viewer_may_move(&view)) {
        stage_push_table_and_view(&shown->stage,
                                  "{\"asks\":{\"pause\":[2],\"adjourn\":[],\"resume\":[]}}", NULL);
        driver_wait(shown->stage.driver, 1300);
        show_state(shown, "a pause is asked for");
        stage_push_table_and_view(&shown->stage, NULL, NULL);
    }
}

static void show_moves(struct shown *shown)
{
    struct stage *stage = &shown->stage;
    stage_deal(stage, 3);
    for (int i = 0; stage_make_random_move(stage); i++) {
        show_pause_request(shown);
        if (i < STEPS_LOOKED_AT) {
            show_state(shown, "a move");
            driver_wait(stage->driver, 1300);
            show_state(shown, "after a move");
        }
    }
    driver_wait(stage->driver, 9000);
    show_state(shown, "the last round");
    driver_type(stage->driver, " ");
    stage_push_result(stage);
    driver_wait(stage->driver, 9000);
    driver_type(stage->driver, " ");
    show_state(shown, "result");
    type_and_show(shown, "/look\r", "result, after /look");
}

static void show_replay(struct shown *shown)
{
    struct stage *stage = &shown->stage;
    driver_type(stage->driver, "/replay 812\r");
    json_t *fields = json_pack("{s:o}", "record", stage_make_record(stage));
    char *text = json_dumps(fields, JSON_COMPACT);
    assert_non_null(text);
    driver_answer(stage->driver, "record", text);
    free(text);
    json_decref(fields);
    assert_false(driver_shows(stage->driver, _("This game cannot be shown: q goes back.")));
    show_state(shown, "replay");
    for (int i = 0; i < 12; i++) {
        type_and_show(shown, shown->gallery->setup.lines.is_on ? "\r" : "\x1b[C", "replay, a step");
    }
}

static void show_game_as_player(const struct gallery *gallery, const struct game_def *game,
                                uint8_t player_count)
{
    struct shown shown;
    begin_table(&shown, gallery, game, player_count, 0);
    show_state(&shown, "waiting");
    type_and_show(&shown, "/look\r", "waiting, after /look");
    show_phases(&shown);
    stage_deal(&shown.stage, 3);
    show_halted_game(&shown);
    type_and_show(&shown, "/rules\r", "its rules");
    driver_type(shown.stage.driver, "\x1b");
    driver_wait(shown.stage.driver, 1300);
    type_and_show(&shown, "/leave\r", "leaving");
    driver_type(shown.stage.driver, "\x1b");
    driver_wait(shown.stage.driver, 1300);
    show_moves(&shown);
    show_replay(&shown);
    stage_clear(&shown.stage);
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
    struct shown shown;
    begin_table(&shown, gallery, game, player_count, SPECTATOR);
    show_state(&shown, "not yet begun, watched");
    stage_deal(&shown.stage, 3);
    for (int i = 0; i < STEPS_LOOKED_AT && stage_make_random_move(&shown.stage); i++) {
        show_state(&shown, "watched");
    }
    stage_push_table_and_view(&shown.stage,
                              "{\"watch\":{\"policy\":\"delay\",\"delay\":10,\"talk\":\"apart\"}}",
                              "{\"clock\":null,\"times\":[]}");
    driver_wait(shown.stage.driver, 1300);
    show_state(&shown, "watched late");
    driver_type(shown.stage.driver, "/past\r");
    answer_request_for_past_step(&shown.stage);
    show_state(&shown, "looking back");
    stage_clear(&shown.stage);
}

void gallery_show_tables(const struct gallery *gallery)
{
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        show_game_as_player(gallery, game, game->seats_min);
        show_game_as_player(gallery, game, game->seats_max);
        show_game_as_spectator(gallery, game, game->seats_max);
    }
}
