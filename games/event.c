#include "games/game.h"

#include <string.h>

void event_init(struct fields *event, const char *kind)
{
    fields_clear(event);
    fields_add_text(event, "e", kind);
}

void event_send(const struct game_log *log, const struct fields *event)
{
    if (log->event != NULL) {
        log->event(log->context, event);
    }
}

void event_add_card(struct fields *event, const char *key, const struct deck_def *deck,
                    uint8_t card)
{
    char name[CARD_TEXT_MAX];
    struct text text = text_init(name, sizeof(name));
    card_write_name(deck, card_number_without_copy(deck, card), &text);
    fields_add_text(event, key, name);
}

void event_add_hands(struct fields *event, const struct table_state *table,
                     const struct deck_def *deck)
{
    uint16_t hands = fields_open_list(event, "hands");
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        uint16_t hand = fields_open_list(event, NULL);
        for (uint8_t i = 0; i < table->slot_count; i++) {
            event_add_card(event, NULL, deck, table->slots[seat][i]);
        }
        fields_close(event, hand);
    }
    fields_close(event, hands);
}

void event_init_round(struct fields *event, const struct table_state *table,
                      const struct deck_def *deck)
{
    event_init(event, "round");
    fields_add_number(event, "n", table->round);
    event_add_hands(event, table, deck);
}

void event_send_played(const struct game_log *log, const struct deck_def *deck, uint8_t seat,
                       uint8_t card)
{
    struct fields event FILLED_LATER;
    event_init(&event, "played");
    fields_add_number(&event, "seat", seat);
    event_add_card(&event, "card", deck, card);
    event_send(log, &event);
}

void event_send_trick(const struct game_log *log, uint8_t winner)
{
    struct fields event FILLED_LATER;
    event_init(&event, "trick");
    fields_add_number(&event, "winner", winner);
    event_send(log, &event);
}

static void add_points(struct fields *event, const char *key, const int16_t *points,
                       uint8_t seat_count)
{
    uint16_t list = fields_open_list(event, key);
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        fields_add_number(event, NULL, points[seat]);
    }
    fields_close(event, list);
}

void event_fill_score_row(struct score_row *row, const struct table_state *table,
                          const int16_t points[SEATS_MAX])
{
    row->round = table->round;
    row->has_bids = false;
    row->part_count = 0;
    memcpy(row->bids, table->bids, sizeof(row->bids));
    memcpy(row->tricks, table->tricks, sizeof(row->tricks));
    memcpy(row->points, points, sizeof(row->points));
    memcpy(row->totals, table->scores, sizeof(row->totals));
    for (uint8_t seat = 0; seat < table->seats; seat++) {
        row->has_bids = row->has_bids || table->bids[seat] != BID_NONE;
    }
    event_init(&row->event, "score");
    add_points(&row->event, "round", points, table->seats);
    add_points(&row->event, "total", table->scores, table->seats);
}

void event_send_score_row(const struct game_log *log, const struct score_row *row)
{
    event_send(log, &row->event);
    if (log->score != NULL) {
        log->score(log->context, row);
    }
}

void event_send_score(const struct game_log *log, const struct table_state *table,
                      const int16_t points[SEATS_MAX])
{
    struct score_row row FILLED_LATER;
    event_fill_score_row(&row, table, points);
    event_send_score_row(log, &row);
}

void event_add_outcome(struct fields *event, const struct game_outcome *outcome, uint8_t seat_count)
{
    uint16_t ranks = fields_open_list(event, "ranks");
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        if (outcome->ranks[seat] == 0) {
            fields_add_null(event, NULL);
        } else {
            fields_add_number(event, NULL, outcome->ranks[seat]);
        }
    }
    fields_close(event, ranks);
    uint16_t winners = fields_open_list(event, "winners");
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        if ((outcome->winners >> seat & 1) != 0) {
            fields_add_number(event, NULL, seat);
        }
    }
    fields_close(event, winners);
}

void event_send_end(const struct game_log *log, const struct game_outcome *outcome,
                    uint8_t seat_count)
{
    struct fields event FILLED_LATER;
    event_init(&event, "end");
    event_add_outcome(&event, outcome, seat_count);
    event_send(log, &event);
}
