#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"
#include "games/card.h"

#include <string.h>

#define LINE_MAX_BYTES 400
#define CARD_WIDTH_MIN 6
#define CARD_WIDTH_MAX 10
#define CENTRE_WIDTH_MIN 8
#define TRICK_ROWS 2 /* in the middle: who took the trick, and why */

static int int_min(int a, int b)
{
    return a < b ? a : b;
}

static int int_max(int a, int b)
{
    return a > b ? a : b;
}

uint8_t scene_seat_at_place(const struct scene *scene, uint8_t place)
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
        scene_put_separator(scene, out);
        text_put(out, fact);
    }
}

const char *scene_write_headline(const struct scene *scene, const char *prefix, int width,
                                 struct text *out)
{
    const struct game_view *view = scene->view;
    struct text round = TEXT_OF(LINE_MAX_BYTES);
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
        const char *fact = words_write_phrase(&scene->words, facts[i], &TEXT_OF(LINE_MAX_BYTES));
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

/* Writes a card of the trick for a list of players: "│5 Ev│", "│CER│". Brackets would mark it as a
 * card of the hand that may be played. */
static void write_card_for_list(const struct scene *scene, uint8_t card, struct text *out)
{
    const char *edge = theme_glyph_text(scene->words.theme, GLYPH_VERTICAL);
    struct card_face face;
    card_make_face(&scene->words, &(struct view_slot){.card = card, .suit = SUIT_NONE}, &face);
    text_put(out, edge);
    if (face.suit[0] == '\0') {
        text_put(out, card_name_of_special(&face, 0));
    } else {
        card_write_face(&scene->words, &face, FACE_SHORT, out);
    }
    text_put(out, edge);
}

int scene_list_card_width(const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    int widest = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        struct text card = TEXT_OF(LINE_MAX_BYTES);
        write_card_for_list(scene, trick->plays[i].card, &card);
        int width = draw_measure_text(card.at) + 2;
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Draws each card of the trick at the end of its player's line. */
static void draw_trick_in_list(const struct canvas *canvas, const struct table_layout *layout,
                               const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        const struct area *area = &layout->seats[place];
        uint8_t card = find_card_played_by_seat(trick, scene_seat_at_place(scene, place));
        struct text text = TEXT_OF(LINE_MAX_BYTES);
        if (card == CARD_NONE || area->height == 0) {
            continue;
        }
        write_card_for_list(scene, card, &text);
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
        enum style frame = card == CARD_NONE                    ? STYLE_DIM
                           : scene_seat_took_trick(scene, seat) ? STYLE_GOOD
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
                           ? words_write_suit(&words, suit, &TEXT_OF(LINE_MAX_BYTES))
                           : words_write_card(&words, led->card, &TEXT_OF(LINE_MAX_BYTES));
    *out = text_init(out->at, out->cap);
    if (!has_name) {
        text_format(out, _("led: %s"), what);
    } else if (words_is_own_seat(&words, led->seat)) {
        text_format(out, _("you led %s"), what);
    } else {
        text_format(out, _("%s led %s"),
                    words_write_seat(&words, led->seat, &TEXT_OF(LINE_MAX_BYTES)), what);
    }
}

/* Writes "ada takes it", or the name alone where there is no room for more. */
static void write_trick_winner(const struct scene *scene, int width, struct text *out)
{
    uint8_t winner = scene->view->last_trick.winner;
    bool is_own = words_is_own_seat(&scene->words, winner);
    const char *name = words_write_seat(&scene->words, winner, &TEXT_OF(LINE_MAX_BYTES));
    const char *line =
        text_format(&TEXT_OF(LINE_MAX_BYTES), is_own ? _("you take it") : _("%s takes it"), name);
    draw_put_styled(out, STYLE_GOOD, draw_measure_text(line) <= width ? line : name);
}

static void write_why_trick_was_won(const struct scene *scene, struct text *out)
{
    words_write_phrase(&scene->words,
                       scene->view->game->face->why_won(scene->view, &scene->view->last_trick),
                       out);
}

const char *scene_write_great_moment(const struct scene *scene, struct text *out)
{
    struct words words = scene->words;
    words.spells_suits = true;
    words.is_plain = true; /* the whole announcement has one colour */
    return words_write_phrase(&words, *scene->great, out);
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
    const char *text = scene_write_great_moment(scene, &TEXT_OF(LINE_MAX_BYTES));
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
    const char *rest = scene_write_great_moment(scene, &TEXT_OF(LINE_MAX_BYTES));
    for (int row = count_rows_for_trick(layout, scene); *rest != '\0'; row++) {
        struct text line = TEXT_OF(LINE_MAX_BYTES);
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
    struct text line = TEXT_OF(LINE_MAX_BYTES * 4);
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
    struct text winner = TEXT_OF(LINE_MAX_BYTES * 4), why = TEXT_OF(LINE_MAX_BYTES * 2);
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
    scene_draw_seats(canvas, layout, scene);
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
    struct text why = TEXT_OF(LINE_MAX_BYTES);
    uint8_t winner = scene->view->last_trick.winner;
    if (!scene->view->has_last_trick) {
        return;
    }
    text_format(out,
                words_is_own_seat(&scene->words, winner) ? _("you took the previous trick")
                                                         : _("%s took the previous trick"),
                words_write_seat(&scene->words, winner, &TEXT_OF(LINE_MAX_BYTES)));
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

#define SIDE_FROM_WIDTH 112 /* from this width on, chat and score sheet are beside the table */
#define TABLE_WIDTH 76      /* the width that the table gets before the side pane becomes wider */
#define SIDE_WIDTH_MAX 64
#define ROUND_WIDTH_MIN 72
#define FELT_ROWS_MIN 11
#define FELT_ROWS_LEAST 10 /* what the felt keeps if the board lacks a row */
#define LESSON_ROWS 4      /* a note and a suggestion, for which a framed hand must leave room */
#define LESSON_PROMPT_ROWS 2
#define FELT_ROWS_MAX 21
#define FELT_ROWS_TALL 17 /* from this height on, the trick's cards are five rows high */
#define SEAT_WIDTH_MIN 20
#define TRICK_WIDTH_MAX 56
#define CHAT_ROWS_MIN 3
#define CHAT_ROWS_MAX 8
#define LIST_CHAT_ROWS 2 /* rows of chat that stay below a list of players with open hands */

/* Data that is shared by the functions below, which place the seats and the cards on the felt: the
 * area of the players and the trick. */
struct felt_plan {
    struct area core;   /* the used part of the felt, which has a maximum size */
    struct area middle; /* the part of the felt between the seats at both sides */
    int on_top, on_side;
    int top_rows;   /* number of rows that the seats at the top take */
    int list_rows;  /* the rows of a seat with one card in each row; 0: no seat has such a list */
    int seat_width; /* the fewest columns of a seat at a side, with the column beside it */
};

/* Takes the top `height` rows from the free area, or all of its rows if there are fewer. */
static struct area take_top_rows(struct area *free_area, int height)
{
    struct area taken = *free_area;
    taken.height = int_max(0, int_min(height, free_area->height));
    free_area->row += taken.height;
    free_area->height -= taken.height;
    return taken;
}

static int count_chat_rows(const struct table_layout_needs *needs, const struct table_layout *out,
                           int spare_rows)
{
    if (out->side.width > 0 || !needs->has_chat) {
        return 0;
    }
    int rows = int_min(spare_rows, CHAT_ROWS_MIN);
    return rows + int_min((spare_rows - rows) / 2, CHAT_ROWS_MAX - CHAT_ROWS_MIN);
}

/* Divides the table into bands from top to bottom: header, felt, lesson, prompt, hand, status,
 * chat. */
static void divide_table_into_bands(struct area table, const struct table_layout_needs *needs,
                                    struct table_layout *out)
{
    int hand = needs->has_hand ? needs->hand_rows : 0;
    int felt = FELT_ROWS_MIN;
    int others = 1 + needs->prompt_rows + 1;
    out->is_list = table.width < ROUND_WIDTH_MIN || table.height < others + hand + felt;
    /* the same at every turn of a lesson, so that the hand does not change when a note comes */
    out->is_hand_small =
        out->is_list || (needs->has_lesson && out->side.width == 0 &&
                         table.height < 1 + needs->fact_rows + FELT_ROWS_LEAST + LESSON_ROWS +
                                            LESSON_PROMPT_ROWS + hand + 1);
    if (out->is_hand_small) {
        hand = needs->has_hand ? needs->hand_rows_small : 0;
    }
    if (out->is_list) {
        /* if there is room, each other player's open hand has a row of its own, and one row stays
         * free for who took a trick */
        bool has_hand_rows = needs->has_open_hands &&
                             2 * needs->seats + LIST_CHAT_ROWS <= table.height - others - hand;
        felt = has_hand_rows ? 2 * needs->seats : needs->seats;
    }
    int spare = int_max(0, table.height - others - hand - felt);
    /* a list cannot give rows to a lesson, which gets its rows before all else */
    int kept = out->is_list ? int_min(needs->lesson_rows, spare) : 0;
    spare -= kept;
    int facts = out->side.width > 0 ? 0 : int_min(needs->fact_rows, spare);
    spare -= facts;
    if (!out->is_list && out->side.width == 0 && facts < needs->fact_rows) {
        int given = int_min(needs->fact_rows - facts, felt - FELT_ROWS_LEAST);
        facts += given;
        felt -= given;
    }
    int second_lines =
        out->is_list && felt == needs->seats ? int_min(bits_count(needs->wide_places), spare) : 0;
    felt += second_lines;
    spare -= second_lines;
    int lesson_from_felt =
        out->is_list ? 0 : int_max(0, int_min(needs->lesson_rows - spare, felt - FELT_ROWS_LEAST));
    felt -= lesson_from_felt;
    spare += lesson_from_felt;
    spare += kept;
    /* the status line shows what just happened, unless the lesson lacks its row */
    int status = needs->lesson_rows > spare ? 0 : 1;
    int lesson = int_min(needs->lesson_rows, spare + 1 - status);
    spare -= int_max(0, lesson - (1 - status));
    int chat = count_chat_rows(needs, out, spare);
    out->header = take_top_rows(&table, 1);
    out->facts = take_top_rows(&table, facts);
    out->felt = take_top_rows(&table, felt + spare - chat);
    out->lesson = take_top_rows(&table, lesson);
    out->prompt = take_top_rows(&table, needs->prompt_rows);
    out->hand = take_top_rows(&table, hand);
    out->status = take_top_rows(&table, status);
    out->chat = take_top_rows(&table, chat);
}

/* Takes one row for the seat; two if the seat needs them and more than `kept` rows would be left.
 */
static struct area take_seat_rows(const struct table_layout_needs *needs, uint8_t place, int kept,
                                  struct area *left)
{
    bool is_wide = (needs->wide_places >> place & 1) != 0 && left->height > 1 + kept;
    return take_top_rows(left, is_wide ? 2 : 1);
}

/* Places one or two lines per player, with the bottom seat last. The rows below the players stay
 * free for lists of choices. */
static void lay_out_player_list(const struct table_layout_needs *needs, struct table_layout *out)
{
    struct area left = out->felt;
    int rows = needs->has_open_hands && out->felt.height >= 2 * needs->seats ? 2 : 1;
    for (uint8_t place = 1; place < needs->seats; place++) {
        out->seats[place] = rows == 2 ? take_top_rows(&left, rows)
                                      : take_seat_rows(needs, place, needs->seats - place, &left);
    }
    out->seats[0] = take_seat_rows(needs, 0, 0, &left);
    out->centre = left;
    out->centre.height = int_min(left.height, 2);
    out->board = out->felt;
}

/* Returns how many cards of the trick lie side by side in some row. */
static int count_cards_side_by_side(const struct felt_plan *plan, int card_rows)
{
    bool is_apart = plan->core.height - 1 - plan->top_rows >= 3 * card_rows;
    return plan->on_side == 0                        ? 1
           : plan->on_side == 2 || plan->on_top == 2 ? 4
           : is_apart && plan->on_top > 0            ? 2
                                                     : 3;
}

/* Chooses the width of the trick's cards: with the suits' full names if there is room. Returns the
 * width that all cards take side by side. */
static int choose_card_width(const struct felt_plan *plan, const struct table_layout_needs *needs,
                             struct table_layout *out)
{
    int count = count_cards_side_by_side(plan, out->card_rows);
    int room = plan->core.width - 2 * plan->seat_width;
    int named = needs->card_width_named[out->card_rows == 5];
    if (named > 0 && named <= room / count) {
        out->card_width = named;
        return count * named;
    }
    int width = needs->card_width + (out->card_rows == 5 ? 1 : 0);
    out->card_width = int_min(width, room / (named > 0 ? count : 4));
    return 4 * out->card_width;
}

static int choose_top_rows(const struct felt_plan *plan, const struct table_layout_needs *needs)
{
    /* With two seats at each side, the two seats at the top are too narrow to show all their
     * content in two lines. */
    bool is_narrow = plan->on_top > 1 && plan->on_side > 1;
    bool has_hand_row = is_narrow && needs->open_hand_width > 0;
    int least = has_hand_row ? 4 : needs->has_open_hands || is_narrow ? 3 : 2;
    int most = plan->core.height > FELT_ROWS_MIN - (has_hand_row ? 1 : 0) ? 4 : 3;
    return plan->on_top == 0 ? 0
           : plan->list_rows > 0 && needs->seats > 4
               ? plan->list_rows
               : int_min(int_max(needs->top_rows, least), most);
}

static struct felt_plan plan_seats_and_cards(const struct table_layout_needs *needs,
                                             struct table_layout *out)
{
    struct felt_plan plan = {.core = out->felt};
    if (plan.core.height > FELT_ROWS_MAX) {
        plan.core.row += (plan.core.height - FELT_ROWS_MAX) / 2;
        plan.core.height = FELT_ROWS_MAX;
    }
    out->card_rows = plan.core.height >= FELT_ROWS_TALL ? 5 : 3;
    plan.on_top = needs->seats == 3 ? 0 : 1 + needs->seats % 2;
    plan.on_side = (needs->seats - 1 - plan.on_top) / 2;
    bool has_list = needs->open_hand_rows > 0 && plan.core.height >= FELT_ROWS_MAX;
    plan.list_rows = has_list ? 4 + needs->open_hand_rows : 0;
    plan.seat_width = int_max(SEAT_WIDTH_MIN, has_list ? 0 : needs->open_hand_width + 1);
    plan.top_rows = choose_top_rows(&plan, needs);
    /* With six players, the seats at the sides need the width more than the seat at the top. */
    int share = needs->seats == 6 ? plan.core.width * 2 / 5 : plan.core.width / 2;
    int trick = int_max(choose_card_width(&plan, needs, out), int_min(TRICK_WIDTH_MAX, share));
    int side = int_max(plan.seat_width, (plan.core.width - trick) / 2);
    plan.middle = (struct area){plan.core.row, plan.core.column + side, plan.core.height,
                                plan.core.width - 2 * side};
    return plan;
}

/* Returns the column of a card that lies at one of the four places across the middle. */
static int compute_card_column(const struct felt_plan *plan, const struct table_layout *out,
                               int place)
{
    return plan->middle.column + place * (plan->middle.width - out->card_width) / 3;
}

static int compute_centre_column(const struct felt_plan *plan, const struct table_layout *out)
{
    return plan->middle.column + (plan->middle.width - out->card_width) / 2;
}

static void place_bottom_seat(const struct felt_plan *plan, struct table_layout *out)
{
    int last = plan->core.row + plan->core.height - 1;
    out->seats[0] = (struct area){last, plan->core.column, 1, plan->core.width};
    out->is_seat_centred[0] = true;
    out->cards[0] = (struct table_spot){last - out->card_rows, compute_centre_column(plan, out)};
}

static void place_top_seats(const struct felt_plan *plan, struct table_layout *out)
{
    /* With two seats at a side, the side seats extend into the upper corners. */
    const struct area *over = plan->on_side > 1 ? &plan->middle : &plan->core;
    /* One column stays free beside each side seat, except in a tight layout. Two seats at the top
     * are two columns apart. */
    int outside = plan->on_side < 2 ? 0 : out->is_tight ? 2 : 1;
    int room = over->width + 2 * outside;
    for (int i = 0; i < plan->on_top; i++) {
        int place = 1 + plan->on_side + i;
        int width = plan->on_top == 1 ? room : (room - 2) / 2;
        out->seats[place] = (struct area){plan->core.row, over->column - outside + i * (width + 2),
                                          plan->top_rows, width};
        out->is_seat_centred[place] = true;
        int column = plan->on_top == 1 ? compute_centre_column(plan, out)
                                       : compute_card_column(plan, out, i + 1);
        out->cards[place] = (struct table_spot){plan->core.row + plan->top_rows, column};
    }
}

/* Computes the rows of a side seat and of its card. `is_upper` matters only if two seats are at
 * that side. These share the rows beside the trick; in a tight layout, also those beside the seats
 * at the top. */
static void compute_side_rows(const struct felt_plan *plan, const struct table_layout *out,
                              bool is_upper, struct area *seat, int *card_row)
{
    int end = plan->core.row + plan->core.height - 1;
    int first = plan->core.row + plan->top_rows;
    int rows = end - (out->is_tight ? plan->core.row : first - 1);
    if (plan->on_side == 1) {
        *card_row = (first + end - out->card_rows) / 2;
        seat->row = int_max(first, int_min(*card_row, end - plan->list_rows));
        seat->height = end - seat->row;
    } else if (is_upper) {
        *card_row = first;
        seat->height = rows / 2;
        seat->row = int_min(first - 1, end - 2 * seat->height);
    } else {
        *card_row = end - out->card_rows;
        seat->height = rows / 2;
        seat->row = end - seat->height;
    }
}

static void place_side_seats(const struct felt_plan *plan, const struct table_layout_needs *needs,
                             struct table_layout *out)
{
    for (int i = 0; i < plan->on_side; i++) {
        /* The seats are placed clockwise: up the left side, then down the right side. */
        int left = 1 + i;
        int right = needs->seats - 1 - i;
        int side = plan->middle.column - plan->core.column;
        int edge = side > plan->seat_width ? 1 : 0; /* a free column at the window's edge */
        struct area seat = {.column = plan->core.column + edge, .width = side - 1 - edge};
        int card_row;
        compute_side_rows(plan, out, i > 0, &seat, &card_row);
        out->seats[left] = seat;
        out->cards[left] = (struct table_spot){card_row, compute_card_column(plan, out, 0)};
        seat.column = plan->middle.column + plan->middle.width + 1;
        out->seats[right] = seat;
        out->is_seat_right[right] = true;
        out->cards[right] = (struct table_spot){card_row, compute_card_column(plan, out, 3)};
    }
}

/* Computes the area in the middle of the table that stays free when all cards are played. */
static void compute_free_centre(const struct felt_plan *plan, struct table_layout *out)
{
    int first = plan->core.row + plan->top_rows + (plan->on_top > 0 ? out->card_rows : 0);
    int end = plan->core.row + plan->core.height - 1 - out->card_rows;
    int rows = int_max(0, int_min(2, end - first));
    bool is_above_side_cards = plan->on_top > 0 && out->cards[1].row > first && plan->on_side == 1;
    int between = plan->on_side == 1 && !is_above_side_cards ? out->card_width : 0;
    out->centre = (struct area){first + (end - first - rows) / 2, plan->middle.column + between,
                                rows, plan->middle.width - 2 * between};
    if (is_above_side_cards) {
        out->centre = (struct area){first, plan->core.column, int_min(2, out->cards[1].row - first),
                                    plan->core.width};
    }
    if (plan->on_side == 0) {
        out->centre.column = plan->core.column;
        out->centre.width = plan->core.width;
    }
    if (plan->on_top == 0) {
        /* With three players, the centre is between the cards at the sides and the card below. */
        out->centre = (struct area){out->cards[1].row + out->card_rows, plan->middle.column, 0,
                                    plan->middle.width};
        out->centre.height = int_max(0, int_min(2, out->cards[0].row - out->centre.row));
    }
    int top = plan->core.row + plan->top_rows;
    out->board = (struct area){top, plan->middle.column,
                               plan->core.row + plan->core.height - 1 - top, plan->middle.width};
}

void table_layout_make(const struct area *body, const struct table_layout_needs *needs,
                       struct table_layout *out)
{
    memset(out, 0, sizeof(*out));
    struct area table = *body;
    if (body->width >= SIDE_FROM_WIDTH) {
        int width =
            int_min(int_max(body->width - 1 - TABLE_WIDTH, body->width / 3), SIDE_WIDTH_MAX);
        out->side = (struct area){body->row + 1, body->column + body->width - width,
                                  body->height - 1, width};
        table.width -= width + 1;
    }
    divide_table_into_bands(table, needs, out);
    if (out->is_list) {
        lay_out_player_list(needs, out);
        return;
    }
    struct felt_plan plan = plan_seats_and_cards(needs, out);
    out->is_tight = needs->open_hand_width > 0 && plan.on_side > 1;
    place_bottom_seat(&plan, out);
    place_top_seats(&plan, out);
    place_side_seats(&plan, needs, out);
    compute_free_centre(&plan, out);
}
