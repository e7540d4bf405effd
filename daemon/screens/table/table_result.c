#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 400
#define SEED_HEX 64
#define NAME_WIDTH 17

/* Shows the result of a game: ranks, rating changes, and whether the deal was fair. */

enum deal_check {
    DEAL_UNKNOWN, /* there is no seed or no commitment to compare */
    DEAL_HOLDS,
    DEAL_BROKEN,
};

/* Makes words that name those who held the seats at the end, whoever has them now. */
static struct words make_words_of_players(const struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        if (entered->result.names[seat][0] != '\0') {
            words.names[seat] = entered->result.names[seat];
        }
    }
    return words;
}

/* Draws the lines that tell the result. Returns the row below them. */
static int draw_explained_result(const struct canvas *canvas, const struct area *area,
                                 const struct model_entered *entered, const struct words *words)
{
    struct story story;
    struct area rest = *area;
    story_tell_result(&entered->view, &entered->config, entered->result.winners, &story);
    for (uint8_t i = 0; i < story.count && rest.height > 0; i++) {
        struct text line = TEXT_OF(LINE_BYTES * 2);
        words_write_phrase(words, story.lines[i].words, &line);
        text_put_char(&line, '.');
        int rows =
            draw_wrapped_text(canvas, &rest, i == 0 ? STYLE_TITLE : STYLE_PLAIN, line.at, 0, 0);
        rest.row += rows;
        rest.height -= rows;
    }
    return rest.row;
}

/* Writes how the player's rating changed, by opponent: "ada +3.1, bob -1.2". The opponents are the
 * players who held the seats at the start. */
static const char *write_rating_changes(const struct model_entered *entered,
                                        const struct words *words, uint8_t seat, struct text *out)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    for (uint8_t other = 0; other < entered->view.seats; other++) {
        const char *left = entered->result.left[other].name;
        int32_t tenths = result->by[other];
        if (tenths != 0) {
            text_format_list_item(
                out, "%s %c%d.%d",
                left[0] != '\0' ? left : words_write_seat(words, other, &TEXT_OF(LINE_BYTES)),
                tenths < 0 ? '-' : '+', abs(tenths) / 10, abs(tenths) % 10);
        }
    }
    return out->at;
}

/* Draws the rating change of the player who held this seat at the start. */
static void draw_rating_change(const struct canvas *canvas, const struct area *row,
                               const struct model_result_seat *result)
{
    struct text deviation = TEXT_OF(64);
    if (result->is_rated) {
        words_write_rating_deviation(canvas->theme, result->deviation, &deviation);
        draw_formatted_text(canvas, row->row, row->column + 30, 20, STYLE_PLAIN, "%+d %s %d%s %s",
                            result->after - result->before,
                            theme_glyph_text(canvas->theme, GLYPH_ARROW_RIGHT), result->after,
                            result->is_provisional ? "?" : "", deviation.at);
    }
}

static void draw_result_of_player(const struct canvas *canvas, const struct area *row,
                                  const struct model_entered *entered, const struct words *words,
                                  uint8_t seat)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    bool is_winner = (entered->result.winners >> seat & 1) != 0;
    enum style style = words_is_own_seat(words, seat) ? STYLE_YOU
                       : is_winner                    ? STYLE_STRONG
                                                      : STYLE_PLAIN;
    if (result->rank > 0) {
        draw_formatted_text(canvas, row->row, row->column, 4, style, "%2d", result->rank);
    }
    draw_text(canvas, row->row, row->column + 4, NAME_WIDTH, style,
              words_write_seat(words, seat, &TEXT_OF(LINE_BYTES)));
    draw_formatted_text(canvas, row->row, row->column + 22, 6, style, "%5d", result->score);
    if (entered->result.left[seat].name[0] == '\0') {
        draw_rating_change(canvas, row, result);
    }
}

/* Draws the players who left for good, below all others. Returns the screen row below the last of
 * them. */
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
        draw_rating_change(canvas, &each, &entered->result.seats[seat]);
        row++;
    }
    return row;
}

/* Compares the SHA-256 of the seed that the result reveals with the commitment that this session
 * saw before the first card (HISTORY.md, "Fair dealing"). A session that began later uses the
 * commitment that the house shows now. */
static enum deal_check check_fairness_of_deal(const struct model_entered *entered,
                                              const struct table_screen_state *state,
                                              bool *saw_commitment)
{
    unsigned char seed[SEED_BYTES];
    unsigned char commitment[crypto_hash_sha256_BYTES];
    unsigned char hash[crypto_hash_sha256_BYTES];
    *saw_commitment = state->committed_game == entered->result.game_id && state->commitment[0] != 0;
    const char *committed = *saw_commitment ? state->commitment : entered->details.commitment;
    if (strlen(entered->result.seed) != SEED_HEX || strlen(committed) != SEED_HEX ||
        sodium_hex2bin(seed, sizeof(seed), entered->result.seed, SEED_HEX, NULL, NULL, NULL) != 0 ||
        sodium_hex2bin(commitment, sizeof(commitment), committed, SEED_HEX, NULL, NULL, NULL) !=
            0) {
        return DEAL_UNKNOWN;
    }
    crypto_hash_sha256(hash, seed, sizeof(seed));
    return memcmp(hash, commitment, sizeof(hash)) == 0 ? DEAL_HOLDS : DEAL_BROKEN;
}

static void draw_fairness_of_deal(const struct canvas *canvas, int row, int column, int width,
                                  const struct model_entered *entered,
                                  const struct table_screen_state *state)
{
    bool was_there;
    enum deal_check check = check_fairness_of_deal(entered, state, &was_there);
    if (check == DEAL_UNKNOWN) {
        return;
    }
    if (check == DEAL_HOLDS) {
        draw_formatted_text(canvas, row, column, width, STYLE_GOOD, "%s %s %s", _("deal"),
                            theme_glyph_text(canvas->theme, GLYPH_CHECK),
                            was_there ? _("the seed is the one fixed before the first card")
                                      : _("the seed matches the commitment of this game"));
    } else {
        draw_text(canvas, row, column, width, STYLE_BAD,
                  _("deal: the seed is NOT the one fixed before the first card"));
    }
    draw_formatted_text(canvas, row + 1, column, width, STYLE_DIM, _("seed %s"),
                        entered->result.seed);
}

/* Lists the seats by rank; a seat without a rank comes last. */
static void order_seats_by_rank(const struct model_entered *entered, uint8_t order[SEATS_MAX])
{
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        uint8_t at = seat;
        uint8_t rank = (uint8_t)(entered->result.seats[seat].rank -
                                 1); /* rank 0, which means no rank, becomes the greatest */
        while (at > 0 && (uint8_t)(entered->result.seats[order[at - 1]].rank - 1) > rank) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = seat;
    }
}

/* Below the ranks, draws as many notes as fit: the viewer's rating changes, the check of the deal,
 * and who wants to play again. */
static void draw_result_notes(const struct canvas *canvas, const struct area *area,
                              const struct model_entered *entered, const struct words *words,
                              const struct table_screen_state *state)
{
    int row = area->row;
    int left = area->height;
    if (words->you >= 0 && entered->result.seats[words->you].is_rated && left > 0) {
        draw_formatted_text(
            canvas, row++, area->column, area->width, STYLE_DIM, _("your rating, by opponent: %s"),
            write_rating_changes(entered, words, (uint8_t)words->you, &TEXT_OF(LINE_BYTES)));
        left--;
    }
    if (left > 2) {
        draw_fairness_of_deal(canvas, row + 1, area->column, area->width, entered, state);
    }
    if (left > 4 && entered->details.rematch != 0) {
        draw_formatted_text(
            canvas, row + 4, area->column, area->width, STYLE_TURN, _("Want to play again: %s"),
            words_write_seats(words, entered->details.rematch, &TEXT_OF(LINE_BYTES)));
    }
}

void table_result_draw(struct ui *ui, const struct table_screen_state *state,
                       const struct canvas *canvas, const struct area *area)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = make_words_of_players(ui);
    struct area rest = {area->row, area->column + 2, area->height, area->width - 4};
    if (!entered->has_result) {
        draw_text_centred(canvas, area->row + 1, rest.column, rest.width, STYLE_DIM,
                          _("The game is over."));
        return;
    }
    uint8_t order[SEATS_MAX] = {0};
    order_seats_by_rank(entered, order);
    int end = area->row + area->height;
    int used = entered->view.seats + 6;
    int row = area->row + (area->height > used + 2 ? (area->height - used) / 3 : 0);
    rest.row = row;
    rest.height = end - row;
    row = draw_explained_result(canvas, &rest, entered, &words) + 1;
    for (uint8_t i = 0; i < entered->view.seats && row < end; i++) {
        struct area line = {row++, rest.column, 1, rest.width};
        draw_result_of_player(canvas, &line, entered, &words, order[i]);
    }
    rest.row = row;
    rest.height = end - row;
    rest.row = draw_leavers(canvas, &rest, entered);
    rest.height = end - rest.row;
    draw_result_notes(canvas, &rest, entered, &words, state);
}

bool table_result_handle_key(struct ui *ui, const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    if (letter == 'n' || letter == 'R') {
        screen_send_request(ui, "rematch", json_object(), NULL, 0);
        return true;
    }
    return letter == 'p' && entered->has_result &&
           screen_open(ui, "replay", entered->result.game_id);
}

void table_result_add_hints(struct ui *ui, struct hints *hints)
{
    if (screen_model(ui)->entered->you >= 0) {
        hints_add(hints, "n", _("play again"));
    }
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "p", _("replay"));
    hints_add(hints, "t", _("last trick"));
    hints_add(hints, "L", _("story"));
}

static void print_result_of_player(const struct model_entered *entered, const struct words *words,
                                   uint8_t seat, struct lines *lines)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    const char *name = game_print_write_name(words, seat, &TEXT_OF(LINE_BYTES));
    bool has_left = entered->result.left[seat].name[0] != '\0';
    unsigned long points = (unsigned long)labs(result->score);
    if (result->rank == 0) {
        lines_format(lines, ngettext("%s: %d point.", "%s: %d points.", points), name,
                     result->score);
    } else if (!result->is_rated || has_left) {
        lines_format(lines, ngettext("Rank %d: %s, %d point.", "Rank %d: %s, %d points.", points),
                     result->rank, name, result->score);
    } else {
        lines_format(lines,
                     ngettext("Rank %d: %s, %d point, rating %+d, now %d.",
                              "Rank %d: %s, %d points, rating %+d, now %d.", points),
                     result->rank, name, result->score, result->after - result->before,
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

static void print_fairness_of_deal(const struct model_entered *entered,
                                   const struct table_screen_state *state, struct lines *lines)
{
    bool was_there;
    enum deal_check check = check_fairness_of_deal(entered, state, &was_there);
    if (check == DEAL_HOLDS) {
        lines_put(lines, was_there ? _("The deal was fair: its seed was fixed before the game.")
                                   : _("The deal was fair: its seed matches the commitment."));
    } else if (check == DEAL_BROKEN) {
        lines_put(lines, _("The deal is NOT the one fixed before the first card."));
    }
}

void table_result_print(struct ui *ui, const struct table_screen_state *state, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = make_words_of_players(ui);
    uint8_t order[SEATS_MAX] = {0};
    if (!entered->has_result) {
        lines_put(lines, _("The game is over."));
        return;
    }
    struct story story;
    story_tell_result(&entered->view, &entered->config, entered->result.winners, &story);
    lines_put(lines, _("The game is over."));
    game_print_story_lines(&story, 0, story.count, &words, lines);
    order_seats_by_rank(entered, order);
    for (uint8_t i = 0; i < entered->view.seats; i++) {
        print_result_of_player(entered, &words, order[i], lines);
    }
    print_leavers(entered, lines);
    if (words.you >= 0 && entered->result.seats[words.you].is_rated) {
        lines_format(
            lines, _("Your rating, by opponent: %s."),
            write_rating_changes(entered, &words, (uint8_t)words.you, &TEXT_OF(LINE_BYTES)));
    }
    print_fairness_of_deal(entered, state, lines);
    lines_format(lines,
                 entered->you >= 0
                     ? _("/rematch asks for another game, /scores prints the score sheet, /replay "
                         "%lld replays the game, /leave goes back to the lobby.")
                     : _("/scores prints the score sheet, /replay %lld replays the game, /leave "
                         "goes back to the lobby."),
                 (long long)entered->result.game_id);
}
