#include "games/game.h"

#include <string.h>

void view_clear(struct game_view *view)
{
    memset(view, 0, sizeof(*view));
    view->seat = SPECTATOR;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        view->bids[seat] = BID_NONE;
        for (uint8_t i = 0; i < SLOTS_MAX; i++) {
            view->hands[seat][i].card = CARD_NONE;
            view->hands[seat][i].suit = SUIT_NONE;
        }
    }
    memset(view->info, INFO_NONE, sizeof(view->info));
}

static void hide_copy_numbers_in_trick(const struct deck_def *deck, struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        trick->plays[i].card = card_number_without_copy(deck, trick->plays[i].card);
    }
}

void view_hide_copy_numbers(struct game_view *view)
{
    const struct deck_def *deck = view->game->deck;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            view->hands[seat][i].card = card_number_without_copy(deck, view->hands[seat][i].card);
        }
    }
    for (uint8_t i = 0; i < view->past_count; i++) {
        hide_copy_numbers_in_trick(deck, &view->past[i]);
    }
    hide_copy_numbers_in_trick(deck, &view->trick);
    hide_copy_numbers_in_trick(deck, &view->last_trick);
}

bool view_viewer_may_move(const struct game_view *view)
{
    return view->seat >= 0 && (view->to_act >> view->seat & 1) != 0;
}

bool view_tells_slots(const struct game_view *view)
{
    return view->game->moves[0].form == MOVE_SLOT;
}

static void put_number_or_null(struct text *out, const char *key, int number, int absent)
{
    if (number == absent) {
        json_put_null(out, key);
    } else {
        json_put_number(out, key, number);
    }
}

static void write_slot(const struct game_view *view, const struct view_slot *slot, struct text *out)
{
    if (slot->is_empty) {
        json_put_null(out, NULL);
        return;
    }
    json_open(out, NULL, '{');
    if (slot->card != CARD_NONE) {
        json_put_card(out, "card", view->game->deck, slot->card);
    }
    if (slot->suit != SUIT_NONE) {
        json_put_text(out, "suit", view->game->deck->suits[slot->suit].id);
    }
    if (slot->value != 0) {
        json_put_number(out, "value", slot->value);
    }
    if (slot->is_traded) {
        json_put_true(out, "traded");
    }
    json_close(out, '}');
}

static void write_hands(const struct game_view *view, struct text *out)
{
    json_open(out, "hands", '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        json_open(out, NULL, '[');
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            write_slot(view, &view->hands[seat][i], out);
        }
        json_close(out, ']');
    }
    json_close(out, ']');
}

static void write_plays(const struct game_view *view, const struct view_trick *trick,
                        const char *key, struct text *out)
{
    json_open(out, key, '[');
    for (uint8_t i = 0; i < trick->count; i++) {
        json_open(out, NULL, '{');
        json_put_number(out, "seat", trick->plays[i].seat);
        json_put_card(out, "card", view->game->deck, trick->plays[i].card);
        if (view_tells_slots(view)) {
            json_put_number(out, "slot", trick->plays[i].slot);
        }
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_trick(const struct game_view *view, const struct view_trick *trick,
                        const char *key, struct text *out)
{
    json_open(out, key, '{');
    json_put_number(out, "winner", trick->winner);
    write_plays(view, trick, "cards", out);
    json_close(out, '}');
}

static void write_all_tricks(const struct game_view *view, struct text *out)
{
    write_plays(view, &view->trick, "trick", out);
    json_open(out, "past", '[');
    for (uint8_t i = 0; i < view->past_count; i++) {
        write_trick(view, &view->past[i], NULL, out);
    }
    json_close(out, ']');
    if (view->has_last_trick) {
        write_trick(view, &view->last_trick, "last_trick", out);
    } else {
        json_put_null(out, "last_trick");
    }
}

static void write_bids_tricks_and_scores(const struct game_view *view, struct text *out)
{
    json_open(out, "bids", '[');
    for (uint8_t seat = 0; view->has_bids && seat < view->seats; seat++) {
        put_number_or_null(out, NULL, view->bids[seat], BID_NONE);
    }
    json_close(out, ']');
    json_open(out, "tricks", '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        json_put_number(out, NULL, view->tricks[seat]);
    }
    json_close(out, ']');
    json_open(out, "scores", '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        json_put_number(out, NULL, view->scores[seat]);
    }
    json_close(out, ']');
}

static void write_legal_moves(const struct game_view *view, struct text *out)
{
    json_open(out, "legal", '[');
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        struct text words = TEXT_OF(MOVE_TEXT_MAX);
        game_move_write(view->game, move, &words);
        json_put_text(out, NULL, words.at);
    }
    json_close(out, ']');
}

void view_write(const struct game_view *view, struct text *out)
{
    bool is_over = view->phase == PHASE_OVER;
    text_put_char(out, '{');
    json_put_text(out, "game", view->game->id);
    json_put_number(out, "format", GAME_FORMAT);
    put_number_or_null(out, "seat", view->seat, SPECTATOR);
    json_put_number(out, "step", view->step);
    json_put_text(out, "phase", is_over ? "over" : view->game->phases[view->phase].name);
    json_put_bits(out, "to_act", (uint16_t)(view->to_act & ((1U << view->seats) - 1)));
    json_put_number(out, "round", view->round);
    put_number_or_null(out, "rounds", view->rounds, 0);
    write_hands(view, out);
    write_all_tricks(view, out);
    write_bids_tricks_and_scores(view, out);
    write_legal_moves(view, out);
    json_open(out, "info", '{');
    view_write_info(view, false, out);
    json_close(out, '}');
    json_close(out, '}');
}

bool view_leaves_out(const struct game_view *view, const struct info_def *def, uint8_t value)
{
    bool is_player = view->seat >= 0 && view->seat < view->seats;
    return def->absence == INFO_PRIVATE ? !is_player
                                        : def->absence == INFO_LEFT_OUT && value == INFO_NONE;
}

void view_write_fact(const struct game_view *view, const struct info_def *def, const char *key,
                     uint8_t value, struct text *out)
{
    if (value == INFO_NONE) {
        json_put_null(out, key);
        return;
    }
    switch ((enum info_form)def->form) {
    case INFO_NUMBER:
    case INFO_SEAT:
        json_put_number(out, key, value);
        break;
    case INFO_CARD:
        json_put_card(out, key, view->game->deck, value);
        break;
    case INFO_SUIT:
        json_put_text(out, key, view->game->deck->suits[value].id);
        break;
    case INFO_BITS:
        json_put_bits(out, key, value);
        break;
    case INFO_OWN:
        def->write(view, key, value, out);
        break;
    case INFO_OBJECT:
        break;
    }
}

static void write_fact_or_object(const struct game_view *view, const struct info_def *def,
                                 const char *key, const uint8_t *at, struct text *out)
{
    if (def->form != INFO_OBJECT || at[0] == INFO_NONE) {
        view_write_fact(view, def, key, at[0], out);
        return;
    }
    json_open(out, key, '{');
    for (const struct info_def *member = def->members; member->key != NULL; member++) {
        if (!view_leaves_out(view, member, at[member->at])) {
            view_write_fact(view, member, member->key, at[member->at], out);
        }
    }
    json_close(out, '}');
}

unsigned view_find_fact(const struct info_def *def, unsigned index)
{
    return def->at + index * (def->form == INFO_OBJECT ? def->size : 1U);
}

void view_write_info(const struct game_view *view, bool is_result, struct text *out)
{
    const struct info_def *def = view->game->info;
    for (; def != NULL && def->key != NULL; def++) {
        uint8_t first = view->info[def->at];
        uint8_t count = def->repeat == INFO_BY_SEAT ? view->seats : 0;
        while (count < def->most && view->info[view_find_fact(def, count)] != INFO_NONE) {
            count++;
        }
        if (view_leaves_out(view, def, first) || (is_result && def->running == NULL)) {
            continue;
        }
        if (def->repeat == INFO_ONCE || (count == 0 && def->absence == INFO_NULL)) {
            write_fact_or_object(view, def, def->key, &view->info[def->at], out);
            continue;
        }
        json_open(out, def->key, '[');
        for (uint8_t i = 0; i < count; i++) {
            write_fact_or_object(view, def, NULL, &view->info[view_find_fact(def, i)], out);
        }
        json_close(out, ']');
    }
}
