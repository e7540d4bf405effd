#include "daemon/screens/replay/replay.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

#include <stdlib.h>
#include <string.h>

/* Replays a finished game step by step, drawn like a table. */

#define LINE_BYTES 400

struct replay_state {
    int64_t game_id;
    struct replay_game game;
    bool is_sending; /* the leader's step was sent and is not answered yet */
    bool is_loaded, is_failed;
    bool has_sheet; /* the score sheet is drawn over the table */
    struct replay_hint hint;
};

/* Returns the shared replay of this game that the person leads or follows; NULL if there is
 * none. */
static const struct model_shared_replay *find_shared_replay(struct ui *ui,
                                                            const struct replay_state *state)
{
    const struct model_shared_replay *review = &screen_model(ui)->shared_replay;
    return review->game_id == state->game_id && state->game_id != 0 ? review : NULL;
}

static void handle_step_answer(struct ui *ui, void *opaque, int64_t step, bool is_ok,
                               const json_t *answer);

/* Sends the leader's current step to the followers of the shared replay. While a key is held down,
 * steps come faster than answers: then only the last one is sent. */
static void send_leader_step(struct ui *ui, struct replay_state *state)
{
    const struct model_shared_replay *review = find_shared_replay(ui, state);
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
    screen_send_request(ui, "review_go", fields, handle_step_answer, game->step);
}

static void handle_step_answer(struct ui *ui, void *opaque, int64_t step, bool is_ok,
                               const json_t *answer)
{
    struct replay_state *state = opaque;
    state->is_sending = false;
    if (!is_ok) {
        screen_warn_of_refusal(ui, answer);
    } else if (state->is_loaded && step != state->game.step) {
        send_leader_step(ui, state);
    }
}

static void print_steps_up_to(struct ui *ui, struct replay_state *state, uint32_t last_step);

static void follow_leader(struct ui *ui, struct replay_state *state,
                          const struct model_shared_replay *shared)
{
    struct replay_game *game = &state->game;
    uint32_t last = game->record.source.move_count;
    uint32_t step = shared->step < last ? shared->step : last;
    bool is_seat = shared->seat < game->record.source.config.players;
    int8_t seat = (int8_t)(is_seat ? shared->seat : SPECTATOR);
    if (seat == game->seat && step == game->step) {
        return;
    }
    if (screen_is_plain(ui) && seat == game->seat && step > game->step) {
        print_steps_up_to(ui, state, step);
        return;
    }
    game->seat = seat;
    replay_game_go_to(game, step);
    screen_print_top_again(ui);
}

static void handle_shared_replay_message(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    struct replay_state *state = opaque;
    const struct model_shared_replay *review =
        state->is_loaded ? find_shared_replay(ui, state) : NULL;
    if (review != NULL && review->is_led) {
        send_leader_step(ui, state); /* a new leader may be at another step than the followers */
    } else if (review != NULL) {
        follow_leader(ui, state, review);
    }
}

static const struct screen_push replay_pushes[] = {{"review", handle_shared_replay_message},
                                                   {NULL, NULL}};

/* If the person follows a shared replay, says that only its leader can change the step, and returns
 * true. Returns false for anybody else. */
static bool warn_if_following_a_leader(struct ui *ui, const struct replay_state *state)
{
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    if (review == NULL || review->is_led) {
        return false;
    }
    screen_inform(ui, _("%s leads: x or /unfollow lets you go on alone."), review->leader);
    return true;
}

static void receive_record(struct ui *ui, void *opaque, UNUSED int64_t tag, bool is_ok,
                           const json_t *answer)
{
    struct replay_state *state = opaque;
    if (!is_ok) {
        state->is_failed = true;
        screen_warn_of_refusal(ui, answer);
        return;
    }
    replay_game_clear(&state->game);
    state->is_loaded = replay_game_init(&state->game, json_object_get(answer, "record"));
    state->is_failed = !state->is_loaded;
    const struct model_shared_replay *review =
        state->is_loaded ? find_shared_replay(ui, state) : NULL;
    if (review != NULL) {
        follow_leader(ui, state, review);
    }
}

static void replay_enter(struct ui *ui, void *opaque, int64_t game_id)
{
    struct replay_state *state = opaque;
    replay_game_clear(&state->game);
    *state = (struct replay_state){.game_id = game_id, .is_sending = state->is_sending};
    screen_send_request(ui, "record", json_pack("{s:I}", "game_id", (json_int_t)game_id),
                        receive_record, 0);
}

static void replay_leave(struct ui *ui, void *opaque)
{
    struct replay_state *state = opaque;
    if (find_shared_replay(ui, state) != NULL) {
        review_leave(ui);
    }
    replay_game_clear(&state->game);
}

/* Writes whose cards the replay shows, and who leads the replay. */
static const char *write_viewpoint(struct ui *ui, const struct replay_state *state,
                                   struct text *out)
{
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    const struct replay_game *game = &state->game;
    const char *whose =
        game->seat < 0 ? _("all hands") : replay_game_seat_name(game, (uint8_t)game->seat);
    if (review == NULL) {
        text_format(out, _("replay: %s"), whose);
    } else if (review->is_led) {
        unsigned followers = review->people > 0 ? review->people - 1U : 0;
        text_format(out, ngettext("you lead, %u follows: %s", "you lead, %u follow: %s", followers),
                    followers, whose);
    } else {
        text_format(out, _("%s leads: %s"), review->leader, whose);
    }
    return out->at;
}

static void replay_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    const struct replay_state *state = opaque;
    const struct area *body = &canvas->body;
    if (state->is_loaded) {
        const char *right = write_viewpoint(ui, state, &TEXT_OF(LINE_BYTES));
        bool has_hint = replay_hint_is_shown(&state->hint, &state->game);
        replay_draw_game(canvas, &state->game, right, state->has_sheet,
                         has_hint ? &state->hint : NULL);
        return;
    }
    draw_header(canvas, _("Replay"), "");
    draw_text_centred(canvas, body->row + body->height / 2, body->column, body->width, STYLE_DIM,
                      state->is_failed ? _("This game cannot be shown: q goes back.")
                                       : _("One moment…"));
}

static void show_view_of_next_seat(struct replay_game *game)
{
    int seat = game->seat + 1;
    replay_game_set_viewpoint(
        game, (int8_t)(seat < game->record.source.config.players ? seat : SPECTATOR));
}

/* Returns the step that a key leads to; -1 if the key leads to no step. */
static int64_t find_target_step(const struct replay_game *game, const struct press *press)
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
        return replay_game_find_marked_step(game, REPLAY_TRICK, 1);
    }
    if (press->kind == PRESS_UP || code == 'k') {
        return replay_game_find_marked_step(game, REPLAY_TRICK, -1);
    }
    if (press->kind == PRESS_PAGE_DOWN || press->kind == PRESS_PAGE_UP) {
        return replay_game_find_marked_step(game, REPLAY_ROUND,
                                            press->kind == PRESS_PAGE_DOWN ? 1 : -1);
    }
    if (press->kind == PRESS_HOME || press->kind == PRESS_END) {
        return press->kind == PRESS_HOME ? 0 : last;
    }
    return -1;
}

static void go_to_typed_step(struct ui *ui, void *opaque, const char *text)
{
    struct replay_state *state = opaque;
    char *end;
    long long step = text == NULL ? -1 : strtoll(text, &end, 10);
    long long last = state->game.record.source.move_count;
    if (text == NULL || end == text || *end != '\0' || step < 0) {
        return;
    }
    replay_game_go_to(&state->game, (uint32_t)(step < last ? step : last));
    send_leader_step(ui, state);
}

/* Makes the hint for the current step. Returns false, and tells the person why, if there is none.
 */
static bool make_hint(struct ui *ui, struct replay_state *state)
{
    struct replay_game *game = &state->game;
    const uint32_t last = game->record.source.move_count;
    const uint8_t mover = game->step < last ? game->record.source.moves[game->step].seat : 0;
    if (game->step >= last) {
        screen_warn(ui, "%s", _("Nobody moves after the last step, so there is no hint."));
    } else if (game->seat != SPECTATOR && game->seat != (int8_t)mover) {
        screen_warn(ui, _("%s moves next, but this view shows what %s saw: v shows other views."),
                    replay_game_seat_name(game, mover),
                    replay_game_seat_name(game, (uint8_t)game->seat));
    } else if (!replay_hint_is_made(&state->hint, game) && !screen_may_make_hint(ui)) {
        return false;
    } else {
        return replay_hint_make(&state->hint, game, state->game_id);
    }
    return false;
}

static void show_or_hide_hint(struct ui *ui, struct replay_state *state)
{
    if (replay_hint_is_shown(&state->hint, &state->game)) {
        state->hint.is_shown = false;
    } else if (make_hint(ui, state)) {
        state->hint.is_shown = true;
    }
}

static void print_hint(struct ui *ui, struct replay_state *state)
{
    if (make_hint(ui, state)) {
        struct scene scene = replay_draw_make_scene(&state->game, screen_theme(ui));
        replay_hint_print(&state->hint, &scene.words, screen_get_plain_lines(ui));
    }
}

bool replay_show_hint(struct ui *ui)
{
    struct replay_state *state = screen_find_state(ui, "replay");
    if (state == NULL || !state->is_loaded) {
        return false;
    }
    if (screen_is_plain(ui)) {
        print_hint(ui, state);
    } else {
        show_or_hide_hint(ui, state);
    }
    return true;
}

static bool handle_letter_key(struct ui *ui, struct replay_state *state, uint32_t letter)
{
    if ((letter == 'g' || letter == 'L') && warn_if_following_a_leader(ui, state)) {
        return true;
    }
    switch (letter) {
    case 's':
        state->has_sheet = !state->has_sheet;
        return true;
    case 'b':
        show_or_hide_hint(ui, state);
        return true;
    case 'g':
        screen_ask(ui, ASK_WORDS, _("Go to step:"), NULL, go_to_typed_step);
        return true;
    case 'L':
        screen_send_request(ui, "review_open",
                            json_pack("{s:I}", "game_id", (json_int_t)state->game_id), NULL, 0);
        return true;
    case 'x':
        review_leave(ui);
        return true;
    case 'e':
        screen_inform(ui,
                      _("ssh HOST replay %lld gives this game as text, --json as data, --cast for "
                        "asciinema."),
                      (long long)state->game_id);
        return true;
    default:
        return false;
    }
}

static bool replay_handle_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct replay_state *state = opaque;
    if (!state->is_loaded) {
        return false;
    }
    int64_t target = find_target_step(&state->game, press);
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    bool is_switch = press->kind == PRESS_TAB || letter == 'v';
    if (target < 0 && !is_switch) {
        return handle_letter_key(ui, state, letter);
    }
    if (warn_if_following_a_leader(ui, state)) {
        return true;
    }
    if (is_switch) {
        show_view_of_next_seat(&state->game);
    } else {
        replay_game_go_to(&state->game, (uint32_t)target);
    }
    send_leader_step(ui, state);
    return true;
}

static void print_instructions(struct lines *lines)
{
    lines_put(lines,
              _("Enter or next goes to the next step, back to the previous one, trick and round to "
                "the next trick or round, start, end or a number to that step, view changes whose "
                "cards are shown, hint tells what the strong bot would do next, all prints "
                "everything to the end, /back leaves."));
}

static bool replay_print(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct replay_state *state = opaque;
    if (!state->is_loaded) {
        return state->is_failed;
    }
    struct scene scene = replay_draw_make_scene(&state->game, screen_theme(ui));
    lines_put(lines, replay_draw_write_step(&state->game, &scene, &TEXT_OF(LINES_LINE_MAX)));
    game_print_headline(&state->game.view, &scene.words, lines);
    game_print_seats(&state->game.view, &scene.words, lines);
    game_print_hand(&state->game.view, &scene.words, lines);
    game_print_trick(&state->game.view, &scene.words, lines);
    print_instructions(lines);
    return true;
}

/* Goes one step forward and prints what happened. */
static void print_next_step(struct ui *ui, struct replay_state *state, struct lines *lines)
{
    struct replay_game *game = &state->game;
    struct game_view before;
    table_copy_view(&before, &game->view);
    replay_game_go_to(game, game->step + 1);
    struct scene scene = replay_draw_make_scene(game, screen_theme(ui));
    lines_put(lines, replay_draw_write_step_number(game, &TEXT_OF(LINES_LINE_MAX)));
    replay_print_step(game, &before, &scene.words, lines);
}

static void print_steps_up_to(struct ui *ui, struct replay_state *state, uint32_t last_step)
{
    struct lines *lines = screen_get_plain_lines(ui);
    if (last_step <= state->game.step) {
        lines_put(lines, _("This is the end of the game."));
    }
    while (state->game.step < last_step) {
        print_next_step(ui, state, lines);
    }
}

static void go_to_step(struct ui *ui, struct replay_state *state, int64_t step)
{
    uint32_t last = state->game.record.source.move_count;
    replay_game_go_to(&state->game, step < 0 ? 0 : step > last ? last : (uint32_t)step);
    screen_print_top_again(ui);
}

static bool handle_replay_line(struct ui *ui, struct replay_state *state, const char *line)
{
    static const char *const onward_words[] = {"next", "n", "", "trick", "round", "all", NULL};
    static const char *const go_words[] = {"back", "b", "start", "end", NULL};
    struct replay_game *game = &state->game;
    const struct model_shared_replay *review = find_shared_replay(ui, state);
    if (review != NULL && !review->is_led) {
        /* any other line is sent to the chat */
        return line[0] == '\0' && warn_if_following_a_leader(ui, state);
    }
    uint32_t last = game->record.source.move_count;
    uint32_t next = game->step < last ? game->step + 1 : last;
    uint32_t trick = replay_game_find_marked_step(game, REPLAY_TRICK, 1);
    uint32_t round = replay_game_find_marked_step(game, REPLAY_ROUND, 1);
    uint32_t onward[] = {next, next, next, trick, round, last};
    int64_t before = (int64_t)game->step - 1;
    int64_t goes[] = {before, before, 0, last};
    int word = text_find_word(onward_words, line);
    int go = text_find_word(go_words, line);
    if (word >= 0) {
        print_steps_up_to(ui, state, onward[word]);
    } else if (go >= 0) {
        go_to_step(ui, state, goes[go]);
    } else if (strcmp(line, "view") == 0) {
        show_view_of_next_seat(game);
        screen_print_top_again(ui);
    } else if (strcmp(line, "hint") == 0) {
        print_hint(ui, state);
    } else if (strspn(line, "0123456789") == strlen(line)) {
        go_to_step(ui, state, strtoll(line, NULL, 10));
    } else {
        print_instructions(screen_get_plain_lines(ui));
    }
    return true;
}

static bool replay_handle_line(struct ui *ui, void *opaque, const char *line)
{
    struct replay_state *state = opaque;
    if (!state->is_loaded) {
        return false;
    }
    bool is_used = handle_replay_line(ui, state, line);
    send_leader_step(ui, state);
    return is_used;
}

static void replay_add_hints(struct ui *ui, void *opaque, struct hints *hints)
{
    const struct model_shared_replay *review = find_shared_replay(ui, opaque);
    if (review != NULL && !review->is_led) {
        hints_add(hints, "x", _("go on alone"));
        return;
    }
    hints_add(hints, "← →", _("step"));
    hints_add(hints, "↑ ↓", _("trick"));
    hints_add(hints, "PgUp PgDn", _("round"));
    hints_add(hints, "v", _("other view"));
    hints_add(hints, "b", _("bot"));
    hints_add(hints, "g", _("go to"));
    if (review == NULL) {
        hints_add(hints, "L", _("lead others"));
    }
}

static const struct screen_key replay_keys[] = {
    {"← →", N_("one step back or forward"), NULL, NULL},
    {"↑ ↓", N_("to the previous or next trick"), NULL, NULL},
    {N_("PgUp PgDn"), N_("to the previous or next round"), NULL, NULL},
    {N_("Home End"), N_("to the first deal, to the end"), NULL, NULL},
    {"v Tab", N_("show all hands, or what one seat saw"), NULL, NULL},
    {"g", N_("to a step by its number"), NULL, NULL},
    {"b", N_("what the strong bot would do next, with what that player saw"), "/hint", NULL},
    {"s", N_("scores so far"), NULL, N_("scores")},
    {"L", N_("lead others through this game: they see the step you see"), "/review", NULL},
    {"x", N_("stop following or leading, and go on alone"), "/unfollow", NULL},
    {"e", N_("how to get the game as text, data or a recording"), NULL, N_("export")},
    {NULL, NULL, NULL, NULL},
};

const struct screen replay_screen = {
    .name = "replay",
    .title = N_("Replay"),
    .state_size = sizeof(struct replay_state),
    .keys = replay_keys,
    .enter = replay_enter,
    .leave = replay_leave,
    .draw = replay_draw,
    .key = replay_handle_key,
    .hints = replay_add_hints,
    .pushes = replay_pushes,
    .print = replay_print,
    .line = replay_handle_line,
};
