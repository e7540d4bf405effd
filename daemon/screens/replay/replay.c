#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/replay/replay_draw.h"
#include "daemon/screens/replay/replay_game.h"
#include "daemon/screens/replay/review.h"
#include "daemon/screens/table/game_events.h"
#include "daemon/screens/table/game_tell.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replays a finished game step by step, drawn like a table. */

#define LINE_BYTES 400

struct replay_state {
    int64_t game_id;
    struct replay_game game;
    bool is_sending; /* the leader's step; the next request waits for its answer */
    bool is_loaded, is_failed;
    bool has_sheet; /* drawn over the table */
};

/* The shared replay of this game that one leads or follows; NULL: one is alone. */
static const struct model_review *review_of(struct ui *ui, const struct replay_state *state)
{
    const struct model_review *review = &screen_model(ui)->review;
    return review->game_id == state->game_id && state->game_id != 0 ? review : NULL;
}

static void went_on(struct ui *ui, void *opaque, int64_t step, bool is_ok, const json_t *answer);

/* Sends the current step to the followers. While a key is held down, steps come faster than
 * answers: then only the last one is sent. */
static void lead(struct ui *ui, struct replay_state *state)
{
    const struct model_review *review = review_of(ui, state);
    const struct replay_game *game = &state->game;
    bool is_told = review != NULL && review->step == game->step && review->seat == game->seat;
    if (review == NULL || !review->is_led || state->is_sending || is_told) {
        return;
    }
    json_t *fields = json_pack("{s:I}", "step", (json_int_t)game->step);
    if (game->seat != SPECTATOR) {
        json_object_set_new(fields, "seat", json_integer(game->seat));
    }
    state->is_sending = true;
    screen_request(ui, "review_go", fields, went_on, game->step);
}

static void went_on(struct ui *ui, void *opaque, int64_t step, bool is_ok, const json_t *answer)
{
    struct replay_state *state = opaque;
    state->is_sending = false;
    if (!is_ok) {
        screen_warn_refused(ui, answer);
    } else if (state->is_loaded && step != state->game.step) {
        lead(ui, state);
    }
}

static void tell_steps(struct ui *ui, struct replay_state *state, uint32_t to);

/* Goes to the leader's step. */
static void follow(struct ui *ui, struct replay_state *state, const struct model_review *review)
{
    struct replay_game *game = &state->game;
    uint32_t last = game->record.source.move_count;
    uint32_t step = review->step < last ? review->step : last;
    int8_t seat = review->seat;
    if (seat >= game->record.source.config.players) {
        seat = SPECTATOR;
    }
    bool is_next = seat == game->seat && step > game->step;
    if (seat == game->seat && step == game->step) {
        return;
    }
    if (screen_is_plain(ui) && is_next) {
        tell_steps(ui, state, step);
        return;
    }
    game->seat = seat;
    replay_game_go(game, step);
    screen_print_again(ui);
}

static void on_review(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    struct replay_state *state = opaque;
    const struct model_review *review = state->is_loaded ? review_of(ui, state) : NULL;
    if (review != NULL && review->is_led) {
        lead(ui, state); /* a new leader may be at any step */
    } else if (review != NULL) {
        follow(ui, state, review);
    }
}

static const struct screen_push replay_pushes[] = {{"review", on_review}, {NULL, NULL}};

/* True, after a warning, for a follower: only the leader moves. */
static bool is_led(struct ui *ui, const struct replay_state *state)
{
    const struct model_review *review = review_of(ui, state);
    if (review == NULL || review->is_led) {
        return false;
    }
    screen_inform(ui, _("%s leads: x or /unfollow looks on alone."), review->leader);
    return true;
}

static void record_answered(struct ui *ui, void *opaque, UNUSED int64_t tag, bool is_ok,
                            const json_t *answer)
{
    struct replay_state *state = opaque;
    if (!is_ok) {
        state->is_failed = true;
        screen_warn_refused(ui, answer);
        return;
    }
    replay_game_clear(&state->game);
    state->is_loaded = replay_game_init(&state->game, json_object_get(answer, "record"));
    state->is_failed = !state->is_loaded;
    const struct model_review *review = state->is_loaded ? review_of(ui, state) : NULL;
    if (review != NULL) {
        follow(ui, state, review);
    }
}

static void replay_enter(struct ui *ui, void *opaque, int64_t game_id)
{
    struct replay_state *state = opaque;
    replay_game_clear(&state->game);
    state->game_id = game_id;
    state->is_loaded = false;
    state->is_failed = false;
    state->has_sheet = false;
    screen_request(ui, "record", json_pack("{s:I}", "game_id", (json_int_t)game_id),
                   record_answered, 0);
}

static void replay_leave(struct ui *ui, void *opaque)
{
    struct replay_state *state = opaque;
    if (review_of(ui, state) != NULL) {
        review_leave(ui);
    }
    replay_game_clear(&state->game);
}

/* Whose view it is, and who leads. */
static void write_right(struct ui *ui, const struct replay_state *state, char *right, size_t size)
{
    const struct model_review *review = review_of(ui, state);
    const struct replay_game *game = &state->game;
    const char *whose =
        game->seat < 0 ? _("all hands") : replay_game_name(game, (uint8_t)game->seat);
    if (review == NULL) {
        snprintf(right, size, _("replay: %s"), whose);
    } else if (review->is_led) {
        unsigned followers = review->people > 0 ? review->people - 1U : 0;
        snprintf(right, size,
                 ngettext("you lead, %u follows: %s", "you lead, %u follow: %s", followers),
                 followers, whose);
    } else {
        snprintf(right, size, _("%s leads: %s"), review->leader, whose);
    }
}

static void replay_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    const struct replay_state *state = opaque;
    const struct area *body = &canvas->body;
    if (state->is_loaded) {
        char right[LINE_BYTES];
        write_right(ui, state, right, sizeof(right));
        struct replay_look look = {.right = right, .has_sheet = state->has_sheet};
        replay_draw_game(canvas, &state->game, &look);
        return;
    }
    draw_header(canvas, _("Replay"), "");
    draw_text_centred(canvas, body->row + body->height / 2, body->column, body->width, STYLE_DIM,
                      state->is_failed ? _("This game cannot be shown: q goes back.")
                                       : _("One moment…"));
}

static void turn_to_next_seat(struct replay_game *game)
{
    int seat = game->seat + 1;
    replay_game_see(game, (int8_t)(seat < game->record.source.config.players ? seat : SPECTATOR));
}

/* The step that a key leads to; -1: it is not a key for moving. */
static int64_t target_of(const struct replay_game *game, const struct press *press)
{
    uint32_t step = game->step;
    uint32_t last = game->record.source.move_count;
    uint32_t code = press->kind == PRESS_CHAR ? press->code : 0;
    if (press->kind == PRESS_RIGHT || press->kind == PRESS_WHEEL_DOWN || code == 'l' ||
        code == ' ') {
        return step < last ? step + 1 : last;
    }
    if (press->kind == PRESS_LEFT || press->kind == PRESS_WHEEL_UP || code == 'h') {
        return step > 0 ? step - 1 : 0;
    }
    if (press->kind == PRESS_DOWN || code == 'j') {
        return replay_game_find(game, REPLAY_TRICK, 1);
    }
    if (press->kind == PRESS_UP || code == 'k') {
        return replay_game_find(game, REPLAY_TRICK, -1);
    }
    if (press->kind == PRESS_PAGE_DOWN || press->kind == PRESS_PAGE_UP) {
        return replay_game_find(game, REPLAY_ROUND, press->kind == PRESS_PAGE_DOWN ? 1 : -1);
    }
    if (press->kind == PRESS_HOME || press->kind == PRESS_END) {
        return press->kind == PRESS_HOME ? 0 : last;
    }
    return -1;
}

static void number_given(struct ui *ui, void *opaque, const char *text)
{
    struct replay_state *state = opaque;
    char *end;
    long long step = text == NULL ? -1 : strtoll(text, &end, 10);
    long long last = state->game.record.source.move_count;
    if (text == NULL || end == text || *end != '\0' || step < 0) {
        return;
    }
    replay_game_go(&state->game, (uint32_t)(step < last ? step : last));
    lead(ui, state);
}

static bool letter_key(struct ui *ui, struct replay_state *state, uint32_t letter)
{
    switch (letter) {
    case 's':
        state->has_sheet = !state->has_sheet;
        return true;
    case 'g':
        if (!is_led(ui, state)) {
            screen_ask(ui, ASK_WORDS, _("Go to step:"), NULL, number_given);
        }
        return true;
    case 'L':
        if (!is_led(ui, state)) {
            screen_request(ui, "review_open",
                           json_pack("{s:I}", "game_id", (json_int_t)state->game_id), NULL, 0);
        }
        return true;
    case 'x':
        review_leave(ui);
        return true;
    case 'e':
        screen_inform(ui,
                      _("ssh HOST replay %lld gives it as text, --json as data, --cast for "
                        "asciinema."),
                      (long long)state->game_id);
        return true;
    default:
        return false;
    }
}

static bool replay_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct replay_state *state = opaque;
    if (!state->is_loaded) {
        return false;
    }
    int64_t target = target_of(&state->game, press);
    if (target >= 0) {
        if (!is_led(ui, state)) {
            replay_game_go(&state->game, (uint32_t)target);
            lead(ui, state);
        }
        return true;
    }
    if (press->kind == PRESS_TAB || (press->kind == PRESS_CHAR && press->code == 'v')) {
        if (!is_led(ui, state)) {
            turn_to_next_seat(&state->game);
            lead(ui, state);
        }
        return true;
    }
    return press->kind == PRESS_CHAR && letter_key(ui, state, press->code);
}

static void tell_how(struct lines *lines)
{
    lines_put(lines, _("Enter or next is the next step, back the one before, trick and round go "
                       "on by so much, start, end or a number go there, view changes whose cards "
                       "are told, all tells everything to the end, /back leaves."));
}

static bool replay_tell(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct replay_state *state = opaque;
    if (!state->is_loaded) {
        return state->is_failed;
    }
    struct scene scene = replay_scene(&state->game, screen_theme(ui));
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    replay_write_step(&state->game, &scene, &text);
    lines_put(lines, line);
    game_tell_head(&state->game.view, &scene.words, lines);
    game_tell_seats(&state->game.view, &scene.words, lines);
    game_tell_hand(&state->game.view, &scene.words, lines);
    game_tell_trick(&state->game.view, &scene.words, lines);
    tell_how(lines);
    return true;
}

/* One step forward, with what happened. */
static void tell_next(struct ui *ui, struct replay_state *state, struct lines *lines)
{
    struct replay_game *game = &state->game;
    struct game_view before;
    int rows = game->row_count;
    bool was_done = game->is_trick_done;
    table_view_copy(&before, &game->view);
    replay_game_go(game, game->step + 1);
    struct scene scene = replay_scene(&state->game, screen_theme(ui));
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    replay_write_step(game, &scene, &text);
    lines_put(lines, line);
    (void)was_done;
    game_events_tell(&before, &game->view, &scene.words, lines);
    if (game->row_count > rows) {
        game_tell_score(&game->last_row, &game->view, &scene.words, lines);
    }
}

static void tell_steps(struct ui *ui, struct replay_state *state, uint32_t to)
{
    struct lines *lines = screen_plain_lines(ui);
    if (to <= state->game.step) {
        lines_put(lines, _("This is the end of the game."));
    }
    while (state->game.step < to) {
        tell_next(ui, state, lines);
    }
}

static bool go_to(struct ui *ui, struct replay_state *state, int64_t step)
{
    uint32_t last = state->game.record.source.move_count;
    replay_game_go(&state->game, step < 0 ? 0 : step > last ? last : (uint32_t)step);
    screen_print_again(ui);
    return true;
}

static bool line_take(struct ui *ui, struct replay_state *state, const char *line)
{
    struct replay_game *game = &state->game;
    if (!state->is_loaded) {
        return false;
    }
    uint32_t last = game->record.source.move_count;
    const struct model_review *review = review_of(ui, state);
    if (review != NULL && !review->is_led) {
        return line[0] == '\0' && is_led(ui, state); /* everything else is chat */
    }
    static const char *const onward_words[] = {"next", "n", "", "trick", "round", "all", NULL};
    static const char *const go_words[] = {"back", "b", "start", "end", NULL};
    uint32_t next = game->step < last ? game->step + 1 : last;
    uint32_t onward[] = {
        next,
        next,
        next,
        replay_game_find(game, REPLAY_TRICK, 1),
        replay_game_find(game, REPLAY_ROUND, 1),
        last,
    };
    int64_t before = (int64_t)game->step - 1;
    int64_t goes[] = {before, before, 0, last};
    int word = text_find_word(onward_words, line);
    int go = text_find_word(go_words, line);
    if (word >= 0) {
        tell_steps(ui, state, onward[word]);
    } else if (go >= 0) {
        return go_to(ui, state, goes[go]);
    } else if (strcmp(line, "view") == 0) {
        turn_to_next_seat(game);
        screen_print_again(ui);
    } else if (strspn(line, "0123456789") == strlen(line)) {
        return go_to(ui, state, strtoll(line, NULL, 10));
    } else {
        tell_how(screen_plain_lines(ui));
    }
    return true;
}

static bool replay_line(struct ui *ui, void *opaque, const char *line)
{
    struct replay_state *state = opaque;
    bool is_taken = line_take(ui, state, line);
    if (state->is_loaded) {
        lead(ui, state);
    }
    return is_taken;
}

static void replay_hints(struct ui *ui, void *opaque, struct hints *hints)
{
    const struct replay_state *state = opaque;
    const struct model_review *review = review_of(ui, state);
    bool is_ascii = screen_theme(ui)->is_ascii;
    if (review != NULL && !review->is_led) {
        hints_add(hints, "x", _("look on alone"));
        hints_add(hints, "s", _("scores"));
        hints_add(hints, "?", _("help"));
        hints_add(hints, "q", _("back"));
        return;
    }
    hints_add(hints, is_ascii ? "Left Right" : "← →", _("step"));
    hints_add(hints, is_ascii ? "Up Down" : "↑ ↓", _("trick"));
    hints_add(hints, "PgUp PgDn", _("round"));
    hints_add(hints, "v", _("whose view"));
    hints_add(hints, "s", _("scores"));
    if (review == NULL) {
        hints_add(hints, "L", _("lead others"));
    }
    hints_add(hints, "g", _("go to"));
    hints_add(hints, "e", _("export"));
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back"));
}

static const struct screen_key replay_keys[] = {
    {N_("left right"), N_("one step back or forward"), NULL},
    {N_("up down"), N_("to the trick before or the next one"), NULL},
    {"PgUp PgDn", N_("to the round before or the next one"), NULL},
    {"Home End", N_("to the first deal, to the end"), NULL},
    {"v Tab", N_("all hands, or what one seat saw"), NULL},
    {"g", N_("to a step by its number"), NULL},
    {"s", N_("scores so far"), NULL},
    {"L", N_("lead others through this game: they see the step you see"), "/review"},
    {"x", N_("follow no longer, or let go of the lead, and look on alone"), "/unfollow"},
    {"e", N_("how to get the game as text, data or a recording"), NULL},
    {NULL, NULL, NULL},
};

const struct screen replay_screen = {
    .name = "replay",
    .title = N_("Replay"),
    .state_size = sizeof(struct replay_state),
    .keys = replay_keys,
    .enter = replay_enter,
    .leave = replay_leave,
    .draw = replay_draw,
    .key = replay_key,
    .hints = replay_hints,
    .pushes = replay_pushes,
    .tell = replay_tell,
    .line = replay_line,
};
