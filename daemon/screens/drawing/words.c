#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#include <string.h>
#include <time.h>

#define SEAT_BYTES 64

struct words words_make_for_entered_table(const struct theme *theme,
                                          const struct model_entered *entered)
{
    struct words words = {.theme = theme,
                          .game = entered->row.game,
                          .config = &entered->config,
                          .players = entered->row.players,
                          .you = entered->you};
    for (int i = 0; i < SEATS_MAX; i++) {
        words.names[i] = entered->details.seats.at[i].name;
    }
    return words;
}

void words_write_tinted(const struct words *words, uint8_t tint, const char *text, struct text *out)
{
    if (words->is_plain || words->theme->is_plain_mode) {
        text_put(out, text);
    } else {
        draw_put_styled(out, (enum style)(STYLE_TINT + tint), text);
    }
}

/* True if the suits of the deck are written with their full names: "Tom Dire 3", not "3 To". */
static bool are_suits_spelled(const struct words *words)
{
    const struct deck_def *deck = words->game->deck;
    return words->theme->is_plain_mode || (words->spells_suits && !deck->is_standard);
}

static const char *choose_suit_symbol(const struct words *words, const struct suit_def *suit)
{
    return words->theme->is_ascii || suit->symbol == NULL ? _(suit->letters) : suit->symbol;
}

const char *words_write_suit(const struct words *words, uint8_t suit, struct text *out)
{
    const struct deck_def *deck = words->game->deck;
    if (suit < deck->suit_count) {
        const struct suit_def *def = &deck->suits[suit];
        words_write_tinted(
            words, def->tint,
            are_suits_spelled(words) ? _(def->title) : choose_suit_symbol(words, def), out);
    }
    return out->at;
}

void words_write_rank(const struct deck_def *deck, uint8_t card, struct text *out)
{
    uint8_t special = (uint8_t)(card - deck->suit_count * deck->value_count);
    if (special < deck->special_count) {
        text_put(out, _(deck->specials[special].title));
    } else {
        card_write_rank(deck, card, out);
    }
}

const char *words_write_card(const struct words *words, uint8_t card, struct text *out)
{
    const struct deck_def *deck = words->game->deck;
    struct text text = TEXT_OF((size_t)2 * CARD_TEXT_MAX);
    uint8_t suit = card_suit(deck, card);
    if (card == CARD_NONE) {
        text_put(out, "?");
    } else if (suit == SUIT_NONE) {
        uint8_t special = (uint8_t)(card - deck->suit_count * deck->value_count);
        words_write_rank(deck, card, &text);
        words_write_tinted(
            words, special < deck->special_count ? deck->specials[special].tint : TINT_PLAIN,
            text.at, out);
    } else if (are_suits_spelled(words) && !deck->is_standard) {
        text_format(&text, "%s ", _(deck->suits[suit].title));
        words_write_rank(deck, card, &text);
        words_write_tinted(words, deck->suits[suit].tint, text.at, out);
    } else {
        const struct suit_def *def = &deck->suits[suit];
        words_write_rank(deck, card, &text);
        /* A blank separates the rank from a suit of several letters: "10 Gr", but "TH". */
        const char *sign = choose_suit_symbol(words, def);
        if (draw_measure_text(sign) > 1) {
            text_put(&text, " ");
        }
        text_put(&text, sign);
        words_write_tinted(words, def->tint, text.at, out);
    }
    return out->at;
}

bool words_is_own_seat(const struct words *words, uint8_t seat)
{
    return words->you >= 0 && seat == (uint8_t)words->you;
}

static bool is_virtual_seat(const struct words *words, uint8_t seat)
{
    return words->players > 0 && seat >= words->players && words->game != NULL &&
           words->game->face->virtual_name != NULL;
}

const char *words_write_seat(const struct words *words, uint8_t seat, struct text *out)
{
    if (words_is_own_seat(words, seat)) {
        text_put(out, _("you"));
    } else if (seat < SEATS_MAX && words->names[seat] != NULL && words->names[seat][0] != '\0') {
        text_put(out, words->names[seat]);
    } else if (is_virtual_seat(words, seat)) {
        text_put(out, _(words->game->face->virtual_name));
    } else {
        text_format(out, _("seat %d"), seat + 1);
    }
    return out->at;
}

const char *words_write_seats(const struct words *words, uint8_t seats, struct text *out)
{
    char names[SEATS_MAX][SEAT_BYTES];
    const char *items[SEATS_MAX];
    size_t count = 0;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        if ((seats >> seat & 1) != 0) {
            struct text name = text_init(names[count], SEAT_BYTES);
            words_write_seat(words, seat, &name);
            items[count] = names[count];
            count++;
        }
    }
    text_put_list(out, items, count);
    return out->at;
}

static void write_slot_numbers(uint16_t slots, struct text *out)
{
    char numbers[SLOTS_MAX][4];
    const char *items[SLOTS_MAX];
    size_t count = 0;
    for (int i = 0; i < SLOTS_MAX; i++) {
        if ((slots >> i & 1) != 0) {
            struct text number = text_init(numbers[count], sizeof(numbers[count]));
            text_put_number(&number, i + 1);
            items[count++] = number.at;
        }
    }
    text_put_list(out, items, count);
}

static void write_phrase_argument(void *context, const struct phrase_arg *arg, struct text *out)
{
    const struct words *words = context;
    switch ((enum phrase_arg_type)arg->type) {
    case ARG_CARD:
        words_write_card(words, (uint8_t)arg->number, out);
        break;
    case ARG_SUIT:
        words_write_suit(words, (uint8_t)arg->number, out);
        break;
    case ARG_SEAT:
        words_write_seat(words, (uint8_t)arg->number, out);
        break;
    case ARG_WORDS:
        text_put(out, arg->words != NULL ? _(arg->words) : "");
        break;
    case ARG_SEATS:
        words_write_seats(words, (uint8_t)arg->number, out);
        break;
    case ARG_SLOTS:
        write_slot_numbers((uint16_t)arg->number, out);
        break;
    case ARG_PHRASE:
        words_write_phrase(words, phrase_get_inner(arg), out);
        break;
    case ARG_NUMBER:
    case ARG_POINTS:
        text_put_number(out, arg->number);
        break;
    case ARG_NONE:
        break;
    }
}

const char *words_write_phrase(const struct words *words, struct phrase phrase, struct text *out)
{
    if (phrase.format != NULL) {
        struct words copy = *words;
        const char *format = phrase_choose_format(&phrase, words->you);
        copy.spells_suits |=
            words->game != NULL && words->game->face->spells_suits && !words->abbreviates_suits;
        phrase_write(&phrase, _(format), write_phrase_argument, &copy, out);
    }
    return out->at;
}

const char *words_write_rating(const struct theme *theme, const struct row_rating *rating,
                               struct text *out)
{
    if (rating->value == ROW_NONE) {
        text_put(out, theme_glyph_text(theme, GLYPH_DASH));
        return out->at;
    }
    text_put_number(out, rating->value);
    text_put(out, rating->is_provisional ? "?" : "");
    return out->at;
}

void words_write_rating_deviation(const struct theme *theme, int32_t deviation, struct text *out)
{
    text_put(out, theme->is_ascii ? "+-" : "±");
    text_put_number(out, deviation);
}

const char *words_write_duration(const struct theme *theme, int64_t seconds, struct text *out)
{
    static const struct {
        int64_t seconds;
        char unit;
    } units[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        /* Up to 90 units are not converted to a larger unit, to be more exact: "90s", but "2m". */
        bool is_whole = seconds % units[i].seconds == 0;
        if (seconds >= units[i].seconds && (is_whole || seconds >= units[i].seconds * 3 / 2)) {
            text_put_number(out, seconds / units[i].seconds);
            text_put_char(out, units[i].unit);
            return out->at;
        }
    }
    text_put(out, theme_glyph_text(theme, GLYPH_DASH));
    return out->at;
}

const char *words_write_time_left(int64_t left_ms, struct text *out)
{
    int64_t seconds = left_ms <= 0 ? 0 : (left_ms + 999) / 1000;
    if (seconds < 3600) {
        text_format(out, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
    } else if (seconds < 86400) {
        text_format(out, _("%dh %02dm"), (int)(seconds / 3600), (int)(seconds / 60 % 60));
    } else {
        text_format(out, _("%dd %dh"), (int)(seconds / 86400), (int)(seconds / 3600 % 24));
    }
    return out->at;
}

static bool read_local_time(int64_t at_ms, struct tm *parts)
{
    time_t seconds = (time_t)(at_ms / 1000);
    return localtime_r(&seconds, parts) != NULL;
}

const char *words_write_time(int64_t at_ms, struct text *out)
{
    struct tm parts;
    if (read_local_time(at_ms, &parts)) {
        text_format(out, "%02d:%02d", parts.tm_hour, parts.tm_min);
    }
    return out->at;
}

const char *words_write_day(int64_t at_ms, struct text *out)
{
    struct tm parts;
    if (read_local_time(at_ms, &parts)) {
        text_format(out, "%d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
    }
    return out->at;
}

const char *words_write_day_and_time(int64_t at_ms, struct text *out)
{
    words_write_day(at_ms, out);
    text_put_char(out, ' ');
    return words_write_time(at_ms, out);
}

const char *words_write_deadline(int64_t at_ms, struct text *out)
{
    struct tm parts;
    words_write_day_and_time(at_ms, out);
    if (zones_used()[0] == '\0' && read_local_time(at_ms, &parts)) {
        text_put(out, " ");
        text_put(out, parts.tm_zone);
    }
    return out->at;
}
