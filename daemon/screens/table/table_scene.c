#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <limits.h>
#include <string.h>

#define CARD_WIDTH_MIN 6
#define CARD_WIDTH_MAX 10
#define CENTRE_WIDTH_MIN 8
#define TRICK_ROWS 2 /* in the middle: who took the trick, and why */

/* Writes the separator between two facts; nothing if `out` is empty. */
static void put_separator(const struct scene *scene, struct text *out)
{
    if (out->len > 0 && scene->words.theme->is_plain_mode) {
        text_put(out, ", ");
    } else if (out->len > 0 && scene->words.theme->is_ascii) {
        text_put(out, "; "); /* in ASCII the dot looks like the sign that means "none" */
    } else if (out->len > 0) {
        text_format(out, " %s ", theme_glyph_text(scene->words.theme, GLYPH_DOT));
    }
}

/* maximum height of the board below the headline, in rows; the cards need the other rows */
#define ROWS_MAX 3
#define WRAP_INDENT 2

/* The facts of the round, then the rules chosen for the table, and last, unless signs are not
 * drawn, the meaning of the signs at cards, which has an empty label. */
struct board {
    uint8_t count;
    struct face_fact facts[FACE_BOARD_MAX + 1];
};

static struct board collect_board_facts(const struct scene *scene)
{
    const struct game_face *face = scene->view->game->face;
    struct board board = {.count = 0};
    if (scene->view->phase == PHASE_OVER && !scene->is_held) {
        return board; /* after the game, only its last trick still needs them */
    }
    if (face->board != NULL) {
        board.count = face->board(scene->view, scene->words.config, board.facts);
    }
    if (face->card_signs != NULL && !scene->words.theme->is_plain_mode) {
        struct phrase signs = face->card_signs(scene->view);
        board.facts[board.count].label = "";
        board.facts[board.count].value = signs;
        board.count = (uint8_t)(board.count + (signs.format != NULL));
    }
    return board;
}

/* True if the previous fact has another label. A label that neighbouring facts share is written
 * once. */
static bool fact_has_new_label(const struct board *board, uint8_t index)
{
    return index == 0 || strcmp(board->facts[index].label, board->facts[index - 1].label) != 0;
}

/* Writes a fact with its label, and with the facts after it that have the same label. Returns the
 * index of the next fact. */
static uint8_t write_facts_of_label(const struct scene *scene, const struct board *board,
                                    uint8_t index, struct text *out)
{
    uint8_t at = index;
    if (board->facts[index].label[0] != '\0') {
        draw_put_styled(out, STYLE_DIM, _(board->facts[index].label));
        text_put_char(out, ' ');
    }
    do {
        text_put(out, at > index ? ", " : "");
        words_write_phrase(&scene->words, board->facts[at++].value, out);
    } while (at < board->count && !fact_has_new_label(board, at));
    return at;
}

/* Fills one row with as many facts as fit, beginning with `first_fact`. Returns the index of the
 * next fact. */
static uint8_t fill_board_row(const struct scene *scene, const struct board *board,
                              uint8_t first_fact, int width, struct text *out)
{
    uint8_t at = first_fact;
    while (at < board->count) {
        struct text buffer = TEXT_OF(TABLE_TEXT * FACE_BOARD_MAX);
        uint8_t next = write_facts_of_label(scene, board, at, &buffer);
        if (at > first_fact &&
            draw_measure_text(out->at) + 3 + draw_measure_text(buffer.at) > width) {
            break;
        }
        put_separator(scene, out);
        text_put(out, buffer.at);
        at = next;
    }
    return at;
}

int board_draw_rows(const struct canvas *canvas, const struct area *area, const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    int used = 0;
    for (uint8_t at = 0; at < board.count && area->height > 0;) {
        struct text text = TEXT_OF(TABLE_TEXT * FACE_BOARD_MAX);
        struct area row = {area->row + used, area->column + 1, area->height - used,
                           area->width - 2};
        at = fill_board_row(scene, &board, at, row.width, &text);
        used += draw_wrapped_text(canvas, &row, STYLE_PLAIN, text.at, 0, WRAP_INDENT);
    }
    return used > ROWS_MAX ? ROWS_MAX : used;
}

/* Draws the facts into the inside of the box, each value wrapped beside its label. Returns how many
 * rows they need. If canvas is NULL, only counts the rows. */
static int draw_box_rows(const struct canvas *canvas, const struct area *inside,
                         const struct scene *scene, const struct board *board)
{
    int widest = 0, used = 0;
    for (uint8_t i = 0; i < board->count; i++) {
        const char *name = board->facts[i].label;
        int width = name[0] != '\0' ? draw_measure_text(_(name)) : 0;
        widest = width > widest ? width : widest;
    }
    int label = widest + 2;
    for (uint8_t i = 0; i < board->count; i++) {
        struct area area = {inside->row + used, inside->column + label, inside->height - used,
                            inside->width - label};
        const char *name = board->facts[i].label;
        if (canvas != NULL && fact_has_new_label(board, i) && name[0] != '\0' && area.height > 0) {
            draw_text(canvas, area.row, inside->column, inside->width, STYLE_DIM, _(name));
        }
        const char *value =
            words_write_phrase(&scene->words, board->facts[i].value, &TEXT_OF(TABLE_TEXT));
        used += draw_wrapped_text(canvas, &area, STYLE_PLAIN, value, 0, 0);
    }
    return used;
}

int board_draw_box(const struct canvas *canvas, const struct area *area, const struct scene *scene)
{
    struct board board = collect_board_facts(scene);
    const struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    if (board.count == 0) {
        return 0;
    }
    if (canvas != NULL) {
        draw_box(canvas, area, _("Board"), false);
    }
    return draw_box_rows(canvas, &inside, scene, &board) + 2;
}

void board_print(const struct scene *scene, struct lines *lines)
{
    struct board board = collect_board_facts(scene);
    struct text line = TEXT_OF(LINES_LINE_MAX);
    (void)fill_board_row(scene, &board, 0, INT_MAX, &line);
    if (line.len > 0) {
        lines_format(lines, _("On the table: %s."), line.at);
    }
}

/* Returns the seat that is drawn at a place of the layout; place 0 is at the bottom, the others
 * follow in the order of play. */
static uint8_t scene_seat_at_place(const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene->bottom;
    while (place-- > 0) {
        seat = face_next_seat(scene->view, seat);
    }
    return seat;
}

static bool has_open_hands(const struct scene *scene)
{
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        if (open_hand_is_shown(scene, seat)) {
            return true;
        }
    }
    return false;
}

/* Adds what a game needs whose cards show their suits' full names where there is room. */
static void add_needs_of_full_names(const struct scene *scene, struct table_layout_needs *needs)
{
    const struct game_view *view = scene->view;
    struct card_widths widths;
    if (!view->game->face->spells_suits) {
        return;
    }
    card_measure_widths(&scene->words, &widths);
    needs->has_open_hands = true; /* the seats stay in their rows until the last card is played */
    needs->card_width_named[0] = widths.of[FACE_LONG] + 2;
    needs->card_width_named[1] = widths.of[FACE_TITLE] + 2;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        int count = view->slot_count[seat];
        int width = count * (widths.of[FACE_HAND] + 1);
        needs->open_hand_width = width > needs->open_hand_width ? width : needs->open_hand_width;
        needs->open_hand_rows = count > needs->open_hand_rows ? count : needs->open_hand_rows;
    }
}

struct table_layout_needs scene_compute_layout_needs(const struct scene *scene)
{
    struct card_widths widths;
    card_measure_widths(&scene->words, &widths);
    int card = widths.of[FACE_SHORT];
    card += card <= 4 ? 4 : 2;
    struct table_layout_needs needs = {
        .seats = scene->view->seats,
        .has_hand = scene->view->seat != SPECTATOR,
        .prompt_rows = 1,
        .card_width = int_min(int_max(card, CARD_WIDTH_MIN), CARD_WIDTH_MAX),
        .has_open_hands = has_open_hands(scene),
    };
    add_needs_of_full_names(scene, &needs);
    return needs;
}

/* Appends " · " and the fact if both fit the width. */
static void append_fact_if_it_fits(const struct scene *scene, const char *fact, int width,
                                   struct text *out)
{
    if (fact[0] != '\0' && draw_measure_text(out->at) + 3 + draw_measure_text(fact) <= width) {
        put_separator(scene, out);
        text_put(out, fact);
    }
}

const char *scene_write_headline(const struct scene *scene, const char *prefix, int width,
                                 struct text *out)
{
    const struct game_view *view = scene->view;
    struct text round = TEXT_OF(TABLE_TEXT);
    struct phrase facts[FACE_HEADLINE_MAX];
    struct game_view in_trick;
    if (scene->is_held && view->past_count > 0) {
        /* as a moment ago: the number of the trick changes when its cards are cleared */
        in_trick = *view;
        in_trick.trick = view->past[--in_trick.past_count];
        view = &in_trick;
    }
    uint8_t count = view->game->face->headline(view, facts);
    text_put(out, prefix);
    draw_put_styled(out, STYLE_TITLE, _(view->game->title));
    text_format(&round, view->rounds > 0 ? _("round %u of %u") : _("round %u"), view->round,
                view->rounds);
    append_fact_if_it_fits(scene, round.at, width, out);
    for (uint8_t i = 0; i < count; i++) {
        const char *fact = words_write_phrase(&scene->words, facts[i], &TEXT_OF(TABLE_TEXT));
        append_fact_if_it_fits(scene, fact, width, out);
    }
    return out->at;
}

static const struct view_trick *find_shown_trick(const struct scene *scene)
{
    return scene->is_held ? &scene->view->last_trick : &scene->view->trick;
}

static uint8_t find_card_played_by_seat(const struct view_trick *trick, uint8_t seat)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        if (trick->plays[i].seat == seat) {
            return trick->plays[i].card;
        }
    }
    return CARD_NONE;
}

/* Returns the columns that a list of players keeps free at the end of each line for the card of the
 * trick; 0 if there is no trick. */
static int measure_card_in_list(const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    int widest = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        struct text card = TEXT_OF(TABLE_TEXT);
        card_write_edged(&scene->words, trick->plays[i].card, &card);
        int width = draw_measure_text(card.at) + 2;
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* True if the seat took the finished trick that is still shown. */
static bool seat_took_trick(const struct scene *scene, uint8_t seat)
{
    return scene->is_held && scene->view->last_trick.winner == seat;
}

/* True if the seat's turn is shown: beside a finished trick, only the viewer's own is. */
static bool must_seat_act(const struct scene *scene, uint8_t seat)
{
    bool is_shown = !scene->is_held || words_is_own_seat(&scene->words, seat);
    return is_shown && (scene->view->to_act >> seat & 1) != 0;
}

static struct text add_empty_mark(struct seat_marks *marks)
{
    return text_init(marks->at[marks->count++], SEAT_MARK_BYTES);
}

static void add_bid_and_trick_marks(const struct scene *scene, uint8_t seat,
                                    struct seat_marks *marks)
{
    const struct game_view *view = scene->view;
    bool is_plain = scene->words.theme->is_plain_mode;
    if (view->has_bids) {
        struct text bid = add_empty_mark(marks);
        if (view->bids[seat] != BID_NONE) {
            text_format(&bid, _("bid %d"), view->bids[seat]);
        } else if (is_plain) {
            text_put(&bid, _("no bid yet"));
        } else {
            text_format(&bid, _("bid %s"), theme_glyph_text(scene->words.theme, GLYPH_DASH));
        }
    }
    struct text won = add_empty_mark(marks);
    text_format(&won, is_plain ? _("tricks %d") : _("won %d"), view->tricks[seat]);
}

/* Adds the bid, the tricks won, the score and the game's number beside it: "bid 2", "won 1", "score
 * 31", "badness 2". */
static void add_number_marks(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
{
    const struct game_view *view = scene->view;
    if (!face_is_before_bids(view)) {
        add_bid_and_trick_marks(scene, seat, marks);
    }
    struct text score = add_empty_mark(marks);
    text_format(&score, _("score %d"), view->scores[seat]);
    for (const struct info_def *def = view->game->info; def != NULL && def->key != NULL; def++) {
        if (def->running != NULL) {
            struct text number = add_empty_mark(marks);
            words_write_phrase(&scene->words,
                               PHRASE(def->running, arg_of_number(view->info[def->at + seat])),
                               &number);
        }
    }
}

static void add_badge_and_absence_marks(const struct scene *scene, uint8_t seat,
                                        struct seat_marks *marks)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = scene->view->game->face->badges(scene->view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        struct text text = add_empty_mark(marks);
        words_write_phrase(&scene->words, badges[i], &text);
    }
    const struct seat_row *who = scene->seats == NULL ? NULL : &scene->seats[seat];
    if (who == NULL || !who->is_taken || who->kind == PERSON_BOT) {
        return;
    }
    if (who->is_played_by_bot || !who->is_here || who->vacation_ms != 0) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, STYLE_WARN,
                        who->is_played_by_bot   ? _("bot playing")
                        : who->vacation_ms != 0 ? _("on vacation")
                        : who->is_gone          ? _("no connection")
                                                : _("away"));
    }
}

/* Adds the time left for the seat's turn ("0:24"), or the rest of the seat's time for all turns. */
static void add_time_mark(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
{
    if (scene->live == NULL || seat >= SEATS_MAX || scene->is_held) {
        return;
    }
    const struct model_time *time = &scene->live->times[seat];
    bool is_turn = time->left_ms >= 0;
    int64_t left_ms =
        is_turn ? model_time_left(scene->live, time->left_ms, scene->now_ms) : time->bank_ms;
    if (left_ms >= 0) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, is_turn ? STYLE_TURN : STYLE_DIM,
                        words_write_time_left(left_ms, &TEXT_OF(SEAT_MARK_BYTES)));
    }
}

/* Adds "◄ to play" for a player whose turn it is, "took it" for the player who took the trick: in
 * the middle it says that the viewer took it, whose turn may have begun. */
static void add_turn_mark(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
{
    if (seat_took_trick(scene, seat) && !must_seat_act(scene, seat)) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, STYLE_GOOD, _("took it"));
    } else if (must_seat_act(scene, seat)) {
        struct text text = add_empty_mark(marks), words = TEXT_OF(SEAT_MARK_BYTES);
        text_format(&words, "%s %s", theme_glyph_text(scene->words.theme, GLYPH_TURN),
                    words_is_own_seat(&scene->words, seat) ? _("your turn")
                                                           : _(face_describe_turn(scene->view)));
        draw_put_styled(&text, STYLE_TURN, words.at);
    }
}

/* Collects the facts of a seat: first the numbers. The marks of the turn come before or after the
 * game's badges. */
static struct seat_marks seat_marks_collect(const struct scene *scene, uint8_t seat,
                                            bool is_turn_last)
{
    struct seat_marks marks = {.scene = scene};
    add_number_marks(scene, seat, &marks);
    marks.number_count = marks.count;
    if (!is_turn_last) {
        add_turn_mark(scene, seat, &marks);
        add_time_mark(scene, seat, &marks);
    }
    marks.turn_end = marks.count;
    add_badge_and_absence_marks(scene, seat, &marks);
    if (is_turn_last) {
        add_turn_mark(scene, seat, &marks);
        add_time_mark(scene, seat, &marks);
    }
    return marks;
}

struct seat_marks seat_marks_collect_lasting(const struct scene *scene, uint8_t seat)
{
    struct seat_marks marks = {.scene = scene};
    add_number_marks(scene, seat, &marks);
    add_badge_and_absence_marks(scene, seat, &marks);
    return marks;
}

/* Breaks each mark that is wider than `width` into two, at a blank. */
static void seat_marks_break_wide(struct seat_marks *marks, int width)
{
    for (uint8_t i = 0; i < marks->count && marks->count < SEAT_MARKS_MAX; i++) {
        size_t over = 0;
        size_t len = draw_measure_text(marks->at[i]) > width
                         ? styled_text_count_fitting_bytes(marks->at[i], width, &over)
                         : 0;
        if (over == 0) {
            continue;
        }
        memmove(marks->at[i + 1], marks->at[i], sizeof(marks->at[0]) * (marks->count - i));
        marks->count++;
        struct text rest = text_init(marks->at[i + 1], SEAT_MARK_BYTES);
        bool is_styled = marks->at[i][0] == DRAW_MARK;
        text_put_bytes(&rest, marks->at[i], is_styled ? DRAW_MARK_BYTES : 0);
        text_put(&rest, marks->at[i] + len + over);
        marks->at[i][len] = is_styled ? DRAW_UNMARK : '\0';
        marks->at[i][len + is_styled] = '\0';
        i++;
    }
}

/* Appends a mark, after a separator, unless the text would be wider than `width`. Returns whether
 * it did. */
static bool append_mark(const struct scene *scene, const char *mark, int width, bool is_narrow,
                        struct text *out)
{
    struct text longer = TEXT_OF(SEAT_MARK_BYTES * 4);
    text_put(&longer, out->at);
    if (is_narrow) {
        bool is_ascii = scene->words.theme->is_ascii;
        const char *mark_between = is_ascii ? ";" : theme_glyph_text(scene->words.theme, GLYPH_DOT);
        text_put(&longer, longer.len > 0 ? mark_between : "");
    } else {
        put_separator(scene, &longer);
    }
    text_put(&longer, mark);
    if (draw_measure_text(longer.at) > width) {
        return false;
    }
    out->len = 0;
    text_put(out, longer.at);
    return true;
}

/* Writes as many marks as fit one line of `width` columns, beginning with `first_mark`, even if the
 * first one does not fit; returns the index of the first mark that is left out. If is_narrow, only
 * a blank separates the marks. */
static uint8_t seat_marks_write_line(const struct seat_marks *marks, uint8_t first_mark, int width,
                                     bool is_narrow, struct text *out)
{
    uint8_t at = first_mark;
    while (at < marks->count && append_mark(marks->scene, marks->at[at],
                                            at > first_mark ? width : INT_MAX, is_narrow, out)) {
        at++;
    }
    return at;
}

/* Returns how many lines of that width all marks need. */
static int seat_marks_count_lines(const struct seat_marks *marks, int width, bool is_narrow)
{
    int lines = 0;
    for (uint8_t at = 0; at < marks->count; lines++) {
        at = seat_marks_write_line(marks, at, width, is_narrow, &TEXT_OF(SEAT_MARK_BYTES * 4));
    }
    return lines;
}

/* Writes the marks in one line, separated only by blanks if there is little room. A mark that does
 * not fit is left out, never cut. */
static void seat_marks_write_fitting(const struct seat_marks *marks, int width, struct text *out)
{
    bool is_narrow = seat_marks_count_lines(marks, width, false) > 1;
    for (uint8_t at = 0; at < marks->count; at++) {
        (void)append_mark(marks->scene, marks->at[at], width, is_narrow, out);
    }
}

/* Moves as many marks as fit the `width` columns after the name, from those between the numbers and
 * index `end`, from the list to `out`. */
static void seat_marks_move_beside_name(struct seat_marks *marks, uint8_t end, int width,
                                        struct text *out)
{
    uint8_t first = marks->number_count;
    struct seat_marks offered = *marks;
    offered.count = end;
    if (first >= end || draw_measure_text(marks->at[first]) > width) {
        return;
    }
    uint8_t next = seat_marks_write_line(&offered, first, width, false, out);
    memmove(marks->at[first], marks->at[next],
            sizeof(marks->at[0]) * (size_t)(marks->count - next));
    marks->count = (uint8_t)(marks->count - (next - first));
}

/* If it is the seat's turn and the mark of the turn ("◄ to play") is wider than `width`, leaves
 * only its arrow. The line of the prompt says what the seat has to do. */
static void seat_marks_shorten_turn(uint8_t seat, struct seat_marks *marks, int width)
{
    uint8_t turn = marks->number_count;
    if (turn < marks->turn_end && draw_measure_text(marks->at[turn]) > width &&
        must_seat_act(marks->scene, seat)) {
        struct text arrow = text_init(marks->at[turn], SEAT_MARK_BYTES);
        draw_put_styled(&arrow, STYLE_TURN,
                        theme_glyph_text(marks->scene->words.theme, GLYPH_TURN));
    }
}

#define LIST_CARD_WIDTH 8 /* fewest columns for the played card at the end of a list's line */
#define NAME_COLUMN_MAX 10
#define ROWS_ABOVE_LIST 4 /* rows of the name and of three lines of facts above a list of cards */
#define USUAL_HAND_LINE 3 /* a hand is below the name and two lines of facts */

static const char *write_seat_name(const struct scene *scene, uint8_t seat, struct text *out)
{
    draw_put_styled(out,
                    must_seat_act(scene, seat)               ? STYLE_TURN
                    : words_is_own_seat(&scene->words, seat) ? STYLE_YOU
                                                             : STYLE_STRONG,
                    words_write_seat(&scene->words, seat, &TEXT_OF(TABLE_TEXT)));
    return out->at;
}

static void write_seat_rating(const struct scene *scene, uint8_t seat, struct text *out)
{
    if (scene->seats == NULL || !scene->seats[seat].is_taken) {
        return;
    }
    text_put_char(out, ' ');
    if (scene->seats[seat].kind == PERSON_BOT || scene->seats[seat].is_program) {
        text_format(out, "(%s)", person_brief_bot_label(person_level_of_seat(&scene->seats[seat])));
    } else if (scene->seats[seat].rating.value != ROW_NONE) {
        words_write_rating(scene->words.theme, &scene->seats[seat].rating, out);
    }
}

static void draw_seat_line(const struct canvas *canvas, const struct table_layout *layout,
                           int place, int line, const char *text)
{
    const struct area *seat = &layout->seats[place];
    int gap = seat->width - draw_measure_text(text);
    int before = gap <= 0                         ? 0
                 : layout->is_seat_centred[place] ? gap / 2
                 : layout->is_seat_right[place]   ? gap
                                                  : 0;
    if (line < seat->height) {
        draw_text(canvas, seat->row + line, seat->column + before, seat->width - before,
                  STYLE_PLAIN, text);
    }
}

static int measure_name_width(const struct scene *scene, uint8_t seat)
{
    return draw_measure_text(write_seat_name(scene, seat, &TEXT_OF(TABLE_TEXT)));
}

/* Returns the columns for the names in a list of players: as many as the widest name takes, but so
 * few that the names leave room. */
static int measure_name_column(const struct scene *scene)
{
    int widest = 0;
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        int width = measure_name_width(scene, seat);
        widest = width > widest && width <= NAME_COLUMN_MAX ? width : widest;
    }
    return widest;
}

/* Writes the name and the open hand of a seat, so that hands in neighbouring lines form columns. */
static void write_name_and_open_hand(const struct scene *scene, uint8_t seat, struct text *out)
{
    struct open_hand hand = open_hand_collect(scene, seat, 0, 0);
    write_seat_name(scene, seat, out);
    if (hand.count > 0) {
        struct text cards = TEXT_OF(TABLE_TEXT * 2);
        int before = measure_name_column(scene) - measure_name_width(scene, seat);
        (void)open_hand_write_row(&hand, 0, INT_MAX, &cards);
        int after = open_hand_measure_row(&hand) - draw_measure_text(cards.at);
        text_format(out, "  %*s%s%*s", before > 0 ? before : 0, "", cards.at, after > 0 ? after : 0,
                    "");
    }
}

/* Returns the places of a list whose facts do not fit one line: bit i for place i. */
static uint8_t find_wide_places(const struct scene *scene, const struct table_layout *layout)
{
    unsigned wide = 0;
    int card = measure_card_in_list(scene);
    card = card > LIST_CARD_WIDTH ? card : LIST_CARD_WIDTH; /* the same before the first card */
    for (uint8_t place = 0; place < scene->view->seats && layout->is_list; place++) {
        uint8_t seat = scene_seat_at_place(scene, place);
        struct text name = TEXT_OF(TABLE_TEXT * 2);
        struct seat_marks marks = seat_marks_collect(scene, seat, true);
        write_name_and_open_hand(scene, seat, &name);
        int room = layout->seats[place].width - card - draw_measure_text(name.at) - 2;
        wide |= (unsigned)(seat_marks_count_lines(&marks, room, true) > 1) << place;
    }
    return (uint8_t)wide;
}

/* Draws a seat in one line: the name, the open hand or (in a list) the rating, and the facts. In a
 * list, the columns at the line's end are left to the card of the trick. With a second line, the
 * open hand or the facts are there. */
static void draw_seat_in_one_or_two_lines(const struct canvas *canvas,
                                          const struct table_layout *layout,
                                          const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at_place(scene, place);
    const struct area *area = &layout->seats[place];
    struct text line = TEXT_OF(TABLE_TEXT * 6), rating = TEXT_OF(TABLE_TEXT);
    struct text facts = TEXT_OF(TABLE_TEXT * 4);
    struct seat_marks marks = seat_marks_collect(scene, seat, true);
    struct open_hand hand = open_hand_collect(scene, seat, 0, 0);
    bool has_hand_line = area->height > 1 && hand.count > 0;
    if (has_hand_line) {
        struct text cards = TEXT_OF(TABLE_TEXT * 2);
        text_put(&cards, "  ");
        (void)open_hand_write_row(&hand, 0, INT_MAX, &cards);
        draw_seat_line(canvas, layout, place, 1, cards.at);
        write_seat_name(scene, seat, &line);
    } else {
        write_name_and_open_hand(scene, seat, &line);
    }
    if (layout->is_list && hand.count == 0) {
        write_seat_rating(scene, seat, &rating);
    }
    if (area->height > 1 && !has_hand_line) {
        text_put(&line, rating.at);
        seat_marks_write_fitting(&marks, area->width, &facts);
        draw_seat_line(canvas, layout, place, 1, facts.at);
    } else {
        int card = layout->is_list ? measure_card_in_list(scene) : 0;
        int room = area->width - card - draw_measure_text(line.at) - 2;
        int left = room - draw_measure_text(rating.at);
        bool has_rating = seat_marks_count_lines(&marks, left, false) == 1;
        seat_marks_write_fitting(&marks, has_rating ? left : room, &facts);
        text_format(&line, "%s  %s", has_rating ? rating.at : "", facts.at);
    }
    draw_seat_line(canvas, layout, place, 0, line.at);
}

/* Returns the columns for the texts of a seat. In a tight layout, only its hand uses all columns.
 */
static int measure_text_columns(const struct table_layout *layout, uint8_t place)
{
    int free_columns = !layout->is_tight ? 0 : layout->is_seat_centred[place] ? 2 : 1;
    return layout->seats[place].width - free_columns;
}

/* Draws the player's name, then `marks_text`, and the rating between them if there is room for
 * both. */
static void draw_seat_name(const struct canvas *canvas, const struct table_layout *layout,
                           const struct scene *scene, uint8_t place, const char *marks_text)
{
    uint8_t seat = scene_seat_at_place(scene, place);
    struct text line = TEXT_OF(TABLE_TEXT * 2), rating = TEXT_OF(TABLE_TEXT);
    const char *gap = marks_text[0] != '\0' ? "  " : "";
    write_seat_rating(scene, seat, &rating);
    write_seat_name(scene, seat, &line);
    if (draw_measure_text(line.at) + draw_measure_text(rating.at) + draw_measure_text(gap) +
            draw_measure_text(marks_text) <=
        measure_text_columns(layout, place)) {
        text_put(&line, rating.at);
    }
    text_format(&line, "%s%s", gap, marks_text);
    draw_seat_line(canvas, layout, place, 0, line.at);
}

/* A seat drawn on several lines: the marks beside the name, the facts below it, the open hand. */
struct seat_lines {
    struct seat_marks marks;
    struct open_hand hand;
    bool is_narrow;
    char beside[TABLE_TEXT * 2];
};

/* Divides the facts of a seat, whose hand has been collected, between the name's line and the lines
 * below. Lines for the hand are reserved first. If the lines are too few, more marks are put beside
 * the name, without the rating, and the facts are written closely. */
static void plan_seat_lines(const struct scene *scene, const struct area *area, int width,
                            struct seat_lines *out)
{
    uint8_t seat = out->hand.seat;
    struct text rating = TEXT_OF(TABLE_TEXT);
    struct text beside = text_init(out->beside, sizeof(out->beside));
    out->marks = seat_marks_collect(scene, seat, false);
    write_seat_rating(scene, seat, &rating);
    int rows = area->height - 1 - open_hand_count_rows(&out->hand, area->width);
    bool is_tight = seat_marks_count_lines(&out->marks, width, false) > rows;
    int room = width - measure_name_width(scene, seat) - 2;
    int left = room - draw_measure_text(rating.at);
    seat_marks_shorten_turn(seat, &out->marks, left);
    room =
        is_tight || draw_measure_text(out->marks.at[out->marks.number_count]) > left ? room : left;
    seat_marks_move_beside_name(&out->marks, is_tight ? out->marks.count : out->marks.turn_end,
                                room, &beside);
    seat_marks_break_wide(&out->marks, width);
    out->is_narrow = seat_marks_count_lines(&out->marks, width, false) > rows;
}

/* Draws the hand from the seat's line `first_line` on. The cards of a list begin in the same
 * column, also at the right edge. */
static void draw_open_hand(const struct canvas *canvas, const struct table_layout *layout,
                           uint8_t place, const struct open_hand *hand, int first_line)
{
    int width = layout->seats[place].width;
    int widest = 0;
    for (uint8_t from = 0; from < hand->count && hand->form == OPEN_HAND_LIST;) {
        struct text text = TEXT_OF(TABLE_TEXT * 2);
        from = open_hand_write_row(hand, from, width, &text);
        widest = draw_measure_text(text.at) > widest ? draw_measure_text(text.at) : widest;
    }
    int line = first_line;
    for (uint8_t from = 0; from < hand->count; line++) {
        struct text text = TEXT_OF(TABLE_TEXT * 2);
        from = open_hand_write_row(hand, from, width, &text);
        int blanks = widest - draw_measure_text(text.at);
        text_format(&text, "%*s", blanks > 0 ? blanks : 0, "");
        draw_seat_line(canvas, layout, place, line, text.at);
    }
}

static void draw_seat_on_several_lines(const struct canvas *canvas,
                                       const struct table_layout *layout, const struct scene *scene,
                                       uint8_t place)
{
    const struct area *area = &layout->seats[place];
    int width = measure_text_columns(layout, place);
    struct seat_lines lines = {.hand =
                                   open_hand_collect(scene, scene_seat_at_place(scene, place),
                                                     area->width, area->height - ROWS_ABOVE_LIST)};
    plan_seat_lines(scene, area, width, &lines);
    draw_seat_name(canvas, layout, scene, place, lines.beside);
    int hand_lines = open_hand_count_rows(&lines.hand, area->width);
    int line = 1;
    for (uint8_t at = 0; at < lines.marks.count && (line == 1 || line + hand_lines < area->height);
         line++) {
        struct text text = TEXT_OF(TABLE_TEXT * 4);
        at = seat_marks_write_line(&lines.marks, at, width, lines.is_narrow, &text);
        draw_seat_line(canvas, layout, place, line, text.at);
    }
    if (!layout->is_seat_centred[place]) {
        /* The hand stays in its line when marks come and go. */
        int last = area->height - hand_lines;
        int usual = layout->is_tight || last < USUAL_HAND_LINE ? last : USUAL_HAND_LINE;
        line = line > usual ? line : usual;
    }
    draw_open_hand(canvas, layout, place, &lines.hand, line);
}

/* Returns how many rows the seats at the top of the layout need for all their content; 0 if there
 * are none. */
static int count_top_rows(const struct scene *scene, const struct table_layout *layout)
{
    int most = 0;
    for (uint8_t place = 1; place < scene->view->seats && !layout->is_list; place++) {
        struct area area = layout->seats[place];
        int width = measure_text_columns(layout, place);
        struct seat_lines lines = {
            .hand = open_hand_collect(scene, scene_seat_at_place(scene, place), area.width, 1)};
        if (!layout->is_seat_centred[place]) {
            continue;
        }
        area.height = INT_MAX; /* to find out how many rows are needed, not how to make do */
        plan_seat_lines(scene, &area, width, &lines);
        int rows = 1 + seat_marks_count_lines(&lines.marks, width, lines.is_narrow) +
                   open_hand_count_rows(&lines.hand, area.width);
        most = rows > most ? rows : most;
    }
    return most;
}

void scene_finish_layout(const struct scene *scene, const struct area *body,
                         const struct hand_plans *plans, struct table_layout_needs *needs,
                         struct table_layout *layout, struct hand_plan *plan)
{
    needs->top_rows = count_top_rows(scene, layout);
    needs->wide_places = find_wide_places(scene, layout);
    needs->hand_rows = plans->framed.rows;
    needs->hand_rows_small = plans->lines.rows;
    table_layout_make(body, needs, layout);
    *plan = layout->is_hand_small ? plans->lines : plans->framed;
}

/* Draws the players without their trick cards. */
static void draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                       const struct scene *scene)
{
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        if (layout->is_list || layout->seats[place].height == 1) {
            draw_seat_in_one_or_two_lines(canvas, layout, scene, place);
        } else {
            draw_seat_on_several_lines(canvas, layout, scene, place);
        }
    }
}

/* Draws each card of the trick at the end of its player's line. */
static void draw_trick_in_list(const struct canvas *canvas, const struct table_layout *layout,
                               const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        const struct area *area = &layout->seats[place];
        uint8_t card = find_card_played_by_seat(trick, scene_seat_at_place(scene, place));
        struct text text = TEXT_OF(TABLE_TEXT);
        if (card == CARD_NONE || area->height == 0) {
            continue;
        }
        card_write_edged(&scene->words, card, &text);
        int width = draw_measure_text(text.at);
        struct area blank = {area->row, area->column + area->width - width - 2, 1, width + 2};
        draw_filled_area(canvas, &blank, STYLE_PLAIN);
        draw_text(canvas, blank.row, blank.column + 1, width, STYLE_STRONG, text.at);
    }
}

static void draw_trick_cards(const struct canvas *canvas, const struct table_layout *layout,
                             const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats && trick->count > 0; place++) {
        uint8_t seat = scene_seat_at_place(scene, place);
        uint8_t card = find_card_played_by_seat(trick, seat);
        struct area area = {layout->cards[place].row, layout->cards[place].column,
                            layout->card_rows, layout->card_width};
        enum style frame = card == CARD_NONE              ? STYLE_DIM
                           : seat_took_trick(scene, seat) ? STYLE_GOOD
                                                          : STYLE_BORDER;
        card_draw(canvas, &area, &scene->words, card, frame);
    }
}

/* Writes "otto led ♥": who led the trick, and the suit or card. */
static void write_led_suit(const struct scene *scene, bool is_spelled, bool has_name,
                           struct text *out)
{
    const struct view_play *led = &scene->view->trick.plays[0];
    uint8_t suit = card_suit(scene->view->game->deck, led->card);
    struct words words = scene->words;
    words.spells_suits = is_spelled;
    const char *what = suit != SUIT_NONE
                           ? words_write_suit(&words, suit, &TEXT_OF(TABLE_TEXT))
                           : words_write_card(&words, led->card, &TEXT_OF(TABLE_TEXT));
    *out = text_init(out->at, out->cap);
    if (!has_name) {
        text_format(out, _("led: %s"), what);
    } else if (words_is_own_seat(&words, led->seat)) {
        text_format(out, _("you led %s"), what);
    } else {
        text_format(out, _("%s led %s"), words_write_seat(&words, led->seat, &TEXT_OF(TABLE_TEXT)),
                    what);
    }
}

/* Writes "ada takes it", or the name alone where there is no room for more. */
static void write_trick_winner(const struct scene *scene, int width, struct text *out)
{
    uint8_t winner = scene->view->last_trick.winner;
    bool is_own = words_is_own_seat(&scene->words, winner);
    const char *name = words_write_seat(&scene->words, winner, &TEXT_OF(TABLE_TEXT));
    const char *line =
        text_format(&TEXT_OF(TABLE_TEXT), is_own ? _("you take it") : _("%s takes it"), name);
    draw_put_styled(out, STYLE_GOOD, draw_measure_text(line) <= width ? line : name);
}

static void write_why_trick_was_won(const struct scene *scene, struct text *out)
{
    words_write_phrase(&scene->words,
                       scene->view->game->face->why_won(scene->view, &scene->view->last_trick),
                       out);
}

static const char *write_great_moment(const struct scene *scene, struct text *out)
{
    struct words words = scene->words;
    words.spells_suits = true;
    words.is_plain = true; /* the whole announcement has one colour */
    return words_write_phrase(&words, *scene->great, out);
}

bool scene_draw_great_moment_as_headline(const struct canvas *canvas, const struct scene *scene)
{
    const char *text = write_great_moment(scene, &TEXT_OF(TABLE_TEXT));
    int width = canvas->body.width - 2;
    if (draw_measure_text(text) > width) {
        return false;
    }
    draw_text_centred(canvas, canvas->body.row, 1, width, STYLE_NOTICE, text);
    return true;
}

/* Returns how many rows of the middle the announcement of a great moment leaves: less than none if
 * it does not fit; all if there is no such moment. */
static int count_rows_beside_great_moment(const struct table_layout *layout,
                                          const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    if (scene->great == NULL) {
        return centre->height;
    }
    if (centre->height == 0 || centre->width < CENTRE_WIDTH_MIN) {
        return -1;
    }
    const char *text = write_great_moment(scene, &TEXT_OF(TABLE_TEXT));
    return centre->height - draw_wrapped_text(NULL, centre, STYLE_NOTICE, text, 0, 0);
}

bool scene_has_great_moment_in_middle(const struct table_layout *layout, const struct scene *scene)
{
    return scene->great != NULL && count_rows_beside_great_moment(layout, scene) >= 0;
}

/* Returns how many rows of the middle are left for the words about the trick, which stand above the
 * announcement of a great moment. */
static int count_rows_for_trick(const struct table_layout *layout, const struct scene *scene)
{
    int rows = count_rows_beside_great_moment(layout, scene);
    return rows < 0               ? layout->centre.height
           : scene->great != NULL ? int_min(rows, TRICK_ROWS)
                                  : rows;
}

/* Draws the announcement of a great moment, each row centred. */
static void draw_great_moment(const struct canvas *canvas, const struct table_layout *layout,
                              const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    const char *rest = write_great_moment(scene, &TEXT_OF(TABLE_TEXT));
    for (int row = count_rows_for_trick(layout, scene); *rest != '\0'; row++) {
        struct text line = TEXT_OF(TABLE_TEXT);
        size_t skipped;
        size_t len = styled_text_count_fitting_bytes(rest, centre->width, &skipped);
        struct area blank = {centre->row + row, centre->column, 1, centre->width};
        text_put_bytes(&line, rest, len);
        draw_filled_area(canvas, &blank, STYLE_PLAIN);
        draw_text_centred(canvas, blank.row, centre->column, centre->width, STYLE_NOTICE, line.at);
        rest += len + skipped;
    }
}

/* True if the middle of the table has room for the reason why the finished trick was won: in a row
 * of its own, or after the winner. */
static bool is_reason_in_centre(const struct table_layout *layout, const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    int rows = count_rows_for_trick(layout, scene);
    struct text line = TEXT_OF(TABLE_TEXT * 4);
    if (rows < TRICK_ROWS) {
        write_trick_winner(scene, centre->width, &line);
        text_put(&line, ": ");
    }
    write_why_trick_was_won(scene, &line);
    return rows > 0 && draw_measure_text(line.at) <= centre->width;
}

/* Draws who took the trick and why, or the suit that was led. */
static void draw_trick_in_words(const struct canvas *canvas, const struct table_layout *layout,
                                const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    struct text winner = TEXT_OF(TABLE_TEXT * 4), why = TEXT_OF(TABLE_TEXT * 2);
    if (scene->is_held) {
        write_trick_winner(scene, centre->width, &winner);
        write_why_trick_was_won(scene, &why);
        if (count_rows_for_trick(layout, scene) == 1 && is_reason_in_centre(layout, scene)) {
            text_format(&winner, ": %s", why.at);
        }
    } else if (scene->view->trick.count > 0) {
        write_led_suit(scene, scene->view->game->face->spells_suits, true, &winner);
        if (draw_measure_text(winner.at) > centre->width) {
            write_led_suit(scene, false, true, &winner);
        }
        if (draw_measure_text(winner.at) > centre->width) {
            write_led_suit(scene, false, false, &winner);
        }
    }
    draw_text_centred(canvas, centre->row, centre->column, centre->width, STYLE_PLAIN, winner.at);
    if (centre->height > 1 && (!scene->is_held || is_reason_in_centre(layout, scene))) {
        draw_text_centred(canvas, centre->row + 1, centre->column, centre->width, STYLE_PLAIN,
                          why.at);
    }
}

void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene)
{
    draw_seats(canvas, layout, scene);
    if (layout->is_list) {
        draw_trick_in_list(canvas, layout, scene);
    } else {
        draw_trick_cards(canvas, layout, scene);
    }
    if (layout->centre.height > 0 && layout->centre.width >= CENTRE_WIDTH_MIN) {
        draw_trick_in_words(canvas, layout, scene);
    }
    if (scene_has_great_moment_in_middle(layout, scene)) {
        draw_great_moment(canvas, layout, scene);
    }
}

void scene_write_last_trick(const struct scene *scene, int width, struct text *out)
{
    struct text why = TEXT_OF(TABLE_TEXT);
    uint8_t winner = scene->view->last_trick.winner;
    if (!scene->view->has_last_trick) {
        return;
    }
    text_format(out,
                words_is_own_seat(&scene->words, winner) ? _("you took the previous trick")
                                                         : _("%s took the previous trick"),
                words_write_seat(&scene->words, winner, &TEXT_OF(TABLE_TEXT)));
    text_put(&why, ": ");
    write_why_trick_was_won(scene, &why);
    if (draw_measure_text(out->at) + draw_measure_text(why.at) <= width) {
        text_put(out, why.at);
    }
}

bool scene_has_trick_of_round(const struct game_view *view)
{
    return view->has_last_trick && face_trick_is_of_round(view, &view->last_trick);
}

const char *scene_write_status(const struct table_layout *layout, const struct scene *scene,
                               int width, struct text *out)
{
    if (scene->is_held && !is_reason_in_centre(layout, scene)) {
        write_trick_winner(scene, width, out);
        text_put(out, ": ");
        write_why_trick_was_won(scene, out);
    } else if (!scene->is_held && scene_has_trick_of_round(scene->view)) {
        scene_write_last_trick(scene, width, out);
    }
    return out->at;
}
