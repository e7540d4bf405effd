#include "lobby/tables/tables.h"

#include "lobby/house/words.h"

/* The table where the move is made and its deck of cards: needed to write the move's label. */
struct label_context {
    const struct table *table;
    const struct deck_def *deck;
};

static void write_suit(const struct deck_def *deck, uint8_t suit, struct text *out)
{
    if (suit >= deck->suit_count) {
        return;
    }
    const struct suit_def *def = &deck->suits[suit];
    text_put(out, def->symbol == NULL ? _(def->title) : def->symbol);
}

static void write_card(const struct deck_def *deck, uint8_t card, struct text *out)
{
    uint8_t suit = card_suit(deck, card);
    card_write_rank(deck, card, out);
    if (suit == SUIT_NONE) {
        return;
    }
    text_put(out, deck->suits[suit].symbol == NULL ? " " : "");
    write_suit(deck, suit, out);
}

static void write_phrase_arg(void *context, const struct phrase_arg *arg, struct text *out)
{
    const struct label_context *label = context;
    switch ((enum phrase_arg_type)arg->type) {
    case ARG_CARD:
        write_card(label->deck, (uint8_t)arg->number, out);
        break;
    case ARG_SUIT:
        write_suit(label->deck, (uint8_t)arg->number, out);
        break;
    case ARG_SEAT:
        if (arg->number >= 0 && arg->number < label->table->row.players) {
            text_put(out, label->table->row.seats[arg->number].name);
        }
        break;
    case ARG_WORDS:
        text_put(out, _(arg->words));
        break;
    case ARG_NUMBER:
    case ARG_POINTS:
        text_put_number(out, arg->number);
        break;
    case ARG_SEATS: /* labels of moves have no such arguments */
    case ARG_SLOTS:
    case ARG_PHRASE:
    case ARG_NONE:
        break;
    }
}

void move_label_write(const struct table *table, const struct game_view *view, uint8_t move,
                      char out[LABEL_MAX])
{
    struct text text = text_init(out, LABEL_MAX);
    const struct game_face *face = table->game->face;
    struct phrase phrase =
        face == NULL || face->label == NULL ? phrase_absent() : face->label(view, move);
    if (phrase.format == NULL) {
        game_move_write(table->game, move, &text);
        return;
    }
    struct label_context context = {table, table->game->deck};
    phrase_write(&phrase, _(phrase.format), write_phrase_arg, &context, &text);
}
