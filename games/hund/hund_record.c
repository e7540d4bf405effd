#include "games/hund/hund.h"

#include "games/game.h"

#include <string.h>

static const char *const role_names[] = {
    [HUND_TRUMP] = "trump", [HUND_PLUS] = "plus", [HUND_HUND] = "hund",
    [HUND_MINUS] = "minus", [HUND_LEAD] = "lead",
};

/* Writes what the `round` event and a view both contain about a round. */
static void add_round_fields(const struct hund *state, struct fields *fields)
{
    const struct table_state *table = &state->table;
    fields_add_number(fields, "dealer", state->dealer);
    uint16_t order = fields_open_list(fields, "order");
    for (uint8_t i = 0, seat = table->next[state->dealer]; i < table->seats; i++) {
        fields_add_number(fields, NULL, seat);
        seat = table->next[seat];
    }
    fields_close(fields, order);
    if (state->has_select) {
        fields_add_null(fields, "designator");
    } else {
        fields_add_number(fields, "designator", state->pile[table->round - 1]);
    }
}

void hund_send_round_event(const struct hund *state, const struct game_log *log)
{
    struct fields event FILLED_LATER;
    event_init_round(&event, &state->table, &hund_deck);
    add_round_fields(state, &event);
    if (state->table.round == 1) {
        fields_add_number(&event, "first", state->first);
    }
    event_send(log, &event);
}

void hund_send_new_role_events(const struct hund *state, uint8_t new_role_count,
                               const struct game_log *log)
{
    for (uint8_t role = (uint8_t)(state->board.count - new_role_count); role < state->board.count;
         role++) {
        struct fields event FILLED_LATER;
        event_init(&event, "designated");
        fields_add_text(&event, "role", role_names[role]);
        fields_add_text(&event, "suit", hund_deck.suits[state->board.roles[role]].id);
        event_send(log, &event);
    }
}

void hund_send_score_event(const struct hund *state, const struct hund_result *result, bool is_over,
                           const struct game_log *log)
{
    struct score_row row FILLED_LATER;
    event_fill_score_row(&row, &state->table, result->points);
    row.part_count = HUND_PARTS;
    memcpy(row.parts, result->parts, sizeof(result->parts));
    if (!is_over) {
        fields_add_number(&row.event, "lead", result->chooser);
    }
    event_send_score_row(log, &row);
}

void hund_fill_view(const void *state_bytes, int8_t seat, struct game_view *view)
{
    (void)seat; /* unused: `info` does not depend on the viewer's seat */
    const struct hund *state = state_bytes;
    struct fields *info = &view->info;
    table_fill_view(&state->table, view);
    add_round_fields(state, info);
    uint16_t earlier = fields_open_list(info, "past_designators");
    for (uint8_t i = 0; !state->has_select && i + 1 < state->table.round; i++) {
        fields_add_number(info, NULL, state->pile[i]);
    }
    fields_close(info, earlier);
    if (state->first == HUND_SEAT_NONE) {
        fields_add_null(info, "first");
    } else {
        fields_add_number(info, "first", state->first);
    }
    uint16_t designated = fields_open_object(info, "designated");
    for (uint8_t role = 0; role < state->board.count; role++) {
        fields_add_text(info, role_names[role], hund_deck.suits[state->board.roles[role]].id);
    }
    fields_close(info, designated);
    uint16_t sets = fields_open_list(info, "sets");
    for (uint8_t i = 0; i < state->set_count; i++) {
        event_add_card(info, NULL, &hund_deck, state->sets[i]);
    }
    fields_close(info, sets);
}
