#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

#include <stddef.h>
#include <string.h>

static bool has_new_trick(const struct game_view *before, const struct game_view *now)
{
    return now->has_last_trick &&
           (!before->has_last_trick || before->round != now->round ||
            before->past_count != now->past_count) &&
           now->step > before->step;
}

/* Moves the cursor to another player's card that one of the viewer's moves can point out. */
static void move_aim_cursor_to_valid_card(struct table_screen_state *state,
                                          const struct game_view *view)
{
    struct aims aims;
    aims_collect_pointing_moves(view, &aims);
    aims_put_cursor_on_valid_card(&aims, &state->aim);
}

/* Returns the move that the game suggests to the viewer, in a lesson the one that the lesson
 * suggests. MOVE_NONE: none. */
static uint8_t find_suggested_move(const struct table_screen_state *state,
                                   const struct game_view *view)
{
    if (view->game->face->suggest == NULL || !view_viewer_may_move(view)) {
        return MOVE_NONE;
    }
    return state->lesson.suggestion != NULL
               ? game_move_parse(view->game, state->lesson.suggestion->move)
               : view->game->face->suggest(view);
}

/* Selects what the game suggests, and nothing if it suggests nothing. */
static void reset_selection(struct table_screen_state *state, const struct game_view *view)
{
    struct choices choices;
    struct face_order order;
    uint8_t move = find_suggested_move(state, view);
    state->selected = -1;
    state->cursor = choices_make_empty_cursor();
    state->order = order_make_empty_cursor();
    if (move == MOVE_NONE) {
        return;
    }
    if (order_read_move(view, move, &order)) {
        state->order.move = move;
    }
    choices_collect(view, &choices);
    for (int i = 0; i < choices.count; i++) {
        state->cursor.selected = choices.moves[i] == move ? i : state->cursor.selected;
    }
    state->cursor.is_suggested = state->cursor.selected >= 0;
}

static void update_shown_view(struct ui *ui, struct table_screen_state *state)
{
    const struct game_view *now = &screen_model(ui)->entered->view;
    bool has_new_step = !state->has_shown || now->step != state->sent_step;
    state->is_sent = state->is_sent && !has_new_step;
    table_lesson_update(&state->lesson, screen_model(ui)->entered);
    if (memcmp(&state->asked, &now->legal, sizeof(state->asked)) != 0) {
        /* If several players act at once, moves of the others do not clear the text that the viewer
         * is typing. */
        reset_selection(state, now);
    }
    state->asked = now->legal;
    move_aim_cursor_to_valid_card(state, now);
    bool is_trick =
        state->has_shown && state->shown.game == now->game && has_new_trick(&state->shown, now);
    if (is_trick && state->shown.round != now->round) {
        table_make_view_of_finished_trick(&state->shown, now);
        state->shown.step = now->step;
        state->round_end.view = state->shown;
        state->round_end.has_view = true;
    } else if (is_trick || state->hold_end_ms == 0) {
        state->shown = *now;
    }
    state->has_shown = true;
    if (!table_shows_old_round(state, now)) {
        moment_note_view(&state->moment, now, screen_now_ms(ui));
    }
    if (is_trick) {
        state->hold_end_ms =
            screen_now_ms(ui) + pace_trick_ms((enum pace)screen_model(ui)->settings.pace);
        state->again_end_ms = 0;
    }
}

static void handle_view_push(struct ui *ui, void *state, UNUSED const json_t *message)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered != NULL && entered->has_view) {
        update_shown_view(ui, state);
    }
    if (entered != NULL && screen_is_plain(ui)) {
        table_print_view_changes(ui, state);
    }
    premove_follow_table(ui, state);
}

static void handle_score_sheet_push(struct ui *ui, void *opaque, const json_t *message)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered != NULL) {
        round_end_note_scores(&state->round_end, entered,
                              json_is_true(json_object_get(message, "reset")), screen_now_ms(ui));
    }
}

static void handle_table_push(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        return;
    }
    const struct entered_row *details = &entered->details;
    if (entered->row.phase == TABLE_OPEN) {
        state->has_shown = false;
    }
    if (!entered->has_result && details->commitment[0] != '\0' &&
        state->committed_game != details->game_id) {
        state->committed_game = details->game_id;
        memcpy(state->commitment, details->commitment, sizeof(state->commitment));
    }
    table_lesson_update(&state->lesson, entered);
    if (screen_is_plain(ui)) {
        table_print_table_changes(ui, state);
    }
    premove_follow_table(ui, state);
    table_claim_note_change(ui, state);
}

static void handle_result_push(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    const struct table_screen_state *state = opaque;
    if (screen_model(ui)->entered != NULL && screen_is_plain(ui) && state->has_told) {
        table_result_print(ui, state, screen_get_plain_lines(ui));
    }
}

static void table_enter(struct ui *ui, void *opaque, UNUSED int64_t argument)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    state->has_shown = false;
    state->has_told = false;
    state->missing_told = -1;
    state->hold_end_ms = 0;
    state->again_end_ms = 0;
    state->selected = -1;
    state->cursor = choices_make_empty_cursor();
    state->order = order_make_empty_cursor();
    state->is_sent = false;
    round_end_forget(&state->round_end, entered);
    state->told_claim.tricks = 0;
    if (entered != NULL) {
        table_claim_note_change(ui, state);
    }
    if (entered != NULL && entered->has_view) {
        update_shown_view(ui, state);
    }
    state->moment.since_ms = 0; /* a person who has just come has typed nothing for an old screen */
    state->premove = (struct premove){0};
    premove_follow_table(ui, state);
}

static void stop_holding_trick(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    state->hold_end_ms = 0;
    state->held_ms = screen_now_ms(ui);
    if (entered != NULL && entered->has_view) {
        moment_note_view(&state->moment, &entered->view, state->held_ms);
        state->shown = entered->view;
    }
}

static void end_expired_overlays(struct ui *ui, struct table_screen_state *state)
{
    int64_t now = screen_now_ms(ui);
    if (state->hold_end_ms != 0 && now >= state->hold_end_ms) {
        stop_holding_trick(ui, state);
    }
    (void)premove_play_last_card(ui, state);
    state->again_end_ms = now >= state->again_end_ms ? 0 : state->again_end_ms;
}

static void table_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        draw_text_centred(canvas, canvas->body.row + canvas->body.height / 2, canvas->body.column,
                          canvas->body.width, STYLE_DIM, _("One moment…"));
        return;
    }
    end_expired_overlays(ui, state);
    table_ring_bell_at_low_time(ui, state);
    if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        table_draw_before_start(ui, state, canvas);
    } else {
        table_draw_game(ui, state, canvas);
    }
}

/* Any key ends an overlay. Returns true if the key has no other effect. While the screen still
 * shows the round before, or the last trick again, no key decides anything: what it would decide
 * about is not in sight. */
static bool dismiss_overlay(struct ui *ui, struct table_screen_state *state,
                            const struct press *press)
{
    if (state->hold_end_ms == 0 && state->again_end_ms == 0) {
        return false;
    }
    bool is_covered = true;
    if (state->hold_end_ms != 0) {
        is_covered = table_shows_old_round(state, &screen_model(ui)->entered->view);
        stop_holding_trick(ui, state);
    } else {
        state->again_end_ms = 0;
    }
    return (is_covered && table_may_key_decide(ui, press)) || press->kind == PRESS_ENTER ||
           press->kind == PRESS_ESCAPE ||
           (press->kind == PRESS_CHAR && (press->code == ' ' || press->code == 't'));
}

/* Handles a key while the end of a round is shown, or a trick before it. Returns true if the key
 * has no other effect. */
static bool handle_key_at_round_end(struct ui *ui, struct table_screen_state *state,
                                    const struct press *press)
{
    if (state->hold_end_ms != 0 || state->again_end_ms != 0) {
        (void)dismiss_overlay(ui, state, press);
        return true; /* a key pressed to skip the trick must not skip the scores too */
    }
    return round_end_handle_key(ui, &state->round_end, press);
}

static bool handle_key(struct ui *ui, struct table_screen_state *state, const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    if (entered == NULL) {
        return false;
    }
    if (letter == 'q' && state->again_end_ms != 0) {
        state->again_end_ms = 0;
        return true;
    }
    if (letter == 'q') {
        visit_leave_table(ui);
        return true;
    }
    if (letter == 'N') {
        visit_next_table_with_own_turn(ui);
        return true;
    }
    if (letter == '?' || letter == 'r') {
        return screen_open(ui, "rules", 0);
    }
    if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        /* Esc closes a question there, and pressed once too often it must not leave the table */
        return press->kind == PRESS_ESCAPE || table_handle_key_before_start(ui, state, press);
    }
    if (round_end_is_shown(&state->round_end, entered, screen_now_ms(ui)) &&
        handle_key_at_round_end(ui, state, press)) {
        state->moment.since_ms = screen_now_ms(ui); /* the next key may be meant for it too */
        return true;
    }
    if (table_handle_key_in_halt(ui, state, press)) {
        return true;
    }
    if (dismiss_overlay(ui, state, press)) {
        return true;
    }
    if (letter == ' ') {
        /* a space bar pressed too late to skip a trick must not begin a chat line */
        return state->held_ms != 0 && screen_now_ms(ui) - state->held_ms < TABLE_LATE_SPACE_MS;
    }
    if (press->kind == PRESS_ESCAPE) {
        const struct order_cursor order = state->order;
        (void)premove_take_back(ui, state);
        reset_selection(state, &entered->view);
        if (order_is_asked(&entered->view) && order.picked >= 0) {
            state->order = order; /* the first Esc only puts the picked suit down */
            state->order.picked = -1;
        } else if (order_is_asked(&entered->view) && order.is_chosen) {
            screen_inform(ui, "%s", _("The hand is in its first order again."));
        }
        state->aim = (struct aim_cursor){.seat = UINT8_MAX};
        move_aim_cursor_to_valid_card(state, &entered->view);
        return true;
    }
    if (press->kind == PRESS_PAGE_UP || letter == 'L') {
        return screen_open(ui, "log", 0);
    }
    return (entered->view.phase == PHASE_OVER && table_result_handle_key(ui, press)) ||
           table_play_handle_key(ui, state, press);
}

static bool table_handle_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct table_screen_state *state = opaque;
    uint8_t named_move = state->cursor.named_move;
    bool is_used = handle_key(ui, state, press);
    if (state->cursor.named_move == named_move) {
        state->cursor.named_move = MOVE_NONE; /* this key has named no move */
    }
    return is_used;
}

static void table_add_hints(struct ui *ui, void *opaque, struct hints *hints)
{
    const struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        hints_add(hints, "q", _("lobby"));
    } else if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        table_add_hints_before_start(ui, hints);
    } else if (state->again_end_ms != 0) {
        hints_add(hints, "t", _("go back"));
        hints_add(hints, "s", _("scores"));
        hints_add(hints, "c", _("chat"));
    } else if (round_end_is_shown(&state->round_end, entered, screen_now_ms(ui))) {
        round_end_add_hints(&state->round_end, entered, hints);
    } else if (entered->view.phase == PHASE_OVER) {
        table_result_add_hints(ui, hints);
    } else {
        table_add_halt_hints(entered, state, hints);
        table_play_add_hints(ui, opaque, hints);
    }
}

/* Plain mode: does and prints what is due by now. Returns when the next such thing is due. */
static int64_t table_pass_time(struct ui *ui, void *opaque)
{
    int64_t warning_ms = table_print_clock_warning(ui, opaque);
    int64_t card_ms = premove_play_last_card(ui, opaque);
    return card_ms < warning_ms ? card_ms : warning_ms;
}

static int64_t table_next_redraw_ms(const struct ui *ui, const void *opaque)
{
    const struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    int64_t now = screen_now_ms(ui);
    int64_t hold_ms = pace_trick_ms((enum pace)screen_model(ui)->settings.pace);
    int64_t next = INT64_MAX;
    if (entered == NULL) {
        return next;
    }
    bool is_great = table_log_find_great_moment(entered, now, hold_ms) != NULL;
    bool has_clocks = entered->has_view && entered->view.to_act != 0;
    const int64_t due_ms[] = {
        has_clocks ? table_next_clock_change_ms(entered, now) : 0,
        is_great ? entered->log.great_ms + hold_ms : 0,
        state->hold_end_ms,
        state->again_end_ms,
        state->premove.auto_ms,
        round_end_next_change_ms(&state->round_end, entered, now),
    };
    for (size_t i = 0; i < ARRAY_LEN(due_ms); i++) {
        next = due_ms[i] != 0 && due_ms[i] < next ? due_ms[i] : next;
    }
    return next;
}

/* A long notice may cover what stands below the hand: the status line and the chat. */
static int table_count_free_rows(const void *opaque)
{
    const struct table_layout *layout = &((const struct table_screen_state *)opaque)->layout;
    return layout->status.height + layout->chat.height;
}

/* Keys that not every game has */
#define KEYS_FOR_CLUES N_("arrows Tab Enter")
#define KEYS_FOR_ORDER "< > 1-9"
#define KEY_GIVING_ORDER ((const char[]){ORDER_KEY_GIVE, '\0'})
#define KEY_CLAIMING "m"

/* The help leaves out the keys for which the table's game has no use. */
static bool table_lists_key(struct ui *ui, const struct screen_key *key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        return true;
    }
    const struct game_def *game = entered->row.game;
    const struct {
        const char *keys;
        bool is_used;
    } special[] = {
        {KEYS_FOR_CLUES, game->face->aim != NULL},
        {KEYS_FOR_ORDER, game->face->order != NULL},
        {KEY_GIVING_ORDER, game->face->order != NULL},
        {KEY_CLAIMING, game->claim != NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(special); i++) {
        if (strcmp(special[i].keys, key->keys) == 0) {
            return special[i].is_used;
        }
    }
    return true;
}

static const struct screen_key table_keys[] = {
    {"1-9 0 A-E", N_("play the card with that number, or choose that number"), "/play", NULL},
    {N_("arrows Enter"), N_("select a card or another choice, then confirm"), "/play", NULL},
    {KEYS_FOR_CLUES, N_("select another player's card and a clue, then give the clue"), "/play",
     NULL},
    {KEYS_FOR_ORDER,
     N_("putting colours in order: move the picked one, or swap two by their numbers"), "/play",
     NULL},
    {KEY_GIVING_ORDER, N_("putting colours in order: give the hand as it lies"), "/play", NULL},
    {KEY_CLAIMING, N_("claim all remaining tricks of the round"), "/claim", NULL},
    {"t", N_("show the last trick again"), "/last", NULL},
    {"i", N_("hide or show the facts above the players"), "/fold", NULL},
    {"s", N_("show the score sheet and explain it"), "/scores", NULL},
    {"L PgUp", N_("show what happened in this game, from the first round on"), "/story", NULL},
    {"? r", N_("show this game's rules; ? there lists the keys"), "/rules", NULL},
    {"w", N_("show who watches"), "/watchers", NULL},
    {"c", N_("say something at the table"), "/chat", NULL},
    {"Esc", N_("take back a typed number, or the card chosen for your next turn"), "/premove off",
     NULL},
    {"N", N_("go to the next game that waits for your move"), "/next", NULL},
    {N_("any key"), N_("after a round: go on with the next one"), "/resume", NULL},
    {"Enter", N_("resume a halted game, or take your seat back from a bot"), "/resume", NULL},
    {"q", N_("leave the table; keep your seat or give it up for good"), "/leave", NULL},
    {"X", N_("leave a running game for good: a bot takes the seat"), "/resign", NULL},
    {"k", N_("host, before the start: send away the player of the chosen seat"), "/kick", NULL},
    {"Enter", N_("before the start: sit down at the chosen seat"), "/sit", NULL},
    {"u", N_("before the start: stand up"), "/stand", NULL},
    {"b B", N_("host, before the start: add or remove a bot"), "/bot", NULL},
    {"o", N_("host, before the start: change game options and clock"), "/options", NULL},
    {"w", N_("host, before the start: set who may watch, and the delay"), "/watching", NULL},
    {"l", N_("host: lock the table with a password, or unlock it"), "/lock", NULL},
    {"s", N_("host: begin the game once all seats are taken"), "/start", NULL},
    {"n R", N_("after the game: ask to play again"), "/rematch", NULL},
    {"p", N_("watching: look back at the game so far"), "/past", NULL},
    {"p", N_("after the game: replay it step by step"), "/history", NULL},
    {"c", NULL, NULL, N_("chat")},
    {"?", NULL, NULL, N_("rules, help")},
    {"q", NULL, NULL, N_("leave")},
    {NULL, NULL, NULL, NULL},
};

static const struct screen_push table_pushes[] = {
    {"result", handle_result_push},
    {"sheet", handle_score_sheet_push},
    {"table", handle_table_push},
    {"view", handle_view_push},
    {NULL, NULL},
};

const struct screen table_screen = {
    .name = "table",
    .title = N_("Table"),
    .state_size = sizeof(struct table_screen_state),
    .keys = table_keys,
    .enter = table_enter,
    .leave = premove_end_at_leaving,
    .draw = table_draw,
    .key = table_handle_key,
    .hints = table_add_hints,
    .lists_key = table_lists_key,
    .pushes = table_pushes,
    .print = table_print,
    .line = table_handle_typed_line,
    .pass = table_pass_time,
    .shows_chat = true,
    .catches_line = table_catch_line,
    .count_free_rows = table_count_free_rows,
    .next_ms = table_next_redraw_ms,
};
