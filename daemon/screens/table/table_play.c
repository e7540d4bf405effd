#include "daemon/screens/table/table_play.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/model/model_read.h"
#include "daemon/screens/table/table_state.h"
#include "games/face.h"

#define LINE_BYTES 400

static void handle_move_answer(struct ui *ui, void *opaque, int64_t step, bool is_ok,
                               const json_t *answer)
{
    struct table_state *state = opaque;
    if (is_ok) {
        return;
    }
    if (state->sent_step == step) {
        state->is_sent = false;
    }
    screen_warn_of_refusal(ui, answer);
}

static void send_move(struct ui *ui, struct table_state *state, uint8_t move)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    struct text text = TEXT_OF(MOVE_TEXT_MAX);
    game_move_write(view->game, move, &text);
    state->is_sent = true;
    state->sent_step = view->step;
    screen_send_request(ui, "move",
                        json_pack("{s:I, s:i, s:s}", "table", (json_int_t)entered->row.id, "step",
                                  (int)view->step, "move", text.at),
                        handle_move_answer, view->step);
}

static void show_phrase_as_warning(struct ui *ui, struct phrase phrase)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    screen_warn(ui, "%s", words_write_phrase(&words, phrase, &TEXT_OF(LINE_BYTES)));
    screen_drop_notice_when_table_changes(ui);
}

void table_make_move(struct ui *ui, struct table_state *state, uint8_t move)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    if (state->is_sent) {
        screen_inform(ui, "%s", _("Your move is on its way."));
        screen_drop_notice_when_table_changes(ui);
    } else if (move_set_has(&view->legal, move)) {
        send_move(ui, state, move);
    } else {
        show_phrase_as_warning(ui, view->game->face->refusal(view, move));
    }
}

/* Shows why choosing a card has no effect now. */
static void show_whose_turn(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    if (entered->you < 0) {
        screen_inform(ui, "%s", _("You are watching: only players choose cards."));
    } else if (entered->view.to_act != 0) {
        screen_inform(ui, _("Not your turn yet: waiting for %s."),
                      words_write_seats(&words, entered->view.to_act, &TEXT_OF(LINE_BYTES)));
        screen_drop_notice_when_table_changes(ui);
    }
}

static void play_card_at_place(struct ui *ui, struct table_state *state, int hand_place)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    if (!view_viewer_may_move(view)) {
        show_whose_turn(ui);
        return;
    }
    if (hand_place >= state->plan.count ||
        view->hands[view->seat][state->plan.slots[hand_place]].is_empty) {
        return;
    }
    uint8_t move = view->game->face->point(view, state->plan.slots[hand_place]);
    if (move == MOVE_NONE) {
        show_phrase_as_warning(ui, view->game->face->prompt(view));
    } else {
        state->selected = hand_place;
        table_make_move(ui, state, move);
    }
}

/* Selects the next card of the hand to the left (direction -1) or to the right (1). */
static void select_next_card(struct table_state *state, const struct game_view *view, int direction)
{
    int at = state->selected < 0 ? (direction > 0 ? -1 : state->plan.count) : state->selected;
    do {
        at += direction;
    } while (at >= 0 && at < state->plan.count &&
             view->hands[view->seat][state->plan.slots[at]].is_empty);
    if (at >= 0 && at < state->plan.count) {
        state->selected = at;
        state->cursor.selected = -1;
    }
}

static bool handle_key_choosing_card(struct ui *ui, struct table_state *state,
                                     const struct press *press)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    int place = press->kind == PRESS_CHAR ? hand_place_of_keyboard_key(press->code) : -1;
    if (press->kind == PRESS_CLICK && view->seat != SPECTATOR) {
        place = hand_find_place_at(&state->layout.hand, &state->plan, press->row, press->column,
                                   view->slot_count[view->seat]);
    }
    if (place >= 0) {
        play_card_at_place(ui, state, place);
        return true;
    }
    if (view->seat == SPECTATOR) {
        return false;
    }
    if (press->kind == PRESS_LEFT || press->kind == PRESS_RIGHT) {
        select_next_card(state, view, press->kind == PRESS_LEFT ? -1 : 1);
        return true;
    }
    if (press->kind == PRESS_ENTER && state->selected >= 0) {
        play_card_at_place(ui, state, state->selected);
        return true;
    }
    return false;
}

void table_show_spectators(struct ui *ui)
{
    const json_t *list = screen_model(ui)->entered->details.watcher_names;
    struct text names = TEXT_OF(LINE_BYTES);
    for (size_t i = 0; i < json_array_size(list); i++) {
        char name[MODEL_NAME_MAX];
        model_read_text(json_array_get(list, i), name, sizeof(name));
        text_format_list_item(&names, "%s", name);
    }
    if (names.len == 0) {
        screen_inform(ui, "%s", _("Nobody is watching."));
    } else {
        screen_inform(ui, _("Watching: %s"), names.at);
    }
}

static void leave_for_good_if_confirmed(struct ui *ui, UNUSED void *opaque, const char *answer)
{
    if (answer != NULL) {
        screen_send_request(ui, "seat_leave", json_pack("{s:b}", "for_good", 1), NULL, 0);
    }
}

void table_ask_before_leaving_for_good(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->you < 0) {
        screen_inform(ui, "%s", _("You have no seat here: q goes back to the lobby."));
        return;
    }
    screen_ask(ui, ASK_YES,
               entered->details.is_rated ? _("Leave for good? You rank below all who finish.")
                                         : _("Leave for good? The game counts as one you left."),
               NULL, leave_for_good_if_confirmed);
}

static void show_last_trick_again(struct ui *ui, struct table_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_view || !entered->view.has_last_trick) {
        screen_inform(ui, "%s", _("No trick has been taken yet."));
        return;
    }
    state->over = TABLE_OVER_TRICK;
    state->over_end_ms = screen_now_ms(ui) + TABLE_SHEET_MS;
}

bool table_open_earlier_steps(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->row.phase != TABLE_PLAYING || entered->you >= 0) {
        return false;
    }
    return screen_open(ui, "past", 0);
}

static bool handle_letter_key(struct ui *ui, struct table_state *state, const struct press *press)
{
    switch (press->kind == PRESS_CHAR ? press->code : 0) {
    case 't':
        show_last_trick_again(ui, state);
        return true;
    case 's':
        return screen_open(ui, "sheet", 0);
    case 'w':
        table_show_spectators(ui);
        return true;
    case 'i':
        state->is_board_folded = !state->is_board_folded;
        return true;
    case 'p':
        return table_open_earlier_steps(ui);
    case 'X':
        table_ask_before_leaving_for_good(ui);
        return true;
    default:
        return false;
    }
}

/* The keys h, j, k and l act as arrow keys, as on every screen. */
static struct press translate_hjkl_to_arrow(const struct press *press)
{
    static const struct {
        char key;
        enum press_kind kind;
    } arrows[] = {{'h', PRESS_LEFT}, {'j', PRESS_DOWN}, {'k', PRESS_UP}, {'l', PRESS_RIGHT}};
    struct press meant = *press;
    for (size_t i = 0; i < ARRAY_LEN(arrows); i++) {
        if (press->kind == PRESS_CHAR && press->code == (uint32_t)arrows[i].key) {
            meant.kind = arrows[i].kind;
        }
    }
    return meant;
}

static bool handle_key_choosing_clue(struct ui *ui, struct table_state *state,
                                     const struct press *press)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    struct aims aims;
    uint8_t move;
    aims_collect_pointing_moves(view, &aims);
    bool is_used = aims_handle_key(&aims, view, &state->aim, press, &move);
    if (move != MOVE_NONE) {
        table_make_move(ui, state, move);
    }
    return is_used;
}

bool table_play_handle_key(struct ui *ui, struct table_state *state, const struct press *press)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    struct press meant = translate_hjkl_to_arrow(press);
    if (view->seat != SPECTATOR) {
        /* Keys choose cards by their places in the current hand. The hand on the screen may be
         * older, as long as a finished trick is shown. */
        state->plan.count =
            hand_order_slots(view, (uint8_t)view->seat, &state->keeps_slots, state->plan.slots);
    }
    if (view_viewer_may_move(view) && !state->is_sent &&
        handle_key_choosing_clue(ui, state, &meant)) {
        return true;
    }
    if (view_viewer_may_move(view) && !state->is_sent) {
        struct choices choices;
        uint8_t move = MOVE_NONE;
        choices_collect(view, &choices);
        enum choice_result result = choices_handle_key(&choices, &state->cursor, &meant, &move);
        if (result == CHOICE_MADE) {
            table_make_move(ui, state, move);
        }
        if (result != CHOICE_IGNORED) {
            return true;
        }
    }
    return handle_key_choosing_card(ui, state, &meant) || handle_letter_key(ui, state, press);
}

/* Writes the keys that choose the cards of a hand: "1-7", "1-9 0", "1-9 0 A-E". */
static const char *write_card_keys(int card_count, struct text *out)
{
    if (card_count <= 9) {
        text_format(out, card_count == 1 ? "%d" : "1-%d", card_count);
    } else {
        text_put(out, "1-9 0");
        text_put(out, card_count > 10 ? " A" : "");
    }
    if (card_count > 11) {
        text_format(out, "-%c", hand_keyboard_key_of_place(card_count - 1));
    }
    return out->at;
}

static void add_choice_hints(const struct game_view *view, const struct table_state *state,
                             const struct choices *choices, struct hints *hints)
{
    struct text keys = TEXT_OF(HINT_MAX);
    if (choices->count > 0 && choices->keys == CHOICE_NUMBERS) {
        text_format(&keys, "%s-%s", choices->typed[0], choices->typed[choices->count - 1]);
        if (!choices->has_pairs) {
            hints_add(hints, keys.at, _("choose"));
        } else if (state->cursor.typed[0] == '\0') {
            hints_add(hints, "3 Enter", _("one number"));
            hints_add(hints, "3,8", _("two numbers"));
        }
    } else if (choices->count > 0) {
        hints_add(hints, choices->count == 1 ? choices->typed[0] : N_("arrows Enter"), _("choose"));
    }
    if (choices->has_pointing && state->plan.count > 0) {
        hints_add(hints, write_card_keys(state->plan.count, &TEXT_OF(HINT_MAX)),
                  _(face_describe_pointing_at_card(view)));
    }
    if (state->cursor.typed[0] != '\0' && state->cursor.selected >= 0) {
        struct text take = TEXT_OF(HINT_MAX);
        text_format(&take, _("take %s"), state->cursor.typed);
        hints_add(hints, "Enter", take.at);
        if (choices->has_pairs) {
            hints_add(hints, ",", _("second number"));
        }
    }
}

void table_play_add_hints(struct ui *ui, const struct table_state *state, struct hints *hints)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    if (screen_model(ui)->entered->you < 0) {
        hints_add(hints, "p", _("look back"));
    }
    if (view_viewer_may_move(view) && !state->is_sent) {
        struct choices choices;
        struct aims aims;
        aims_collect_pointing_moves(view, &aims);
        choices_collect(view, &choices);
        if (aims.count > 0) {
            hints_add(hints, "Enter", _("give clue"));
            hints_add(hints, N_("arrows"), _("select card"));
            hints_add(hints, "Tab", _("next clue"));
        }
        add_choice_hints(view, state, &choices, hints);
    }
    hints_add(hints, "t", _("last trick"));
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "c", _("chat"));
    if (view->game->face->board != NULL && state->layout.side.width == 0) {
        hints_add(hints, "i", state->is_board_folded ? _("board") : _("fold the board"));
    }
    hints_add(hints, "w", _("watchers"));
}
