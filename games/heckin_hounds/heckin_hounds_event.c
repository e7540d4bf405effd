#include "games/heckin_hounds/heckin_hounds.h"

#include "games/event.h"

void hounds_tell_round(const struct hounds *state, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_round(&event, &state->table, &hounds_deck);
    fields_number(&event, "leader", state->leader);
    uint16_t dead = fields_list(&event, "dead");
    for (uint8_t i = 0; i < state->dead_count; i++) {
        event_card(&event, NULL, &hounds_deck, state->dead[i]);
    }
    fields_close(&event, dead);
    event_send(log, &event);
}

void hounds_tell_clue(const struct hounds *state, const struct game_log *log)
{
    const struct hounds_clue *clue = &state->clues[state->clue_count - 1];
    struct fields event FILLED_LATER;
    event_init(&event, "clued");
    fields_number(&event, "to", clue->to);
    hounds_add_slots(&event, clue->slots);
    if (clue->what >= HOUNDS_WHAT_SLOT) {
        uint8_t slot = (uint8_t)(clue->what - HOUNDS_WHAT_SLOT);
        event_card(&event, "card", &hounds_deck, state->table.slots[clue->to][slot]);
    }
    event_send(log, &event);
}

void hounds_tell_discard(const struct hounds *state, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "cerberus");
    fields_number(&event, "seat", state->cerberus_seat);
    fields_number(&event, "slot", state->cerberus_slot);
    event_card(&event, "discarded", &hounds_deck, state->discarded);
    event_send(log, &event);
}

void hounds_tell_trade(const struct hounds *state, uint8_t seat, uint8_t gave,
                       const struct game_log *log)
{
    uint8_t slot = state->trades[seat];
    struct fields event FILLED_LATER;
    event_init(&event, "traded");
    fields_number(&event, "seat", seat);
    fields_number(&event, "slot", slot);
    event_card(&event, "gave", &hounds_deck, gave);
    event_card(&event, "took", &hounds_deck, state->table.slots[seat][slot]);
    event_send(log, &event);
}

void hounds_tell_play(uint8_t seat, uint8_t slot, uint8_t card, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "played");
    fields_number(&event, "seat", seat);
    event_card(&event, "card", &hounds_deck, card);
    fields_number(&event, "slot", slot);
    event_send(log, &event);
}

void hounds_tell_trick(uint8_t winner, uint8_t bad, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init(&event, "trick");
    fields_number(&event, "winner", winner);
    fields_number(&event, "bad", bad);
    event_send(log, &event);
}

void hounds_tell_score(const struct hounds *state, const int16_t points[SEATS_MAX],
                       const struct game_log *log)
{
    struct score_row row FILLED_LATER;
    event_score_row(&row, &state->table, points);
    hounds_add_badness(state, &row.event);
    row.part_count = 1;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        row.parts[0][seat] = state->badness[seat];
    }
    event_score_send(log, &row);
}

void hounds_add_badness(const struct hounds *state, struct fields *out)
{
    uint16_t list = fields_list(out, "badness");
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        fields_number(out, NULL, state->badness[seat]);
    }
    fields_close(out, list);
}

void hounds_add_slots(struct fields *out, uint8_t slots)
{
    uint16_t list = fields_list(out, "slots");
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        if ((slots >> i & 1) != 0) {
            fields_number(out, NULL, i);
        }
    }
    fields_close(out, list);
}
