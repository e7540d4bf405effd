#include "games/game.h"

#include <stddef.h>
#include <string.h>

void view_clear(struct game_view *view)
{
    /* `info`, the last member, is large and is cleared by its own function. */
    memset(view, 0, offsetof(struct game_view, info));
    view->seat = SPECTATOR;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        view->bids[seat] = BID_NONE;
        for (uint8_t i = 0; i < SLOTS_MAX; i++) {
            view->hands[seat][i].card = CARD_NONE;
            view->hands[seat][i].suit = SUIT_NONE;
        }
    }
    fields_clear(&view->info);
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
    return view->game->tells_slots;
}

static void write_key(struct text *out, const char *key)
{
    text_put_char(out, ',');
    text_put_json(out, key);
    text_put_char(out, ':');
}

/* Writes a comma unless `index`, the member's position in its object, is 0. */
static void write_comma_unless_first(struct text *out, unsigned index)
{
    if (index > 0) {
        text_put_char(out, ',');
    }
}

static void write_card(const struct game_view *view, uint8_t card, struct text *out)
{
    text_put_char(out, '"');
    card_write_name(view->game->deck, card, out);
    text_put_char(out, '"');
}

static void write_first_view_members(const struct game_view *view, struct text *out)
{
    text_put(out, "{\"game\":");
    text_put_json(out, view->game->id);
    write_key(out, "format");
    text_put_number(out, GAME_FORMAT);
    write_key(out, "seat");
    if (view->seat == SPECTATOR) {
        text_put(out, "null");
    } else {
        text_put_number(out, view->seat);
    }
    write_key(out, "step");
    text_put_number(out, view->step);
    write_key(out, "phase");
    text_put_json(out, view->phase == PHASE_OVER ? "over" : view->game->phases[view->phase]);
    write_key(out, "to_act");
    text_put_char(out, '[');
    bool is_first = true;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if ((view->to_act >> seat & 1) != 0) {
            write_comma_unless_first(out, !is_first);
            text_put_number(out, seat);
            is_first = false;
        }
    }
    text_put_char(out, ']');
    write_key(out, "round");
    text_put_number(out, view->round);
    write_key(out, "rounds");
    if (view->rounds == 0) {
        text_put(out, "null");
    } else {
        text_put_number(out, view->rounds);
    }
}

static void write_slot(const struct game_view *view, const struct view_slot *slot, struct text *out)
{
    if (slot->is_empty) {
        text_put(out, "null");
        return;
    }
    unsigned members = 0;
    text_put_char(out, '{');
    if (slot->card != CARD_NONE) {
        text_put(out, "\"card\":");
        write_card(view, slot->card, out);
        members++;
    }
    if (slot->suit != SUIT_NONE) {
        write_comma_unless_first(out, members++);
        text_put(out, "\"suit\":");
        text_put_json(out, view->game->deck->suits[slot->suit].id);
    }
    if (slot->value != 0) {
        write_comma_unless_first(out, members++);
        text_put(out, "\"value\":");
        text_put_number(out, slot->value);
    }
    if (slot->is_traded) {
        write_comma_unless_first(out, members++);
        text_put(out, "\"traded\":true");
    }
    text_put_char(out, '}');
}

static void write_hands(const struct game_view *view, struct text *out)
{
    text_put_char(out, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        text_put_char(out, '[');
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            write_comma_unless_first(out, i);
            write_slot(view, &view->hands[seat][i], out);
        }
        text_put_char(out, ']');
    }
    text_put_char(out, ']');
}

static void write_plays(const struct game_view *view, const struct view_trick *trick,
                        struct text *out)
{
    text_put_char(out, '[');
    for (uint8_t i = 0; i < trick->count; i++) {
        write_comma_unless_first(out, i);
        text_put(out, "{\"seat\":");
        text_put_number(out, trick->plays[i].seat);
        write_key(out, "card");
        write_card(view, trick->plays[i].card, out);
        if (view_tells_slots(view)) {
            write_key(out, "slot");
            text_put_number(out, trick->plays[i].slot);
        }
        text_put_char(out, '}');
    }
    text_put_char(out, ']');
}

static void write_trick(const struct game_view *view, const struct view_trick *trick,
                        struct text *out)
{
    text_put(out, "{\"winner\":");
    text_put_number(out, trick->winner);
    write_key(out, "cards");
    write_plays(view, trick, out);
    text_put_char(out, '}');
}

static void write_all_tricks(const struct game_view *view, struct text *out)
{
    write_key(out, "trick");
    write_plays(view, &view->trick, out);
    write_key(out, "past");
    text_put_char(out, '[');
    for (uint8_t i = 0; i < view->past_count; i++) {
        write_comma_unless_first(out, i);
        write_trick(view, &view->past[i], out);
    }
    text_put_char(out, ']');
    write_key(out, "last_trick");
    if (view->has_last_trick) {
        write_trick(view, &view->last_trick, out);
    } else {
        text_put(out, "null");
    }
}

static void write_bids_tricks_and_scores(const struct game_view *view, struct text *out)
{
    write_key(out, "bids");
    text_put_char(out, '[');
    for (uint8_t seat = 0; view->has_bids && seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        if (view->bids[seat] == BID_NONE) {
            text_put(out, "null");
        } else {
            text_put_number(out, view->bids[seat]);
        }
    }
    text_put_char(out, ']');
    write_key(out, "tricks");
    text_put_char(out, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        text_put_number(out, view->tricks[seat]);
    }
    text_put_char(out, ']');
    write_key(out, "scores");
    text_put_char(out, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        text_put_number(out, view->scores[seat]);
    }
    text_put_char(out, ']');
}

static void write_legal_moves(const struct game_view *view, struct text *out)
{
    unsigned written = 0;
    text_put_char(out, '[');
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        write_comma_unless_first(out, written++);
        text_put_char(out, '"');
        view->game->move_write(move, out);
        text_put_char(out, '"');
    }
    text_put_char(out, ']');
}

void view_write(const struct game_view *view, struct text *out)
{
    write_first_view_members(view, out);
    write_key(out, "hands");
    write_hands(view, out);
    write_all_tricks(view, out);
    write_bids_tricks_and_scores(view, out);
    write_key(out, "legal");
    write_legal_moves(view, out);
    write_key(out, "info");
    fields_write(&view->info, out);
    text_put_char(out, '}');
}
