#include "daemon/screens/table/table_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table.h"
#include "games/face.h"

/* Keys that are named in a hint, such as "1-3 5". A run of neighbouring keys is written as its
 * first and its last one. */
struct key_runs {
    struct text *out;
    int last;                      /* the number of the last key; -1: none yet */
    char last_key[CHOICE_KEY_MAX]; /* that key, if it is not written yet; otherwise "" */
};

static void end_run_of_keys(struct key_runs *runs)
{
    if (runs->last_key[0] != '\0') {
        text_format(runs->out, "-%s", runs->last_key);
        runs->last_key[0] = '\0';
    }
}

/* Adds a key; numbers that follow each other belong to neighbouring keys. */
static void add_key_to_runs(struct key_runs *runs, int number, const char *key)
{
    if (runs->last >= 0 && number == runs->last + 1) {
        struct text last = text_init(runs->last_key, sizeof(runs->last_key));
        text_put(&last, key);
    } else {
        end_run_of_keys(runs);
        text_format(runs->out, runs->out->len > 0 ? " %s" : "%s", key);
    }
    runs->last = number;
}

/* Writes the keys of the cards that may be played now: "1-7", "2-4 9 0 A-C". */
static const char *write_card_keys(const struct game_view *view,
                                   const struct table_screen_state *state, struct text *out)
{
    uint8_t slots[SLOTS_MAX];
    bool keeps_slots = state->keeps_slots;
    uint8_t count = hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
    struct key_runs runs = {.out = out, .last = -1};
    for (int place = 0; place < count; place++) {
        bool is_empty = view->hands[view->seat][slots[place]].is_empty;
        uint8_t move = is_empty ? MOVE_NONE : view->game->face->point(view, slots[place]);
        const char key[] = {hand_keyboard_key_of_place(place), '\0'};
        int gap = (key[0] == '0') + 2 * (key[0] > '9'); /* no run of 9, 0 and A */
        if (move < MOVES_MAX && move_set_has(&view->legal, move)) {
            add_key_to_runs(&runs, place + gap, key);
        }
    }
    end_run_of_keys(&runs);
    return out->at;
}

/* Writes the numbers that may be chosen now: "0-2 4-7". */
static const char *write_number_keys(const struct game_view *view, const struct choices *choices,
                                     struct text *out)
{
    struct key_runs runs = {.out = out, .last = -1};
    for (int i = 0; i < choices->count; i++) {
        if (move_set_has(&view->legal, choices->moves[i])) {
            add_key_to_runs(&runs, i, choices->typed[i]);
        }
    }
    end_run_of_keys(&runs);
    return out->at;
}

/* In a halt, Enter takes only what the player has selected; otherwise it ends the halt. */
static bool does_enter_take_move(const struct model_entered *entered,
                                 const struct table_screen_state *state)
{
    return !table_game_is_halted(entered) || table_has_selection(state);
}

static void add_choice_hints(const struct words *words, const struct model_entered *entered,
                             const struct table_screen_state *state, const struct choices *choices,
                             struct hints *hints)
{
    const struct game_view *view = &entered->view;
    bool has_number_keys =
        choices->keys == CHOICE_NUMBERS || (choices->keys == CHOICE_INDEX && choices->count <= 9);
    if (choices->has_pairs) {
        hints_add(hints, N_("3 or 3,4"), _("one number or two"));
        if (does_enter_take_move(entered, state)) {
            hints_add(hints, "Enter", _("confirm"));
        }
    } else if (choices->count > 0 && has_number_keys) {
        hints_add(hints, write_number_keys(view, choices, &TEXT_OF(HINT_MAX)), _("choose"));
    } else if (choices->count == 1) {
        struct phrase label = view->game->face->label(view, choices->moves[0]);
        hints_add(hints, choices->typed[0], words_write_phrase(words, label, &TEXT_OF(HINT_MAX)));
    } else if (choices->count > 0) {
        hints_add(hints, N_("arrows Enter"), _("choose"));
    }
    const char *cards = write_card_keys(view, state, &TEXT_OF(HINT_MAX));
    if (choices->has_pointing && cards[0] != '\0') {
        hints_add(hints, cards, _(face_describe_pointing_at_card(view)));
    }
    if (!choices->has_pairs && state->cursor.typed[0] != '\0' && state->cursor.selected >= 0) {
        struct text take = TEXT_OF(HINT_MAX);
        text_format(&take, _("take %s"), state->cursor.typed);
        hints_add(hints, "Enter", take.at);
    }
}

static bool has_board_facts(const struct game_view *view)
{
    struct face_fact facts[FACE_BOARD_MAX];
    return view->game->face->board != NULL && view->game->face->board(view, facts) > 0;
}

/* Names the keys that put the suits of the hand in order, if the viewer has to. */
static void add_order_hints(const struct game_view *view, const struct table_screen_state *state,
                            struct hints *hints)
{
    struct face_order order;
    struct text numbers = TEXT_OF(HINT_MAX);
    if (!order_is_asked(view) || !order_find_shown(view, &state->order, &order)) {
        return;
    }
    text_format(&numbers, order.suit_count > 1 ? "1-%u" : "%u", order.suit_count);
    hints_add(hints, (const char[]){ORDER_KEY_GIVE, '\0'}, _("give"));
    /* first what nothing else tells: the suits have their numbers beside their names */
    hints_add(hints, "< >", _("move"));
    hints_add(hints, numbers.at, _("pick"));
}

void table_play_add_hints(struct ui *ui, const struct table_screen_state *state,
                          struct hints *hints)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    if (entered->you < 0) {
        hints_add(hints, "p", _("look back"));
    }
    if (view_viewer_may_move(view) && !state->is_sent &&
        (!table_game_is_halted(entered) || table_halt_keeps_moves(entered))) {
        struct choices choices;
        struct aims aims;
        aims_collect_pointing_moves(view, &aims);
        choices_collect(view, &choices);
        if (aims.count > 0 && does_enter_take_move(entered, state)) {
            hints_add(hints, "Enter", _("give it"));
        }
        if (aims.count > 0) {
            hints_add(hints, N_("arrows Tab"), _("choose"));
        }
        struct words words =
            words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
        words.is_plain = true;
        add_choice_hints(&words, entered, state, &choices, hints);
        add_order_hints(view, state, hints);
    }
    if (state->premove.is_set || state->cursor.typed[0] != '\0') {
        hints_add(hints, "Esc", _("take back"));
    }
    if (!state->is_sent && table_claim_is_worth_offering(screen_model(ui)->entered)) {
        hints_add(hints, "m", _("claim the rest"));
    }
    if (scene_has_trick_of_round(view)) {
        hints_add(hints, "t", _("last trick"));
    }
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "c", _("chat"));
    hints_add(hints, "L", _("story"));
    if (has_board_facts(view) && state->layout.side.width == 0) {
        hints_add(hints, "i", state->is_board_folded ? _("board") : _("fold the board"));
    }
    hints_add(hints, "w", _("watchers"));
}
