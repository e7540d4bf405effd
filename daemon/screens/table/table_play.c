#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"
#include "games/claim.h"

#include <string.h>

#define NAMES_BYTES 200

static const char *write_label(struct ui *ui, uint8_t move, struct text *out)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    return words_write_move(&words, &screen_model(ui)->entered->view, move, out);
}

/* True if the hand still has the cards for which the move was chosen. */
static bool is_hand_unchanged(const struct premove *premove, const struct game_view *view)
{
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        const struct view_slot *was = &premove->hand[i], *is = &view->hands[view->seat][i];
        if (was->is_empty != is->is_empty || was->card != is->card ||
            was->is_traded != is->is_traded) {
            return false;
        }
    }
    return true;
}

/* Returns why the move can no longer be made at the player's turn; NULL if it still can. */
static const char *find_why_move_ends(const struct premove *premove,
                                      const struct model_entered *entered)
{
    const struct game_view *view = &entered->view;
    if (view->seat == SPECTATOR) {
        return _("Nothing will play itself: you have no seat here any more.");
    }
    if (premove->game != entered->details.game_id || view->phase == PHASE_OVER) {
        return _("Nothing will play itself: the game is over.");
    }
    if (premove->round != view->round) {
        return _("Nothing will play itself at your turn: the round is over.");
    }
    return is_hand_unchanged(premove, view)
               ? NULL
               : _("Nothing will play itself at your turn: your cards have changed.");
}

static void note_move(struct ui *ui, struct premove *premove, uint8_t move, bool is_set)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    *premove = (struct premove){.is_offered = !is_set,
                                .is_set = is_set,
                                .move = move,
                                .game = entered->details.game_id,
                                .round = view->round,
                                .auto_ms = premove->auto_ms};
    memcpy(premove->hand, view->hands[view->seat], sizeof(premove->hand));
}

static void forget_move(struct premove *premove)
{
    *premove = (struct premove){.auto_ms = premove->auto_ms};
}

static void say_that_move_plays_itself(struct ui *ui, uint8_t move, bool is_in_halt)
{
    bool is_plain = ui->plain.is_on;
    const char *label = write_label(ui, move, &TEXT_OF(TABLE_TEXT));
    screen_inform(ui,
                  is_in_halt && is_plain
                      ? _("%s will play itself when the game goes on. /premove off takes it back.")
                  : is_in_halt ? _("%s will play itself when the game goes on. Esc takes it back.")
                  : is_plain   ? _("%s will play itself at your turn. /premove off takes it back.")
                               : _("%s will play itself at your turn. Esc takes it back."),
                  label);
}

/* Chooses a move, and says when it is made. is_in_halt: it is the player's own turn, but the game
 * waits for players (HALT_HOUSE), so a legal move is made when the game goes on. */
static void premove_choose(struct ui *ui, struct table_screen_state *state, uint8_t move,
                           bool is_in_halt)
{
    note_move(ui, &state->premove, move, true);
    say_that_move_plays_itself(ui, move, is_in_halt);
}

/* Handles the key of a card that was pressed before the player's turn: the first press offers the
 * card's move, the second chooses it. */
static void premove_point(struct ui *ui, struct table_screen_state *state, uint8_t move, char key)
{
    struct premove *premove = &state->premove;
    if (premove->is_offered && premove->move == move) {
        premove_choose(ui, state, move, false);
        return;
    }
    if (premove->is_set && premove->move == move) {
        say_that_move_plays_itself(ui, move, false);
        return;
    }
    note_move(ui, premove, move, false);
    screen_inform(ui, _("Not your turn yet: %c again or Enter plays %s as soon as it is."), key,
                  write_label(ui, move, &TEXT_OF(TABLE_TEXT)));
    screen_drop_notice_when_table_changes(ui);
}

bool premove_take_back(struct ui *ui, struct table_screen_state *state)
{
    bool was_any = state->premove.is_offered || state->premove.is_set;
    if (state->premove.is_set) {
        screen_inform(ui, "%s", _("Taken back: nothing will play itself at your turn."));
    }
    forget_move(&state->premove);
    return was_any;
}

const char *premove_write(struct ui *ui, const struct table_screen_state *state, struct text *out)
{
    return state->premove.is_set ? write_label(ui, state->premove.move, out) : "";
}

static bool may_move_now(const struct model_entered *entered,
                         const struct table_screen_state *state)
{
    return table_viewer_is_to_move(entered, HALT_NONE) && !state->is_sent;
}

bool premove_is_due(const struct table_screen_state *state, const struct model_entered *entered)
{
    return state->premove.is_set && may_move_now(entered, state) &&
           move_set_has(&entered->view.legal, state->premove.move);
}

void command_premove(struct ui *ui, const char *args)
{
    struct table_screen_state *state = screen_find_state(ui, "table");
    const struct model_entered *entered = screen_model(ui)->entered;
    if (state == NULL) {
        return;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    bool is_playing = entered->row.phase == TABLE_PLAYING && entered->has_view &&
                      entered->view.phase != PHASE_OVER && entered->view.seat != SPECTATOR;
    if (!is_playing) {
        screen_warn(ui, "%s", _("You are not playing a game here."));
        return;
    }
    if (strcmp(args, "off") == 0) {
        if (!premove_take_back(ui, state)) {
            screen_inform(ui, "%s", _("No move is chosen for your next turn."));
        }
        return;
    }
    if (args[0] == '\0') {
        const char *chosen = premove_write(ui, state, &TEXT_OF(TABLE_TEXT));
        screen_inform(ui,
                      chosen[0] != '\0' ? _("At your turn, this plays itself: %s")
                                        : _("No move is chosen for your next turn: /premove 4%s"),
                      chosen);
        return;
    }
    uint8_t move = typed_parse_later_move(&entered->view, &words, args);
    if (move == MOVE_NONE) {
        screen_warn(ui, _("\"%s\" is no card or move of yours: /premove 4, or /premove off."),
                    args);
    } else if (may_move_now(entered, state) || table_viewer_is_to_move(entered, HALT_HOUSE)) {
        table_make_move(ui, state, move);
    } else {
        premove_choose(ui, state, move, false);
        premove_follow_table(ui, state);
    }
}

/* Makes the chosen move in the player's turn, or says why it is not made. */
static void make_chosen_move(struct ui *ui, struct table_screen_state *state)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    uint8_t move = state->premove.move;
    struct text label = TEXT_OF(TABLE_TEXT), why = TEXT_OF(TABLE_TEXT);
    write_label(ui, move, &label);
    forget_move(&state->premove);
    if (move_set_has(&view->legal, move)) {
        table_make_move(ui, state, move);
        screen_inform(ui, _("Played as you wanted: %s"), label.at);
        return;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    words_write_phrase(&words, face_refusal(view, move), &why);
    /* the words stay when the table changes: the player has to know what was not done */
    if (why.at[0] != '\0') {
        screen_warn(ui, _("%s was not played: %s"), label.at, why.at);
    } else {
        screen_warn(ui, _("%s was not played: it is no move now."), label.at);
    }
}

/* Returns the move that plays the viewer's last card if it is the only legal move; otherwise
 * MOVE_NONE. */
static uint8_t find_forced_last_card(const struct game_view *view)
{
    int last = -1, count = 0;
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        last = view->hands[view->seat][i].is_empty ? last : i;
        count += !view->hands[view->seat][i].is_empty;
    }
    if (count != 1 || move_set_count(&view->legal) != 1) {
        return MOVE_NONE;
    }
    uint8_t move = view->game->face->point(view, (uint8_t)last);
    return move_set_has(&view->legal, move) ? move : MOVE_NONE;
}

void premove_end_at_leaving(struct ui *ui, void *opaque)
{
    struct table_screen_state *state = opaque;
    if (state->premove.is_set) {
        screen_inform(ui, "%s", _("Nothing will play itself: you have left the table."));
    }
    state->premove = (struct premove){0};
}

void premove_follow_table(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct premove *premove = &state->premove;
    if (entered == NULL || !entered->has_view) {
        premove_end_at_leaving(ui, state);
        return;
    }
    const char *why =
        premove->is_set || premove->is_offered ? find_why_move_ends(premove, entered) : NULL;
    if (why != NULL) {
        if (premove->is_set) {
            screen_inform(ui, "%s", why);
        }
        forget_move(premove);
    }
    if (entered->view.seat == SPECTATOR) {
        return;
    }
    if (!may_move_now(entered, state)) {
        premove->auto_ms = 0;
        return;
    }
    premove->is_offered = false;
    if (premove->is_set) {
        make_chosen_move(ui, state);
        return;
    }
    bool is_forced = screen_model(ui)->settings.plays_last_card &&
                     find_forced_last_card(&entered->view) != MOVE_NONE;
    if (is_forced && premove->auto_ms == 0) {
        int64_t now = ui->now_ms;
        int64_t from = state->hold_end_ms > now ? state->hold_end_ms : now;
        premove->auto_ms = from + PREMOVE_AUTO_MS;
    } else if (!is_forced) {
        premove->auto_ms = 0;
    }
}

int64_t premove_play_last_card(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct premove *premove = &state->premove;
    if (premove->auto_ms == 0 || !may_move_now(entered, state)) {
        return INT64_MAX;
    }
    if (ui->now_ms < premove->auto_ms) {
        return premove->auto_ms;
    }
    premove->auto_ms = 0;
    uint8_t move = find_forced_last_card(&entered->view);
    if (move != MOVE_NONE) {
        table_make_move(ui, state, move);
    }
    return INT64_MAX;
}

static bool viewer_is_asked(const struct model_entered *entered)
{
    return entered->you >= 0 && entered->claim.tricks > 0 &&
           (entered->claim.asked >> entered->you & 1) != 0;
}

/* Shows why a claim was refused, until the game goes on. */
static void show_refusal(struct ui *ui, const struct ui_answer *answer)
{
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        screen_drop_notice_when_table_changes(ui);
    }
}

/* Claims all remaining tricks of the round. Without a turn, shows why that is not possible. */
static void claim_all_tricks(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_view || !view_viewer_may_move(&entered->view)) {
        screen_warn(ui, "%s", _("It is not your turn: claim when you are to play a card."));
        screen_drop_notice_when_table_changes(ui);
        return;
    }
    screen_send_request(ui, "claim", json_pack("{s:i}", "step", (int)entered->view.step),
                        show_refusal, 0);
}

static void claim_if_confirmed(struct ui *ui, UNUSED void *opaque, const char *answer)
{
    if (answer != NULL) {
        claim_all_tricks(ui);
    }
}

/* Returns the number of remaining tricks if the viewer can prove now that all of them are theirs;
 * otherwise 0, and the reason, if there is one, in *objection. */
static unsigned count_certain_tricks(const struct model_entered *entered, const char **objection)
{
    struct claim_proof proof;
    *objection = NULL;
    if (!table_viewer_is_to_move(entered, HALT_NONE)) {
        return 0;
    }
    *objection = claim_prove(&entered->view, &entered->config, &proof);
    return *objection == NULL ? proof.count : 0;
}

/* Asks whether to claim, if at least two remaining tricks are certain; otherwise says why not. */
static void table_claim_after_asking(struct ui *ui)
{
    const char *objection;
    unsigned tricks = count_certain_tricks(screen_model(ui)->entered, &objection);
    if (tricks == 0 && objection == NULL) {
        /* without a turn or in a halted game, this says why it is not possible */
        claim_all_tricks(ui);
        return;
    }
    if (tricks <= 1) {
        screen_warn(ui, "%s",
                    objection != NULL ? _(objection)
                                      : _("Only the last trick is left: play your card."));
        screen_drop_notice_when_table_changes(ui);
        return;
    }
    screen_ask(ui, ASK_SURE,
               text_format(&TEXT_OF(NAMES_BYTES),
                           _("You can take all %u remaining tricks for certain. Claim them?"),
                           tricks),
               NULL, claim_if_confirmed);
}

/* Accepts the open claim, or plays on. Shows a warning if the viewer is not asked. */
static void answer_claim(struct ui *ui, bool is_accepted)
{
    if (!viewer_is_asked(screen_model(ui)->entered)) {
        screen_warn(ui, "%s", _("Nobody asks you about a claim now."));
        return;
    }
    screen_send_and_show_notice(ui, "claim_answer", json_pack("{s:b}", "accept", (int)is_accepted),
                                NULL);
}

void command_claim(struct ui *ui, const char *args)
{
    bool is_yes = strcmp(args, "y") == 0;
    if (args[0] == '\0') {
        claim_all_tricks(ui);
    } else if (is_yes || strcmp(args, "n") == 0) {
        answer_claim(ui, is_yes);
    } else {
        screen_warn(ui, "%s",
                    _("/claim alone claims all remaining tricks; /claim y or /claim n answers."));
    }
}

static void answer_by_key(struct ui *ui, UNUSED void *opaque, const char *key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (key != NULL && entered != NULL && viewer_is_asked(entered)) {
        answer_claim(ui, key[0] == 'y');
    }
}

static const struct ask_key answer_keys[] = {
    {"y", N_("accept")},
    {"n", N_("play on")},
    {NULL, NULL},
};

/* Writes the claimant's cards in the order in which they take the tricks. */
static const char *write_claimed_cards(const struct model_entered *entered,
                                       const struct words *words, struct text *out)
{
    char names[ROW_CLAIM_SIZE];
    char *rest = NULL;
    memcpy(names, entered->claim.cards, sizeof(names));
    for (char *name = strtok_r(names, " ", &rest); name != NULL;
         name = strtok_r(NULL, " ", &rest)) {
        uint8_t card = card_parse(entered->row.game->deck, name);
        if (card != CARD_NONE) {
            text_put(out, out->len == 0 ? "" : " ");
            words_write_card(words, card, out);
        }
    }
    return out->at;
}

bool table_claim_write_wait(const struct model_entered *entered, const struct words *words,
                            struct text *out)
{
    const struct claim_row *claim = &entered->claim;
    if (claim->tricks == 0 || model_claim_is_played_out(entered)) {
        return false;
    }
    if (words_is_own_seat(words, claim->seat)) {
        text_format(out, _("You claim all remaining tricks (%u): waiting for %s."), claim->tricks,
                    words_write_seats(words, claim->asked, &TEXT_OF(NAMES_BYTES)));
    } else {
        text_format(out, _("%s claims all remaining tricks: %s."),
                    words_write_seat(words, claim->seat, &TEXT_OF(NAMES_BYTES)),
                    write_claimed_cards(entered, words, &TEXT_OF(TABLE_TEXT)));
    }
    return true;
}

/* Tells of a new claim, and asks the viewer if the viewer has to answer. */
static void show_claim(struct ui *ui, const struct model_entered *entered)
{
    const struct claim_row *claim = &entered->claim;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    words.is_plain = true;
    const char *cards = write_claimed_cards(entered, &words, &TEXT_OF(TABLE_TEXT));
    const char *asked = words_write_seats(&words, claim->asked, &TEXT_OF(NAMES_BYTES));
    const char *claimant = words_write_seat(&words, claim->seat, &TEXT_OF(NAMES_BYTES));
    if (words_is_own_seat(&words, claim->seat)) {
        screen_add_chat_line(ui, _("You claim all remaining tricks: %s. Asked: %s."), cards, asked);
    } else if (viewer_is_asked(entered)) {
        screen_add_chat_line(ui,
                             _("%s claims all remaining tricks, in this order: %s. They cannot be "
                               "lost. /claim y accepts, /claim n plays on."),
                             claimant, cards);
        screen_ring_bell(ui);
        if (screen_may_ask(ui)) {
            screen_ask_for_key(ui,
                               text_format(&TEXT_OF(NAMES_BYTES),
                                           _("%s claims all remaining tricks (%u). Accept?"),
                                           claimant, claim->tricks),
                               answer_keys, answer_by_key);
        }
    }
}

void table_claim_note_change(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct claim_row *now = &entered->claim;
    struct claim_row *told = &state->told_claim;
    bool is_new = now->asked != 0 && (told->tricks != now->tricks || told->seat != now->seat ||
                                      strcmp(told->cards, now->cards) != 0);
    *told = *now;
    if (!viewer_is_asked(entered)) {
        screen_close_question(ui, answer_by_key);
    }
    if (is_new) {
        show_claim(ui, entered);
    }
}

bool table_claim_is_worth_offering(const struct model_entered *entered)
{
    const char *objection;
    return count_certain_tricks(entered, &objection) > 1 &&
           !(entered->details.is_lesson && lesson_find_suggestion(&entered->view) != NULL);
}

#define ENTER_AFTER_MOVE_MS 1500

/* True unless the key is a first Enter on a move that nobody has chosen. That Enter, which may have
 * been pressed out of habit or may end a word that was meant as talk, only names the move. */
static bool is_move_confirmed(struct table_screen_state *state, const struct press *press,
                              bool is_chosen, uint8_t move)
{
    bool is_sure = is_chosen && !state->is_after_letter;
    bool is_named = press->kind == PRESS_ENTER && !is_sure && state->cursor.named_move != move;
    if (is_named) {
        state->cursor.named_move = move;
    }
    return !is_named;
}

bool table_has_selection(const struct table_screen_state *state)
{
    return state->selected >= 0 || state->cursor.typed[0] != '\0' ||
           (state->cursor.selected >= 0 && !state->cursor.is_suggested) || state->aim.is_chosen ||
           state->order.is_chosen;
}

/* Call it when a move is made or chosen: the next Enter must not decide again. */
static void forget_selection(struct table_screen_state *state)
{
    state->selected = -1;
    state->cursor = choices_make_empty_cursor();
    state->aim.is_chosen = false;
}

static void choose_move_in_halt(struct ui *ui, struct table_screen_state *state, uint8_t move)
{
    forget_selection(state);
    premove_choose(ui, state, move, true);
}

static void send_move(struct ui *ui, struct table_screen_state *state, uint8_t move);

/* Keeps a move that reached the core during a halt. If the session knows of no halt, the answer may
 * be newer than what it knows, or an old one that the core has repeated: the move is sent once
 * more, and by its second answer the session knows. Returns false if the move cannot be kept. */
static bool keep_move_refused_in_halt(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !entered->has_view || entered->view.step != state->sent_step ||
        !move_set_has(&entered->view.legal, state->sent_move)) {
        return false;
    }
    if (table_viewer_is_to_move(entered, HALT_HOUSE)) {
        choose_move_in_halt(ui, state, state->sent_move);
        return true;
    }
    if (entered->row.halt == HALT_NONE && !state->is_sent_again) {
        send_move(ui, state, state->sent_move);
        state->is_sent_again = true;
        return true;
    }
    return false;
}

static void handle_move_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct table_screen_state *state = answer->state;
    if (answer->is_ok) {
        return;
    }
    bool is_awaited = state->is_sent && state->sent_step == answer->tag;
    if (is_awaited) {
        state->is_sent = false;
    }
    bool is_halted = strcmp(answer->code, "halted") == 0;
    if (is_halted && is_awaited && keep_move_refused_in_halt(ui, state)) {
        return;
    }
    screen_warn_of_refusal(ui, answer);
    if (is_halted) {
        screen_drop_notice_when_table_changes(ui); /* it is no longer true once the game goes on */
    }
}

static void send_move(struct ui *ui, struct table_screen_state *state, uint8_t move)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    struct text text = TEXT_OF(MOVE_TEXT_MAX);
    game_move_write(view->game, move, &text);
    state->is_sent = true;
    state->sent_step = view->step;
    state->sent_move = move;
    state->is_sent_again = false;
    forget_selection(state);
    screen_send_request(ui, "move",
                        json_pack("{s:I, s:i, s:s}", "table", (json_int_t)entered->row.id, "step",
                                  (int)view->step, "move", text.at),
                        handle_move_answer, view->step);
}

static void show_phrase_as_warning(struct ui *ui, struct phrase phrase)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    screen_warn(ui, "%s", words_write_phrase(&words, phrase, &TEXT_OF(TABLE_TEXT)));
    screen_drop_notice_when_table_changes(ui);
}

void table_refuse_move(struct ui *ui, uint8_t move)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    if (!ui->plain.is_on) {
        show_phrase_as_warning(ui, face_refusal(view, move));
        return;
    }
    screen_warn(ui, _("%s was not played: %s"),
                words_write_move(&words, view, move, &TEXT_OF(TABLE_TEXT)),
                words_write_phrase(&words, face_refusal(view, move), &TEXT_OF(TABLE_TEXT)));
    game_print_turn(view, &words, screen_get_plain_lines(ui));
}

void table_make_move(struct ui *ui, struct table_screen_state *state, uint8_t move)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    if (round_end_is_stop(entered)) {
        struct words words = words_make_for_entered_table(screen_theme(ui), entered);
        screen_inform(ui, _("The next round waits for %s."),
                      words_write_seats(&words, entered->details.awaited, &TEXT_OF(TABLE_TEXT)));
        screen_drop_notice_when_table_changes(ui);
    } else if (state->is_sent) {
        screen_inform(ui, "%s", _("Your move is on its way."));
        screen_drop_notice_when_table_changes(ui);
    } else if (!move_set_has(&view->legal, move)) {
        table_refuse_move(ui, move);
    } else {
        state->made_ms = ui->now_ms;
        if (table_viewer_is_to_move(entered, HALT_HOUSE)) {
            choose_move_in_halt(ui, state, move);
        } else {
            send_move(ui, state, move);
        }
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
                      words_write_seats(&words, entered->view.to_act, &TEXT_OF(TABLE_TEXT)));
        screen_drop_notice_when_table_changes(ui);
    }
}

static void play_card_at_place(struct ui *ui, struct table_screen_state *state, int hand_place)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    bool is_card = view->seat != SPECTATOR && hand_place < state->plan.count &&
                   !view->hands[view->seat][state->plan.slots[hand_place]].is_empty;
    uint8_t move =
        is_card ? view->game->face->point(view, state->plan.slots[hand_place]) : MOVE_NONE;
    if (!view_viewer_may_move(view)) {
        if (move != MOVE_NONE && view->to_act != 0) {
            premove_point(ui, state, move, hand_keyboard_key_of_place(hand_place));
        } else {
            show_whose_turn(ui);
        }
        return;
    }
    if (!is_card) {
        screen_warn(ui, "%s", _("You have no card there."));
    } else if (move == MOVE_NONE) {
        show_phrase_as_warning(ui, face_prompt(view));
    } else {
        state->selected = hand_place;
        table_make_move(ui, state, move);
    }
}

/* Selects the next card of the hand to the left (direction -1) or to the right (1). */
static void select_next_card(struct table_screen_state *state, const struct game_view *view,
                             int direction)
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

/* Says how many times Enter must still be pressed to make the move: once if Enter has named it,
 * twice if a letter has selected it. */
static void ask_for_enter(struct ui *ui, uint8_t move, bool is_named)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    screen_inform(ui, is_named ? _("Enter again takes this: %s") : _("Enter twice takes this: %s"),
                  words_write_move(&words, &entered->view, move, &TEXT_OF(TABLE_TEXT)));
    screen_drop_notice_when_table_changes(ui);
}

/* Returns the place of the card in the hand that was clicked; -1 if none was. */
static int find_clicked_place(const struct table_screen_state *state, const struct game_view *view,
                              const struct press *press)
{
    return press->kind == PRESS_CLICK && view->seat != SPECTATOR
               ? hand_find_place_at(&state->layout.hand, &state->plan, press->row, press->column,
                                    view->slot_count[view->seat])
               : -1;
}

static bool handle_key_choosing_card(struct ui *ui, struct table_screen_state *state,
                                     const struct press *press)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    int place = press->kind == PRESS_CHAR ? hand_place_of_keyboard_key(press->code)
                                          : find_clicked_place(state, view, press);
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
        uint8_t move = view->game->face->point(view, state->plan.slots[state->selected]);
        if (move != MOVE_NONE && move_set_has(&view->legal, move) &&
            !is_move_confirmed(state, press, true, move)) {
            ask_for_enter(ui, move, true);
        } else {
            play_card_at_place(ui, state, state->selected);
        }
        return true;
    }
    if (press->kind == PRESS_ENTER && state->premove.is_offered) {
        premove_choose(ui, state, state->premove.move, false);
        return true;
    }
    return false;
}

void table_show_spectators(struct ui *ui)
{
    const json_t *list = screen_model(ui)->entered->details.watcher_names;
    struct text names = TEXT_OF(TABLE_TEXT);
    for (size_t i = 0; i < json_array_size(list); i++) {
        char name[MODEL_NAME_MAX];
        drawable_copy_text(json_array_get(list, i), name, sizeof(name));
        text_format_list_item(&names, "%s", name);
    }
    if (names.len == 0) {
        screen_inform(ui, "%s", _("Nobody is watching."));
    } else {
        screen_inform(ui, _("Watching: %s"), names.at);
    }
}

/* Asks for confirmation before the player gives up the seat. */
static void ask_before_leaving_for_good(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->you < 0) {
        screen_inform(ui, "%s", _("You have no seat here: q goes back to the lobby."));
        return;
    }
    visit_leave_for_good_after_asking(ui, NULL);
}

void command_stand(struct ui *ui)
{
    if (screen_model(ui)->entered->row.phase == TABLE_PLAYING &&
        screen_model(ui)->entered->you >= 0) {
        ask_before_leaving_for_good(ui);
        return;
    }
    screen_send_and_show_notice(ui, "seat_leave", json_object(), NULL);
}

void command_resign(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->you >= 0 && entered->row.phase != TABLE_PLAYING) {
        screen_inform(ui, "%s", _("No game is running here: /stand gives up your seat."));
        return;
    }
    ask_before_leaving_for_good(ui);
}

static void show_last_trick_again(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    bool is_round_end =
        round_end_is_stop(entered) || round_end_is_shown(&state->round_end, entered, ui->now_ms);
    if (!entered->has_view || !entered->view.has_last_trick ||
        !(is_round_end || scene_has_trick_of_round(&entered->view))) {
        screen_inform(ui, "%s", _("No trick has been taken in this round yet."));
        screen_drop_notice_when_table_changes(ui);
        return;
    }
    state->again_end_ms = ui->now_ms + TABLE_LAST_TRICK_MS;
}

/* Opens the screen with the earlier steps of the game, for spectators only. Returns false for a
 * player, or if no game is in play. */
static bool open_earlier_steps(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->row.phase != TABLE_PLAYING || entered->you >= 0) {
        return false;
    }
    return screen_open(ui, "past", 0);
}

void command_past(struct ui *ui)
{
    if (!open_earlier_steps(ui)) {
        screen_warn(ui, "%s",
                    _("Only spectators of a running game can go back through its tricks."));
    }
}

static bool handle_letter_key(struct ui *ui, struct table_screen_state *state,
                              const struct press *press)
{
    switch (press->kind == PRESS_CHAR ? press->code : 0) {
    case 't':
        show_last_trick_again(ui, state);
        return true;
    case 's':
        return screen_open(ui, "sheet", 0);
    case 'm':
        table_claim_after_asking(ui);
        return true;
    case 'w':
        table_show_spectators(ui);
        return true;
    case 'i':
        state->is_board_folded = !state->is_board_folded;
        return true;
    case 'p':
        return open_earlier_steps(ui);
    case 'X':
        ask_before_leaving_for_good(ui);
        return true;
    default:
        return false;
    }
}

/* The keys h, j, k and l act as arrow keys, as on every screen. */
static struct press translate_hjkl_to_arrow(const struct press *press)
{
    static const char letters[] = "hjkl";
    static const enum press_kind arrows[] = {PRESS_LEFT, PRESS_DOWN, PRESS_UP, PRESS_RIGHT};
    struct press meant = *press;
    const char *letter = press->kind == PRESS_CHAR && press->code > 0 && press->code < 128
                             ? strchr(letters, (int)press->code)
                             : NULL;
    if (letter != NULL) {
        meant.kind = arrows[letter - letters];
    }
    return meant;
}

bool table_may_key_decide(struct ui *ui, const struct press *press)
{
    struct choices choices;
    if (press->kind == PRESS_ENTER || press->kind == PRESS_CLICK) {
        return true;
    }
    if (press->kind != PRESS_CHAR || press->code >= 128) {
        return false;
    }
    choices_collect(&screen_model(ui)->entered->view, &choices);
    bool is_choice = false;
    for (int i = 0; i < choices.count && choices.keys == CHOICE_LETTERS; i++) {
        is_choice |= choices.typed[i][0] == (char)press->code;
    }
    bool gives_order =
        press->code == ORDER_KEY_GIVE && order_is_asked(&screen_model(ui)->entered->view);
    return is_choice || gives_order || press->code == ',' ||
           hand_place_of_keyboard_key(press->code) >= 0;
}

/* True for keys that select a card or a choice, or change what has been typed. `meant` has arrows
 * in place of h, j, k and l. */
static bool may_key_select(const struct press *meant)
{
    bool is_arrow = meant->kind >= PRESS_UP && meant->kind <= PRESS_END;
    return is_arrow || meant->kind == PRESS_TAB || meant->kind == PRESS_BACKSPACE ||
           (meant->kind == PRESS_CHAR && (meant->code == '<' || meant->code == '>'));
}

bool table_take_enter_after_move(struct ui *ui, struct table_screen_state *state,
                                 const struct press *press)
{
    bool is_meant = press->kind == PRESS_ENTER && state->made_ms != 0 &&
                    ui->now_ms - state->made_ms < ENTER_AFTER_MOVE_MS;
    state->made_ms = press->kind == PRESS_ENTER ? 0 : state->made_ms;
    return is_meant;
}

/* Handles a key that was typed for the screen of a moment ago: tells the player that it did
 * nothing. An Enter needs no words after a key that has decided already, or that came too early
 * too: the words about that key stay. */
static bool handle_key_for_old_screen(struct ui *ui, struct table_screen_state *state,
                                      const struct press *press)
{
    const struct press meant = translate_hjkl_to_arrow(press);
    bool is_too_early =
        state->moment.since_ms != 0 && ui->now_ms - state->moment.since_ms < MOMENT_MS;
    if (!is_too_early || (!table_may_key_decide(ui, press) && !may_key_select(&meant))) {
        return false;
    }
    if (press->kind == PRESS_CHAR) {
        screen_inform(ui, _("%c came too early for this screen: press it again."),
                      (int)press->code);
    } else if (press->kind == PRESS_CLICK) {
        screen_inform(ui, "%s", _("The click came too early for this screen: click again."));
    } else if (press->kind != PRESS_ENTER) {
        screen_inform(ui, "%s", _("That key came too early for this screen: press it again."));
    } else if (!table_take_enter_after_move(ui, state, press) &&
               state->early_key_since_ms != state->moment.since_ms) {
        screen_inform(ui, "%s", _("Enter came too early for this screen: press it again."));
    }
    state->early_key_since_ms = state->moment.since_ms;
    return true;
}

static bool is_letter(const struct press *press)
{
    uint32_t code = press->kind == PRESS_CHAR ? press->code : 0;
    return code >= 128 || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

/* Handles a key with which the player chooses among moves that are not cards of the hand: points at
 * other players' cards, puts suits in order, or selects one of the choices. */
static bool handle_key_choosing_move(struct ui *ui, struct table_screen_state *state,
                                     const struct press *press)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    const char *again = _("Enter again gives this clue; arrows choose another one.");
    struct choices choices;
    uint8_t move;
    choices_collect(view, &choices);
    enum choice_result result = aims_handle_key(&choices.aims, &state->aim, press, &move);
    bool is_chosen = state->aim.is_chosen;
    if (result == CHOICE_IGNORED) {
        int place = find_clicked_place(state, view, press);
        again = _("Enter again gives the hand in this order; arrows and < > change it.");
        result = order_handle_key(view, &state->order, press, place, &move);
        is_chosen = state->order.is_chosen;
    }
    if (result == CHOICE_IGNORED) {
        again = NULL;
        result = choices_handle_key(&choices, &state->cursor, press, &move);
        is_chosen = !state->cursor.is_suggested;
    }
    if (result == CHOICE_MADE && is_move_confirmed(state, press, is_chosen, move)) {
        table_make_move(ui, state, move);
    } else if (result == CHOICE_MADE && again != NULL) {
        screen_inform(ui, "%s", again);
        screen_drop_notice_when_table_changes(ui);
    } else if (result == CHOICE_MADE && !choices.has_pairs) {
        ask_for_enter(ui, move, true); /* pairs have a line that says what Enter does */
    } else if (result == CHOICE_TAKEN && again == NULL && choices.keys == CHOICE_LETTERS &&
               is_letter(press)) {
        ask_for_enter(ui, choices.moves[state->cursor.selected], false);
    } else if (result == CHOICE_REFUSED && state->cursor.typed[0] != '\0') {
        screen_warn(ui, _("%s is no choice here: Enter confirms %s, Esc takes it back."),
                    state->cursor.refused, state->cursor.typed);
    } else if (result == CHOICE_REFUSED) {
        screen_warn(ui, _("%s is no choice here."), state->cursor.refused);
    }
    return result != CHOICE_IGNORED;
}

bool table_play_handle_key(struct ui *ui, struct table_screen_state *state,
                           const struct press *press)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    struct press meant = translate_hjkl_to_arrow(press);
    bool is_card_key = press->kind == PRESS_CLICK ||
                       (press->kind == PRESS_CHAR && hand_place_of_keyboard_key(press->code) >= 0);
    if (press->kind != PRESS_ENTER) {
        state->is_after_letter = is_letter(press);
    }
    if (view->seat != SPECTATOR && handle_key_for_old_screen(ui, state, press)) {
        return true;
    }
    if (!is_card_key && press->kind != PRESS_ENTER) {
        state->premove.is_offered = false; /* another key withdraws the offer */
    }
    if (view->seat != SPECTATOR) {
        /* Keys choose cards by their places in the current hand. The hand on the screen may be
         * older, as long as a finished trick is shown. */
        state->plan.count =
            hand_order_slots(view, (uint8_t)view->seat, &state->keeps_slots, state->plan.slots);
    }
    if (view_viewer_may_move(view) && !state->is_sent &&
        handle_key_choosing_move(ui, state, &meant)) {
        return true;
    }
    return handle_key_choosing_card(ui, state, &meant) || handle_letter_key(ui, state, press) ||
           table_take_enter_after_move(ui, state, press);
}

bool table_shows_old_round(const struct table_screen_state *state, const struct game_view *now)
{
    return state->has_shown && state->shown.game == now->game && state->shown.round != now->round;
}

void table_make_view_of_finished_trick(struct game_view *held, const struct game_view *now)
{
    held->last_trick = now->last_trick;
    held->has_last_trick = true;
    if (held->past_count < TRICKS_MAX) {
        held->past[held->past_count++] = now->last_trick; /* the games count from these tricks */
    }
    held->trick.count = 0;
    for (const struct info_def *def = held->game->info; def != NULL && def->key != NULL; def++) {
        if (def->running != NULL) { /* the game counts it through all rounds, by seat */
            memcpy(held->info + def->at, now->info + def->at, held->seats);
        }
    }
    held->to_act = 0;
    held->legal = move_set_empty();
    held->tricks[now->last_trick.winner]++;
    memcpy(held->scores, now->scores, sizeof(held->scores));
    for (uint8_t seat = 0; seat < held->seats; seat++) {
        for (uint8_t i = 0; i < held->slot_count[seat]; i++) {
            held->hands[seat][i].is_empty = true;
        }
    }
}
