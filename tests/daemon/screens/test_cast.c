#include "daemon/screens/replay/replay.h"
#include "stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

/* A terminal that plays back a recording of a game. */

#define COLUMNS 80
#define ROWS 24

struct playback {
    VTerm *terminal;
    VTermScreen *screen;
    double at_s;
    size_t pictures;
};

static void begin_playback(struct playback *playback)
{
    *playback = (struct playback){.terminal = vterm_new(ROWS, COLUMNS), .at_s = -1};
    vterm_set_utf8(playback->terminal, 1);
    playback->screen = vterm_obtain_screen(playback->terminal);
    vterm_screen_enable_altscreen(playback->screen, 1);
    vterm_screen_reset(playback->screen, 1);
}

static bool does_playback_show(struct playback *playback, const char *words)
{
    char text[ROWS * COLUMNS * 4];
    size_t len = vterm_screen_get_text(playback->screen, text, sizeof(text) - 1,
                                       (VTermRect){0, ROWS, 0, COLUMNS});
    text[len] = '\0';
    return strstr(text, words) != NULL;
}

/* Plays a game and returns its record, which the caller owns. */
static json_t *play_game_and_get_record(const struct game_def *game)
{
    struct stage stage;
    const struct driver_setup setup = {.columns = COLUMNS, .rows = ROWS};
    stage_init(&stage, &setup, game, game->seats_min, 0);
    stage_deal(&stage, 3);
    while (stage_make_random_move(&stage)) {
    }
    json_t *record = stage_make_game_record(&stage);
    stage_clear(&stage);
    return record;
}

static void check_recording_header(const char *line)
{
    json_t *header = json_loads(line, 0, NULL);
    assert_non_null(header);
    assert_int_equal(json_integer_value(json_object_get(header, "version")), 2);
    assert_int_equal(json_integer_value(json_object_get(header, "width")), COLUMNS);
    assert_int_equal(json_integer_value(json_object_get(header, "height")), ROWS);
    json_decref(header);
}

/* Plays one event of the recording on the terminal; its time must be later than the previous
 * event's. */
static void play_recorded_event(struct playback *playback, const char *line, size_t len)
{
    json_t *event = json_loadb(line, len, 0, NULL);
    assert_non_null(event);
    assert_int_equal(json_array_size(event), 3);
    double at_s = json_number_value(json_array_get(event, 0));
    assert_true(at_s > playback->at_s);
    playback->at_s = at_s;
    assert_string_equal(json_string_value(json_array_get(event, 1)), "o");
    const json_t *bytes = json_array_get(event, 2);
    vterm_input_write(playback->terminal, json_string_value(bytes), json_string_length(bytes));
    playback->pictures++;
    json_decref(event);
}

/* The last event must reset all that the recording has set. */
static void check_terminal_is_restored(struct playback *playback, const char *line)
{
    static const char *const resets[] = {"[?1049l", "[?1006;1000l", "[?2004l"};
    for (size_t i = 0; i < ARRAY_LEN(resets); i++) {
        assert_non_null(strstr(line, resets[i]));
    }
    assert_false(does_playback_show(playback, "all hands"));
}

static void check_recording(const struct game_def *game)
{
    json_t *record = play_game_and_get_record(game);
    size_t moves = json_array_size(json_object_get(record, "moves"));
    struct replay_cast *cast = replay_cast_new(COLUMNS, ROWS);
    struct playback playback;
    struct bytes line;
    char words[64];
    bool is_trick_told = false, is_end_told = false;
    assert_non_null(cast);
    assert_true(replay_cast_load(cast, record));
    bytes_init(&line, CAST_LINE_MAX);
    assert_true(replay_cast_append_next_line(cast, &line));
    assert_true(bytes_add(&line, "", 1));
    check_recording_header(line.at);
    begin_playback(&playback);
    for (bytes_drop_first(&line, line.len); replay_cast_append_next_line(cast, &line);
         bytes_drop_first(&line, line.len)) {
        assert_int_equal(line.at[line.len - 1], '\n');
        play_recorded_event(&playback, line.at, line.len);
        if (playback.pictures == moves + 2) {
            check_terminal_is_restored(&playback, line.at);
            continue;
        }
        snprintf(words, sizeof(words), "step %zu of %zu", playback.pictures - 1, moves);
        assert_true(does_playback_show(&playback, words));
        assert_true(does_playback_show(&playback, "all hands"));
        is_trick_told |= does_playback_show(&playback, "takes the trick: ");
        is_end_told = does_playback_show(&playback, "win");
    }
    assert_true(is_trick_told && is_end_told);
    assert_int_equal(
        playback.pictures,
        moves + 2); /* one event for the deal, one for each move, one that ends the last pause */
    bytes_clear(&line);
    vterm_free(playback.terminal);
    replay_cast_free(cast);
    json_decref(record);
}

static void a_recording_shows_every_step_of_every_game(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        check_recording(game_at(i));
    }
}

static void an_invalid_game_record_makes_no_recording(void **state)
{
    (void)state;
    /* replay_cast_new clamps sizes that are too small or too large */
    struct replay_cast *cast = replay_cast_new(1, 10000);
    struct bytes line;
    json_t *nothing = json_pack("{s:s}", "game", "nothing");
    assert_non_null(cast);
    bytes_init(&line, CAST_LINE_MAX);
    assert_false(replay_cast_load(cast, nothing));
    assert_false(replay_cast_append_next_line(cast, &line));
    json_decref(nothing);
    bytes_clear(&line);
    replay_cast_free(cast);
    replay_cast_free(NULL);
}

TEST_GROUP(cast)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_shows_every_step_of_every_game),
        cmocka_unit_test(an_invalid_game_record_makes_no_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
