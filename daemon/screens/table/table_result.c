#include "daemon/screens/table/table_result.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/game_print.h"
#include "daemon/screens/table/table_state.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 400
#define SEED_HEX 64
#define NAME_WIDTH 17

/* The end of a game: ranks, changes of ratings, and whether the deal was fair. */

enum deal_check {
    DEAL_UNKNOWN, /* there is no seed or no commitment to compare */
    DEAL_HOLDS,
    DEAL_BROKEN,
};

/* The commitment is the SHA-256 of the seed's bytes (HISTORY.md, "Fair dealing"). */
static enum deal_check check_deal(const char *seed_hex, const char *commitment_hex)
{
    unsigned char seed[SEED_BYTES];
    unsigned char commitment[crypto_hash_sha256_BYTES];
    unsigned char hash[crypto_hash_sha256_BYTES];
    if (strlen(seed_hex) != SEED_HEX || strlen(commitment_hex) != SEED_HEX ||
        sodium_hex2bin(seed, sizeof(seed), seed_hex, SEED_HEX, NULL, NULL, NULL) != 0 ||
        sodium_hex2bin(commitment, sizeof(commitment), commitment_hex, SEED_HEX, NULL, NULL,
                       NULL) != 0) {
        return DEAL_UNKNOWN;
    }
    crypto_hash_sha256(hash, seed, sizeof(seed));
    return memcmp(hash, commitment, sizeof(hash)) == 0 ? DEAL_HOLDS : DEAL_BROKEN;
}

/* "ada and bob win", "you win", "nobody wins". */
static void write_winners(const struct model_entered *entered, const struct words *words,
                          struct text *out)
{
    char line[LINE_BYTES + 20];
    struct text names = TEXT_OF(LINE_BYTES);
    uint8_t winners = entered->result.winners;
    int count = __builtin_popcount(winners);
    words_write_seats(words, winners, &names);
    if (count == 0) {
        text_put(out, _("Nobody wins this game."));
        return;
    }
    bool is_you_alone = count == 1 && words->you >= 0 && (winners >> words->you & 1) != 0;
    if (is_you_alone) {
        text_put(out, _("You win!"));
        return;
    }
    snprintf(line, sizeof(line), count == 1 ? _("%s wins.") : _("%s share the first place."),
             names.at);
    text_put(out, line);
}

/* Who held this seat at the start: ratings are theirs. */
static void write_first_holder(const struct model_entered *entered, const struct words *words,
                               uint8_t seat, struct text *out)
{
    const char *left = entered->result.left[seat].name;
    if (left[0] != '\0') {
        text_put(out, left);
    } else {
        words_write_seat(words, seat, out);
    }
}

/* "ada +3.1, bob -1.2" */
static void write_rating_changes(const struct model_entered *entered, const struct words *words,
                                 uint8_t seat, struct text *out)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    bool is_first = true;
    for (uint8_t other = 0; other < entered->view.seats; other++) {
        if (result->by[other] == 0) {
            continue;
        }
        char change[64];
        int32_t tenths = result->by[other];
        text_put(out, is_first ? "" : ", ");
        is_first = false;
        write_first_holder(entered, words, other, out);
        snprintf(change, sizeof(change), " %c%d.%d", tenths < 0 ? '-' : '+',
                 (tenths < 0 ? -tenths : tenths) / 10, (tenths < 0 ? -tenths : tenths) % 10);
        text_put(out, change);
    }
}

/* The change of rating of whoever held this seat at the start. */
static void draw_rating(const struct canvas *canvas, const struct area *row,
                        const struct model_result_seat *result)
{
    struct text deviation = TEXT_OF(64);
    if (!result->is_rated) {
        return;
    }
    words_write_deviation(canvas->theme, result->deviation, &deviation);
    draw_formatted_text(canvas, row->row, row->column + 30, 20, STYLE_PLAIN, "%+d %s %d%s %s",
                        result->after - result->before,
                        theme_glyph(canvas->theme, GLYPH_ARROW_RIGHT), result->after,
                        result->is_provisional ? "?" : "", deviation.at);
}

static void draw_player(const struct canvas *canvas, const struct area *row,
                        const struct model_entered *entered, const struct words *words,
                        uint8_t seat)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    struct text buffer = TEXT_OF(LINE_BYTES);
    bool is_winner = (entered->result.winners >> seat & 1) != 0;
    enum style style = words_is_own_seat(words, seat) ? STYLE_YOU
                       : is_winner                    ? STYLE_STRONG
                                                      : STYLE_PLAIN;
    if (result->rank > 0) {
        draw_formatted_text(canvas, row->row, row->column, 4, style, "%2d", result->rank);
    }
    words_write_seat(words, seat, &buffer);
    draw_text(canvas, row->row, row->column + 4, NAME_WIDTH, style, buffer.at);
    draw_formatted_text(canvas, row->row, row->column + 22, 6, style, "%5d", result->score);
    if (entered->result.left[seat].name[0] == '\0') {
        draw_rating(canvas, row, result);
    }
}

/* Draws those who left for good, below all others; returns the row after them. */
static int draw_leavers(const struct canvas *canvas, const struct area *area,
                        const struct model_entered *entered)
{
    int row = area->row;
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        const struct model_result_left *left = &entered->result.left[seat];
        struct area each = {row, area->column, 1, area->width};
        if (left->name[0] == '\0' || row >= area->row + area->height) {
            continue;
        }
        draw_formatted_text(canvas, row, area->column, 4, STYLE_DIM, "%2d", left->rank);
        draw_text(canvas, row, area->column + 4, NAME_WIDTH, STYLE_DIM, left->name);
        draw_text(canvas, row, area->column + 23, 6, STYLE_DIM, _("left"));
        draw_rating(canvas, &each, &entered->result.seats[seat]);
        row++;
    }
    return row;
}

static void draw_deal_check(const struct canvas *canvas, int row, int column, int width,
                            const struct model_entered *entered, const struct table_state *state)
{
    bool was_there = state->committed_game == entered->result.game_id && state->commitment[0] != 0;
    const char *commitment = was_there ? state->commitment : entered->details.commitment;
    switch (check_deal(entered->result.seed, commitment)) {
    case DEAL_HOLDS:
        draw_formatted_text(canvas, row, column, width, STYLE_GOOD, "%s %s %s", _("deal"),
                            theme_glyph(canvas->theme, GLYPH_CHECK),
                            was_there ? _("the seed is the one fixed before the first card")
                                      : _("the seed matches the commitment of this game"));
        break;
    case DEAL_BROKEN:
        draw_text(canvas, row, column, width, STYLE_BAD,
                  _("deal: the seed is NOT the one fixed before the first card"));
        break;
    case DEAL_UNKNOWN:
        return;
    }
    draw_formatted_text(canvas, row + 1, column, width, STYLE_DIM, _("seed %s"),
                        entered->result.seed);
}

/* Seats by rank; a seat without one comes last. */
static void order_seats_by_rank(const struct model_entered *entered, uint8_t order[SEATS_MAX])
{
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        uint8_t at = seat;
        uint8_t rank = (uint8_t)(entered->result.seats[seat].rank - 1); /* 0 becomes the last */
        while (at > 0 && (uint8_t)(entered->result.seats[order[at - 1]].rank - 1) > rank) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = seat;
    }
}

/* Who asked for a rematch. */
static void write_rematch_names(const struct model_entered *entered, const struct words *words,
                                struct text *out)
{
    struct text names = TEXT_OF(LINE_BYTES);
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        if ((entered->details.rematch >> seat & 1) != 0) {
            text_put(&names, names.len > 0 ? ", " : "");
            words_write_seat(words, seat, &names);
        }
    }
    text_format(out, _("Again: %s"), names.at);
}

/* The part after the ranks, as far as there is room. */
static void draw_notes(const struct canvas *canvas, const struct area *area,
                       const struct model_entered *entered, const struct words *words,
                       const struct table_state *state)
{
    int row = area->row;
    int left = area->height;
    if (words->you >= 0 && entered->result.seats[words->you].is_rated && left > 0) {
        struct text changes = TEXT_OF(LINE_BYTES);
        write_rating_changes(entered, words, (uint8_t)words->you, &changes);
        draw_formatted_text(canvas, row++, area->column, area->width, STYLE_DIM,
                            _("your rating, by opponent: %s"), changes.at);
        left--;
    }
    if (left > 2) {
        draw_deal_check(canvas, row + 1, area->column, area->width, entered, state);
    }
    if (left > 4 && entered->details.rematch != 0) {
        struct text line = TEXT_OF(LINE_BYTES * 2);
        write_rematch_names(entered, words, &line);
        draw_text(canvas, row + 4, area->column, area->width, STYLE_TURN, line.at);
    }
}

void table_result_draw(struct ui *ui, const struct table_state *state, const struct canvas *canvas,
                       const struct area *area)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_of_table(screen_theme(ui), entered);
    struct text line = TEXT_OF(LINE_BYTES);
    struct area inside = {area->row, area->column + 2, area->height, area->width - 4};
    if (!entered->has_result) {
        draw_text_centred(canvas, area->row + 1, inside.column, inside.width, STYLE_DIM,
                          _("The game is over."));
        return;
    }
    uint8_t order[SEATS_MAX] = {0};
    order_seats_by_rank(entered, order);
    write_winners(entered, &words, &line);
    int used = entered->view.seats + 6;
    int row = area->row + (area->height > used + 2 ? (area->height - used) / 3 : 0);
    draw_text(canvas, row, inside.column, inside.width, STYLE_TITLE, line.at);
    row += 2;
    for (uint8_t i = 0; i < entered->view.seats && row < area->row + area->height; i++) {
        struct area each = {row++, inside.column, 1, inside.width};
        draw_player(canvas, &each, entered, &words, order[i]);
    }
    struct area left = {row, inside.column, area->row + area->height - row, inside.width};
    row = draw_leavers(canvas, &left, entered);
    struct area notes = {row, inside.column, area->row + area->height - row, inside.width};
    draw_notes(canvas, &notes, entered, &words, state);
}

bool table_result_handle_key(struct ui *ui, const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (press->kind != PRESS_CHAR) {
        return false;
    }
    if (press->code == 'n' || press->code == 'R') {
        screen_request(ui, "rematch", json_object(), NULL, 0);
        return true;
    }
    if (press->code == 'p' && entered->has_result) {
        screen_open(ui, "replay", entered->result.game_id);
        return true;
    }
    return false;
}

void table_result_add_hints(struct ui *ui, struct hints *hints)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->you >= 0) {
        hints_add(hints, "n", _("play again"));
    }
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "p", _("replay"));
    hints_add(hints, "t", _("last trick"));
    hints_add(hints, "c", _("chat"));
    hints_add(hints, "?", _("rules, help"));
    hints_add(hints, "q", _("leave"));
}

static void print_player(const struct model_entered *entered, const struct words *words,
                         uint8_t seat, struct lines *lines)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    struct text name = TEXT_OF(LINE_BYTES);
    game_print_write_name(words, seat, &name);
    bool has_left = entered->result.left[seat].name[0] != '\0';
    unsigned long points = (unsigned long)labs(result->score);
    if (result->rank == 0) {
        lines_format(lines, ngettext("%s: %d point.", "%s: %d points.", points), name.at,
                     result->score);
    } else if (!result->is_rated || has_left) {
        lines_format(lines, ngettext("Rank %d: %s, %d point.", "Rank %d: %s, %d points.", points),
                     result->rank, name.at, result->score);
    } else {
        lines_format(lines,
                     ngettext("Rank %d: %s, %d point, rating %+d, now %d.",
                              "Rank %d: %s, %d points, rating %+d, now %d.", points),
                     result->rank, name.at, result->score, result->after - result->before,
                     result->after);
    }
}

static void print_leavers(const struct model_entered *entered, struct lines *lines)
{
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        const struct model_result_left *left = &entered->result.left[seat];
        const struct model_result_seat *result = &entered->result.seats[seat];
        if (left->name[0] == '\0') {
            continue;
        }
        if (result->is_rated) {
            lines_format(lines, _("Rank %d: %s, who left for good, rating %+d, now %d."),
                         left->rank, left->name, result->after - result->before, result->after);
        } else {
            lines_format(lines, _("Rank %d: %s, who left for good."), left->rank, left->name);
        }
    }
}

static void print_deal_check(const struct model_entered *entered, const struct table_state *state,
                             struct lines *lines)
{
    bool was_there = state->committed_game == entered->result.game_id && state->commitment[0] != 0;
    switch (check_deal(entered->result.seed,
                       was_there ? state->commitment : entered->details.commitment)) {
    case DEAL_HOLDS:
        lines_put(lines, was_there ? _("The deal was fair: its seed was fixed before the game.")
                                   : _("The deal was fair: its seed matches the commitment."));
        break;
    case DEAL_BROKEN:
        lines_put(lines, _("The deal is NOT the one fixed before the first card."));
        break;
    case DEAL_UNKNOWN:
        break;
    }
}

void table_result_print(struct ui *ui, const struct table_state *state, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_of_table(screen_theme(ui), entered);
    uint8_t order[SEATS_MAX] = {0};
    if (!entered->has_result) {
        lines_put(lines, _("The game is over."));
        return;
    }
    struct text line = TEXT_OF(LINE_BYTES);
    write_winners(entered, &words, &line);
    lines_format(lines, _("The game is over. %s"), line.at);
    order_seats_by_rank(entered, order);
    for (uint8_t i = 0; i < entered->view.seats; i++) {
        print_player(entered, &words, order[i], lines);
    }
    print_leavers(entered, lines);
    line = TEXT_OF(LINE_BYTES);
    if (words.you >= 0 && entered->result.seats[words.you].is_rated) {
        write_rating_changes(entered, &words, (uint8_t)words.you, &line);
        lines_format(lines, _("Your rating, by opponent: %s."), line.at);
    }
    print_deal_check(entered, state, lines);
    lines_format(lines,
                 entered->you >= 0
                     ? _("/rematch asks for another game, /scores tells the score sheet, /replay "
                         "%lld goes through the game, /leave goes back to the lobby.")
                     : _("/scores tells the score sheet, /replay %lld goes through the game, "
                         "/leave goes back to the lobby."),
                 (long long)entered->result.game_id);
}
