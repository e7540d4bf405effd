#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "lobby/protocol/protocol.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
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

const char *words_write_trick(const struct words *words, const struct view_trick *trick,
                              bool has_slots, struct text *out)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        text_put(out, i > 0 ? ", " : "");
        words_write_seat(words, trick->plays[i].seat, out);
        text_put_char(out, ' ');
        words_write_card(words, trick->plays[i].card, out);
        if (has_slots) {
            text_put_char(out, ' ');
            text_format(out, _("(card %d)"), trick->plays[i].slot + 1);
        }
    }
    return out->at;
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

const struct special_def *words_find_special(const struct deck_def *deck, uint8_t card)
{
    uint8_t index = (uint8_t)(card - deck->suit_count * deck->value_count);
    return card != CARD_NONE && index < deck->special_count ? &deck->specials[index] : NULL;
}

void words_write_rank(const struct deck_def *deck, uint8_t card, struct text *out)
{
    const struct special_def *special = words_find_special(deck, card);
    if (special != NULL) {
        text_put(out, _(special->title));
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
        const struct special_def *special = words_find_special(deck, card);
        words_write_rank(deck, card, &text);
        words_write_tinted(words, special != NULL ? special->tint : TINT_PLAIN, text.at, out);
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
           seat < words->game->seats_filled;
}

const char *words_write_seat(const struct words *words, uint8_t seat, struct text *out)
{
    if (words_is_own_seat(words, seat)) {
        text_put(out, _("you"));
    } else if (seat < SEATS_MAX && words->names[seat] != NULL && words->names[seat][0] != '\0') {
        text_put(out, words->names[seat]);
    } else if (is_virtual_seat(words, seat)) {
        text_put(out, _("virtual player"));
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

/* Returns the time in the house's zone; zeros if it is no time of a calendar. */
static struct tm find_local_time(int64_t at_ms)
{
    time_t seconds = (time_t)(at_ms / 1000);
    struct tm parts = {0};
    (void)localtime_r(&seconds, &parts);
    return parts;
}

static const char *write_time_of_day(int64_t at_ms, struct text *out)
{
    struct tm at = find_local_time(at_ms);
    return text_format(out, "%02d:%02d", at.tm_hour, at.tm_min);
}

const char *words_write_day(int64_t at_ms, struct text *out)
{
    struct tm at = find_local_time(at_ms);
    return text_format(out, "%d-%02d-%02d", at.tm_year + 1900, at.tm_mon + 1, at.tm_mday);
}

const char *words_write_day_and_time(int64_t at_ms, struct text *out)
{
    words_write_day(at_ms, out);
    text_put_char(out, ' ');
    return write_time_of_day(at_ms, out);
}

const char *words_write_deadline(int64_t at_ms, struct text *out)
{
    words_write_day_and_time(at_ms, out);
    return zones_used()[0] != '\0' ? out->at
                                   : text_format(out, " %s", find_local_time(at_ms).tm_zone);
}

#define LABEL_BYTES 200

const char *words_write_move(const struct words *words, const struct game_view *view, uint8_t move,
                             struct text *out)
{
    return words_write_phrase(words, face_label(view, move), out);
}

const char *hint_write_points(const struct theme *theme, const struct search_choice *choice,
                              struct text *out)
{
    if (choice == NULL) {
        text_put(out, theme_glyph_text(theme, GLYPH_DASH));
        return out->at;
    }
    int tenths = (int)(choice->points * 10 + (choice->points < 0 ? -0.5F : 0.5F));
    text_format(out, "%s%d.%d",
                tenths < 0   ? "-"
                : tenths > 0 ? "+"
                             : "",
                abs(tenths) / 10, abs(tenths) % 10);
    return out->at;
}

static void add_choice(const struct words *words, const struct game_view *view,
                       const struct hint *hint, uint8_t move, struct text *out)
{
    text_format_list_item(
        out, "%s (%s)", words_write_move(words, view, move, &TEXT_OF(LABEL_BYTES)),
        hint_write_points(words->theme, hint_find_choice(hint, move), &TEXT_OF(LABEL_BYTES)));
}

const char *hint_write_choices(const struct words *words, const struct game_view *view,
                               const struct hint *hint, uint8_t most, uint8_t also,
                               struct text *out)
{
    bool is_also_written = also == MOVE_NONE;
    for (uint8_t i = 0; i < hint->count && i < most; i++) {
        add_choice(words, view, hint, hint->choices[i].move, out);
        is_also_written = is_also_written || hint->choices[i].move == also;
    }
    if (!is_also_written) {
        add_choice(words, view, hint, also, out);
    }
    return out->at;
}

const char *hint_explain_points(const struct game_def *game)
{
    return game->face->expected_points != NULL
               ? _(game->face->expected_points)
               : _("Many points are good; the bot also weighs what the others get.");
}

#define SPAN_BYTES 32
#define AWAY_S 180

const char *person_write_location(int64_t table_id, bool is_seated, struct text *out)
{
    if (table_id == 0) {
        text_put(out, _("in the lobby"));
    } else {
        text_format(out, is_seated ? _("playing at #%lld") : _("watching #%lld"),
                    (long long)table_id);
    }
    return out->at;
}

const char *person_label(enum person_kind kind, enum bot_level level, enum person_role role)
{
    static const char *const bots[] = {
        [BOT_LEVEL_NONE] = N_("bot"),
        [BOT_LEVEL_EASY] = N_("easy bot"),
        [BOT_LEVEL_MEDIUM] = N_("medium bot"),
        [BOT_LEVEL_STRONG] = N_("strong bot"),
    };
    return kind == PERSON_BOT     ? _(bots[level])
           : kind == PERSON_GUEST ? _("guest")
           : role == ROLE_ADMIN   ? _("admin")
           : role == ROLE_MOD     ? _("moderator")
                                  : "";
}

const char *person_brief_bot_label(enum bot_level level)
{
    static const char *const words[] = {
        [BOT_LEVEL_NONE] = N_("bot"),
        [BOT_LEVEL_EASY] = N_("easy"),
        [BOT_LEVEL_MEDIUM] = N_("medium"),
        [BOT_LEVEL_STRONG] = N_("strong"),
    };
    return _(words[level]);
}

enum bot_level person_level_of_seat(const struct seat_row *seat)
{
    size_t level = row_value_of_word(&bot_level_words, seat->policy);
    return level < bot_level_words.count ? (enum bot_level)level : BOT_LEVEL_NONE;
}

void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out)
{
    bool has_words = presence_text[0] != '\0';
    if (presence == PRESENCE_DND) {
        text_format_list_item(out,
                              has_words ? _("not to be disturbed: %s") : _("not to be disturbed"),
                              presence_text);
    } else if (presence == PRESENCE_AWAY) {
        text_format_list_item(out, has_words ? _("away: %s") : _("away"), presence_text);
    } else if (idle_s >= AWAY_S) {
        text_format_list_item(out, _("away for %s"),
                              words_write_duration(&theme_plain, idle_s, &TEXT_OF(SPAN_BYTES)));
    }
}

#define CELL_BYTES 96

static const struct {
    const char *title;
    const char *brief; /* a heading of at most five characters; NULL: the title is short enough */
    const char *told;  /* the heading in plain mode; NULL: the title */
} headings[LEADER_COLUMNS] = {
    [LEADER_RANK] = {"#", NULL, ""},
    [LEADER_CHANGE] = {N_("7 d"), NULL, N_("in 7 days")},
    [LEADER_NAME] = {N_("Player"), NULL, ""},
    [LEADER_RATING] = {N_("Rating"), NULL, NULL},
    [LEADER_GAMES] = {N_("Games"), NULL, NULL},
    [LEADER_WINS] = {N_("Won"), NULL, NULL},
    [LEADER_PLACE] = {N_("Place"), NULL, NULL},
    [LEADER_STAT] = {N_("Stat"), NULL, NULL},
    [LEADER_FINISHED] = {N_("Finished"), N_("Ends"), NULL},
    [LEADER_STREAK] = {N_("Streak"), NULL, NULL},
    [LEADER_BEST] = {N_("Best"), NULL, NULL},
    [LEADER_BEST_DAY] = {"", NULL, ""},
    [LEADER_SEEN] = {N_("Seen"), NULL, NULL},
};

const char *leader_column_heading(enum leader_column column, bool is_short)
{
    const char *brief = headings[column].brief;
    return is_short && brief != NULL ? brief : headings[column].title;
}

static void write_leader_name(const struct leader_row *row, struct text *out)
{
    if (row->kind == PERSON_BOT) {
        text_format(out, "%s (%s)", row->name,
                    person_label(PERSON_BOT, (enum bot_level)row->level, ROLE_PLAYER));
        return;
    }
    text_format(out,
                row->role == ROLE_ADMIN ? _("%s (admin)")
                : row->role == ROLE_MOD ? _("%s (mod)")
                                        : "%s",
                row->name);
}

static void write_percent(const struct theme *theme, int32_t percent_tenths, struct text *out)
{
    if (percent_tenths == ROW_NONE) {
        text_put(out, theme_glyph_text(theme, GLYPH_DASH));
    } else {
        text_format(out, "%d%%", (percent_tenths + 5) / 10);
    }
}

const char *leader_write_cell(const struct theme *theme, const struct leader_row *row,
                              enum leader_column column, int64_t now_ms, struct text *out)
{
    switch (column) {
    case LEADER_RANK:
        if (row->rank > 0) {
            text_put_number(out, row->rank);
        } else {
            text_put(out, theme_glyph_text(theme, GLYPH_DASH));
        }
        break;
    case LEADER_CHANGE:
        text_format(out, row->change_week == 0 ? "%d" : "%+d", row->change_week);
        break;
    case LEADER_NAME:
        write_leader_name(row, out);
        break;
    case LEADER_RATING:
        words_write_rating(theme, &row->rating, out);
        text_put(out, " ");
        words_write_rating_deviation(theme, row->deviation, out);
        break;
    case LEADER_GAMES:
        text_put_number(out, row->games);
        break;
    case LEADER_WINS:
        write_percent(theme, row->wins_tenths, out);
        break;
    case LEADER_PLACE:
        write_percent(theme, row->place_tenths, out);
        break;
    case LEADER_STAT:
        write_percent(theme, row->stat_tenths, out);
        break;
    case LEADER_FINISHED:
        write_percent(theme, row->finished_tenths, out);
        break;
    case LEADER_STREAK:
        text_format(out, row->streak == 0 ? "%d" : "%+d", row->streak);
        break;
    case LEADER_BEST:
        text_put_number(out, row->best);
        break;
    case LEADER_BEST_DAY:
        if (row->best_ms > 0) {
            words_write_day(row->best_ms, out);
        }
        break;
    case LEADER_SEEN:
        words_write_duration(theme, row->seen_ms > 0 ? (now_ms - row->seen_ms) / 1000 : 0, out);
        break;
    case LEADER_COLUMNS:
        break;
    }
    return out->at;
}

/* Appends a value with its heading: ", Won 63%", or " ada" where the heading is empty. */
static void append_value_with_heading(const struct leader_row *row, enum leader_column column,
                                      const char *heading, int64_t now_ms, struct text *out)
{
    struct text text = TEXT_OF(CELL_BYTES);
    leader_write_cell(&theme_plain, row, column, now_ms, &text);
    if (text.len > 0) {
        text_put(out, out->len == 0 ? "" : heading[0] == '\0' ? " " : ", ");
        text_format(out, "%s%s%s", heading[0] == '\0' ? "" : _(heading),
                    heading[0] == '\0' ? "" : " ", text.at);
    }
}

void leader_put_row_line(const struct leader_row *row, const char *stat_title, int64_t now_ms,
                         struct lines *lines)
{
    struct text out = TEXT_OF(LINES_LINE_MAX);
    for (int i = 0; i < LEADER_COLUMNS; i++) {
        const char *told = headings[i].told != NULL ? headings[i].told : headings[i].title;
        if (i != LEADER_CHANGE) { /* the change of rating is written last, where it reads better */
            append_value_with_heading(row, (enum leader_column)i,
                                      i == LEADER_STAT ? stat_title : told, now_ms, &out);
        }
    }
    append_value_with_heading(row, LEADER_CHANGE, headings[LEADER_CHANGE].told, now_ms, &out);
    lines_format(lines, "%s.", out.at);
}

bool leader_read_standing(const json_t *object, struct leader_row *row,
                          struct standing_row *standing)
{
    if (!leader_row_read(object, row) || !standing_row_read(object, standing)) {
        return false;
    }
    snprintf(row->name, sizeof row->name, "%s", _(standing->game->title));
    row->kind = PERSON_PLAYER;
    row->role = ROLE_PLAYER;
    return true;
}

const struct played_heading played_headings[PLAYED_COLUMNS] = {
    [PLAYED_NUMBER] = {N_("Number"), true},          [PLAYED_DAY] = {N_("Finished"), false},
    [PLAYED_DAY_AND_TIME] = {N_("Finished"), false}, [PLAYED_GAME] = {N_("Game"), false},
    [PLAYED_PLACE] = {N_("Place"), false},           [PLAYED_SCORE] = {N_("Score"), true},
    [PLAYED_CHANGE] = {N_("Rating"), true},          [PLAYED_OPPONENTS] = {N_("With"), false},
};

/* Writes "ada, bob and ella", or "ada, ..." if the other names do not fit. */
static void write_opponents(const struct row_players *players, const char *player,
                            int max_opponent_columns, struct text *out)
{
    const char *names[SEATS_MAX];
    size_t count = 0, total = 0;
    int columns_left = max_opponent_columns;
    for (size_t i = 0; i < players->count && total < SEATS_MAX; i++) {
        const char *name = players->at[i].name;
        if (name[0] == '\0' || strcmp(name, player) == 0) {
            continue;
        }
        columns_left -= draw_measure_text(name) + 2;
        names[total++] = name;
        count = columns_left >= -2 || total == 1 ? total : count;
    }
    if (count == total) {
        text_put_list(out, names, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        text_format_list_item(out, "%s", names[i]);
    }
    text_format_list_item(out, "...");
}

bool played_read_game(const json_t *object, const char *player, int max_opponent_columns,
                      struct played *played)
{
    struct game_row row;
    if (!game_row_read(object, &row)) {
        return false;
    }
    *played = (struct played){
        .game_id = row.game_id,
        .ended_ms = row.at_ms,
        .game = row.game,
        .players = row.players.count,
        .rank = row.rank,
        .score = row.score,
        .change_tenths = row.change_tenths,
    };
    struct text opponents = text_init(played->opponents, sizeof played->opponents);
    write_opponents(&row.players, player, max_opponent_columns, &opponents);
    return true;
}

static void write_place_in_result(const struct played *played, struct text *out)
{
    if (played->rank == 0) {
        text_put(out, "-");
    } else {
        text_format(out, _("%d of %d"), played->rank, played->players);
    }
}

static void write_rating_change(const struct played *played, struct text *out)
{
    int32_t change = played->change_tenths / 10;
    if (played->change_tenths == ROW_NONE) {
        text_put(out, "-");
    } else {
        text_format(out, change == 0 ? "%d" : "%+d", change);
    }
}

const char *played_write_cell(const struct played *played, enum played_column column,
                              struct text *out)
{
    switch (column) {
    case PLAYED_NUMBER:
        text_put_number(out, played->game_id);
        break;
    case PLAYED_DAY:
        words_write_day(played->ended_ms, out);
        break;
    case PLAYED_DAY_AND_TIME:
        words_write_day_and_time(played->ended_ms, out);
        break;
    case PLAYED_GAME:
        text_put(out, _(played->game->title));
        break;
    case PLAYED_PLACE:
        write_place_in_result(played, out);
        break;
    case PLAYED_SCORE:
        if (played->score == ROW_NONE) {
            text_put(out, _("left"));
        } else {
            text_put_number(out, played->score);
        }
        break;
    case PLAYED_CHANGE:
        write_rating_change(played, out);
        break;
    case PLAYED_OPPONENTS:
    case PLAYED_COLUMNS:
        text_put(out, played->opponents);
        break;
    }
    return out->at;
}

static const char *describe_halt(enum table_halt halt)
{
    return halt == HALT_PAUSE ? _("paused") : halt == HALT_ADJOURN ? _("adjourned") : _("waiting");
}

const char *table_write_state(enum table_phase phase, enum table_halt halt, int round,
                              int round_count, struct text *out)
{
    if (phase != TABLE_PLAYING) {
        text_put(out, phase == TABLE_OPEN ? _("open") : _("finished"));
    } else if (halt != HALT_NONE) {
        text_put(out, describe_halt(halt));
    } else if (round == 0) {
        text_put(out, _("playing"));
    } else if (round_count > 0) {
        text_format(out, _("round %d of %d"), round, round_count);
    } else {
        text_format(out, _("round %d"), round);
    }
    return out->at;
}

const char *usage_write_entry(const struct usage *usage, struct text *out)
{
    text_put(out, usage->prefix);
    text_put(out, usage->name);
    if (usage->args != NULL && usage->args[0] != '\0') {
        text_put_char(out, ' ');
        text_put(out, _(usage->args));
    }
    text_put(out, ": ");
    text_put(out, usage->help);
    return out->at;
}

void usage_put_mod_commands(enum rank rank, struct lines *lines)
{
    const struct mod_command_info *command;
    for (size_t i = 0; (command = mod_command_info_at(i)) != NULL; i++) {
        if (mod_command_is_listed_for(command, rank)) {
            const struct usage usage = {"", command->name, command->args, _(command->help)};
            lines_put(lines, usage_write_entry(&usage, &TEXT_OF(LINES_LINE_MAX)));
        }
    }
}

/* The lines of the chat. */

#define LINE_MAX_BYTES (MODEL_TEXT_MAX + 2 * MODEL_NAME_MAX + 64)

static const char *choose_sign_of_chat_line(const struct canvas *canvas,
                                            const struct chat_line *line)
{
    static const char *const signs[] = {
        [CHAT_SAY] = " ", [CHAT_ME] = "*", [CHAT_SYSTEM] = NULL, [CHAT_DIRECT] = ">"};
    static_assert(ARRAY_LEN(signs) == STORED_LAST(STORED_CHAT_KINDS) + 2,
                  "every chat kind needs a sign: the stored kinds, and CHAT_DIRECT after them");
    return line->kind == CHAT_SYSTEM ? theme_glyph_text(canvas->theme, GLYPH_DOT)
                                     : signs[line->kind];
}

static void put_styled_name(const struct model *model, const char *name, struct text *out)
{
    bool is_you = strcmp(name, model->you.name) == 0;
    draw_put_styled(out, is_you ? STYLE_YOU : STYLE_STRONG, name);
}

/* Writes a direct message, which only one person receives. */
static void put_direct_message(const struct model *model, const struct chat_line *line,
                               const char *message, struct text *out)
{
    bool is_own = strcmp(line->from, model->you.name) == 0;
    struct text name = TEXT_OF((size_t)2 * MODEL_NAME_MAX);
    put_styled_name(model, is_own ? line->to : line->from, &name);
    if (is_own) {
        text_format(out, _("to %s: %s"), name.at, message);
    } else if (line->is_kept) {
        text_format(out, _("%s to you, %s: %s"), name.at,
                    words_write_day(line->at_ms, &TEXT_OF(32)), message);
    } else {
        text_format(out, _("%s to you: %s"), name.at, message);
    }
}

static void put_author_and_text(const struct model *model, const struct chat_line *line,
                                struct text *out)
{
    struct text text = TEXT_OF(MODEL_TEXT_MAX + 8);
    if (line->is_mention) {
        draw_put_styled(&text, STYLE_NOTICE, line->text);
    } else if (line->kind == CHAT_SYSTEM) {
        draw_put_styled(&text, STYLE_SYSTEM, line->text);
    } else {
        text_put(&text, line->text);
    }
    if (line->kind == CHAT_SAY) {
        text_put(out, "<");
        put_styled_name(model, line->from, out);
        text_put(out, "> ");
    } else if (line->kind == CHAT_ME) {
        put_styled_name(model, line->from, out);
        text_put(out, " ");
    } else if (line->kind == CHAT_DIRECT) {
        put_direct_message(model, line, text.at, out);
        return;
    }
    text_put(out, text.at);
}

void chat_write_line(const struct canvas *canvas, const struct model *model,
                     const struct chat_line *line, struct text *out)
{
    draw_put_styled(out, STYLE_SYSTEM, write_time_of_day(line->at_ms, &TEXT_OF(16)));
    text_put(out, " ");
    draw_put_styled(out, STYLE_SYSTEM, choose_sign_of_chat_line(canvas, line));
    text_put(out, " ");
    put_author_and_text(model, line, out);
}

int chat_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
              int channel, int scrolled_rows)
{
    const struct chat_log *log = &model->chat[channel];
    int below = 0; /* number of rows that the lines newer than line i take */
    /* the page above the shown one is laid out too, so that the caller knows how far one can scroll
     * up */
    int enough = 2 * area->height + scrolled_rows;
    for (int i = log->count - 1; i >= 0 && below < enough; i--) {
        struct text out = TEXT_OF(LINE_MAX_BYTES);
        chat_write_line(canvas, model, &log->lines[i], &out);
        below += draw_wrapped_text(NULL, area, STYLE_PLAIN, out.at, 0, CHAT_INDENT);
        draw_wrapped_text(canvas, area, STYLE_PLAIN, out.at, below - area->height - scrolled_rows,
                          CHAT_INDENT);
    }
    return below;
}

void chat_print_line(const struct model *model, const struct chat_line *line, struct lines *lines)
{
    bool is_own = strcmp(line->from, model->you.name) == 0;
    switch (line->kind) {
    case CHAT_SYSTEM:
        lines_put(lines, line->text);
        return;
    case CHAT_ME:
        lines_format(lines, "%s%s* %s %s", line->room, line->room[0] != '\0' ? " " : "", line->from,
                     line->text);
        return;
    case CHAT_DIRECT:
        if (line->is_kept) {
            lines_format(lines, _("%s left you a message at %s: %s"), line->from,
                         words_write_day_and_time(line->at_ms, &TEXT_OF(64)), line->text);
        } else if (is_own) {
            lines_format(lines, _("You tell %s: %s"), line->to, line->text);
        } else {
            lines_format(lines, _("%s tells you: %s"), line->from, line->text);
        }
        return;
    case CHAT_SAY:
        break;
    }
    lines_format(lines, "%s%s%s: %s", line->room, line->room[0] != '\0' ? " " : "",
                 is_own ? _("You") : line->from, line->text);
}
