#include "games/heckin_hounds/heckin_hounds.h"

#include "games/game.h"

void hounds_send_round_event(const struct hounds *state, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init_round(&event, &state->table, &hounds_deck);
    fields_add_number(&event, "leader", state->leader);
    uint16_t dead = fields_open_list(&event, "dead");
    for (uint8_t i = 0; i < state->dead_count; i++) {
        event_add_card(&event, NULL, &hounds_deck, state->dead[i]);
    }
    fields_close(&event, dead);
    event_send(log, &event);
}

void hounds_send_clue_event(const struct hounds *state, const struct game_log *log)
{
    const struct hounds_clue *clue = &state->clues[state->clue_count - 1];
    struct fields event FILLED_LATER;
    event_init(&event, "clued");
    fields_add_number(&event, "to", clue->to);
    hounds_add_slot_list(&event, clue->slots);
    if (clue->clue_subject >= HOUNDS_SUBJECT_SLOT) {
        uint8_t slot = (uint8_t)(clue->clue_subject - HOUNDS_SUBJECT_SLOT);
        event_add_card(&event, "card", &hounds_deck, state->table.slots[clue->to][slot]);
    }
    event_send(log, &event);
}

void hounds_send_discard_event(const struct hounds *state, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "cerberus");
    fields_add_number(&event, "seat", state->cerberus_seat);
    fields_add_number(&event, "slot", state->cerberus_slot);
    event_add_card(&event, "discarded", &hounds_deck, state->discarded);
    event_send(log, &event);
}

void hounds_send_trade_event(const struct hounds *state, uint8_t seat, uint8_t given_card,
                             const struct game_log *log)
{
    uint8_t slot = state->trades[seat];
    struct fields event FILLED_LATER;
    event_init(&event, "traded");
    fields_add_number(&event, "seat", seat);
    fields_add_number(&event, "slot", slot);
    event_add_card(&event, "gave", &hounds_deck, given_card);
    event_add_card(&event, "took", &hounds_deck, state->table.slots[seat][slot]);
    event_send(log, &event);
}

void hounds_send_play_event(uint8_t seat, uint8_t slot, uint8_t card, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "played");
    fields_add_number(&event, "seat", seat);
    event_add_card(&event, "card", &hounds_deck, card);
    fields_add_number(&event, "slot", slot);
    event_send(log, &event);
}

void hounds_send_trick_event(uint8_t winner, uint8_t bad_dogs, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "trick");
    fields_add_number(&event, "winner", winner);
    fields_add_number(&event, "bad", bad_dogs);
    event_send(log, &event);
}

void hounds_send_score_event(const struct hounds *state, const int16_t points[SEATS_MAX],
                             const struct game_log *log)
{
    struct score_row row FILLED_LATER;
    event_fill_score_row(&row, &state->table, points);
    hounds_add_badness_list(state, &row.event);
    row.part_count = 1;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        row.parts[0][seat] = state->badness[seat];
    }
    event_send_score_row(log, &row);
}

void hounds_add_badness_list(const struct hounds *state, struct fields *out)
{
    uint16_t list = fields_open_list(out, "badness");
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        fields_add_number(out, NULL, state->badness[seat]);
    }
    fields_close(out, list);
}

void hounds_add_slot_list(struct fields *out, uint8_t slots)
{
    uint16_t list = fields_open_list(out, "slots");
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        if ((slots >> i & 1) != 0) {
            fields_add_number(out, NULL, i);
        }
    }
    fields_close(out, list);
}
