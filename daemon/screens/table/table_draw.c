#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <string.h>

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

#define CLOCK_WIDTH 9
/* maximum number of rows of choices below the prompt; more choices are drawn as a list */
#define CHOICE_ROWS_MAX 2
/* maximum number of rows of the prompt at the end of a round */
#define PROMPT_ROWS_MAX 3
/* If the screen's body has this many rows or more, cards of the hand are three lines high. */
#define TALL_FROM_ROWS 34

/* As long as the screen shows a round that is over, its log ends with that round. */
static int count_log_lines_to_show(const struct table_screen_state *state,
                                   const struct model_entered *entered, bool is_round_end)
{
    bool is_round_over =
        table_shows_old_round(state, &entered->view) || entered->view.phase == PHASE_OVER;
    bool is_old = is_round_end || (state->hold_end_ms != 0 && is_round_over);
    return is_old && entered->log.ended > 0 ? entered->log.ended : entered->log.count;
}

static struct scene make_scene(struct ui *ui, const struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    bool is_round_end = round_end_is_shown(&state->round_end, entered, ui->now_ms);
    if (state->hold_end_ms != 0) {
        view = &state->shown;
    } else if (state->round_end.has_view && is_round_end) {
        view = &state->round_end.view;
    }
    bool is_held =
        state->hold_end_ms != 0 || (state->again_end_ms != 0 && entered->view.has_last_trick);
    return (struct scene){
        .view = view,
        .words = words_make_for_entered_table(screen_theme(ui), entered),
        .seats = entered->details.seats.at,
        .live = entered,
        .now_ms = ui->now_ms,
        .bottom = entered->you >= 0 && entered->you < view->seats ? (uint8_t)entered->you : 0,
        .is_held = is_held,
        .great = table_log_find_great_moment(
            entered, ui->now_ms, pace_trick_ms((enum pace)screen_model(ui)->settings.pace)),
        .log_lines = count_log_lines_to_show(state, entered, is_round_end),
    };
}

/* Writes who is next while a finished trick still lies on the table. */
static void write_who_is_next(const struct scene *scene, struct text *out)
{
    const struct game_view *view = scene->view;
    const char *seats = words_write_seats(&scene->words, view->to_act, &TEXT_OF(TABLE_TEXT));
    const char *turn = face_describe_turn(view);
    if (turn == face_lead_or_play_words(view)) { /* no card lies in the next trick yet */
        text_format(out, _("%s leads next"), seats);
    } else {
        text_format(out, _("%s is next (%s)"), seats, _(turn));
    }
}

/* Writes that the cards on the table are those of a trick that is over. */
static void write_last_trick_again(const struct model_entered *entered, struct text *out)
{
    const struct game_view *view = &entered->view;
    if (!scene_has_trick_of_round(view) && view->round > 1) { /* at the stop between two rounds */
        text_format(out, _("The last trick of round %u again; t goes back."), view->round - 1U);
    } else {
        text_put(out, view_viewer_may_move(view)
                          ? _("The last trick again; t goes back. It is your turn.")
                          : _("The last trick again; t goes back."));
    }
}

/* Writes what the viewer must do, such as "◄ Bid 0–7, not 3", or whose turn it is. */
static enum style write_prompt(struct ui *ui, const struct table_screen_state *state,
                               const struct scene *scene, struct text *out)
{
    const struct game_view *view = scene->view;
    struct text chosen = TEXT_OF(TABLE_TEXT), seats = TEXT_OF(TABLE_TEXT);
    if (state->again_end_ms != 0 && scene->live->view.has_last_trick) {
        write_last_trick_again(scene->live, out);
        return STYLE_NOTICE;
    }
    if (round_end_write_prompt(&state->round_end, scene->live, &scene->words, scene->now_ms, out)) {
        return STYLE_TURN;
    }
    premove_write(ui, state, &chosen);
    if (table_viewer_is_to_move(scene->live, HALT_HOUSE) && chosen.len > 0) {
        words_write_seats(&scene->words, scene->live->details.awaited, &seats);
        text_format(out, _("waiting for %s; then %s plays itself (Esc takes it back)"), seats.at,
                    chosen.at);
        return STYLE_WARN;
    }
    if (table_write_why_game_waits(scene->live, &scene->words, scene->now_ms, out)) {
        return STYLE_WARN;
    }
    if (view_viewer_may_move(view) && !state->is_sent) {
        text_format(out, "%s ", theme_glyph_text(scene->words.theme, GLYPH_TURN));
        words_write_phrase(&scene->words, face_prompt(view), out);
        return STYLE_TURN;
    }
    if (state->hold_end_ms != 0 && view->to_act != 0) {
        write_who_is_next(scene, out);
        return STYLE_DIM;
    }
    if (view->to_act != 0 && !state->is_sent) {
        words_write_seats(&scene->words, view->to_act, &seats);
        if (round_end_is_seen_late(scene->live)) {
            text_format(out, _("%s is next: you see each move some time after it was made"),
                        seats.at);
        } else if (chosen.len > 0) {
            text_format(out, _("waiting for %s; then %s plays itself (Esc takes it back)"),
                        seats.at, chosen.at);
        } else {
            text_format(out, _("waiting for %s (%s)"), seats.at, _(face_describe_turn(view)));
        }
    }
    return STYLE_DIM;
}

/* The contents of a frame, determined before anything is painted. */
struct frame {
    struct scene scene;
    struct choices choices;
    char prompt[TABLE_TEXT * 2];
    enum style prompt_style;
    bool has_row;   /* the choices are in the prompt's line, or in the line below it */
    bool has_order; /* the hand is shown in an order of suits */
    struct face_order order;
    bool has_list; /* the choices are drawn over the middle of the table */
};

static void prepare_choices(struct table_screen_state *state, int width,
                            struct table_layout_needs *needs, struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    needs->prompt_rows = 1;
    if (!view_viewer_may_move(view) || state->is_sent || state->hold_end_ms != 0) {
        return;
    }
    choices_collect(view, &frame->choices);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        frame->scene.lit[seat] =
            aims_find_highlighted_slots(&frame->choices.aims, &state->aim, seat);
    }
    if (frame->choices.aims.count > 0) {
        needs->prompt_rows = 2;
        return;
    }
    if (frame->choices.count == 0) {
        return;
    }
    const struct area below = {.width = width - 2};
    int row = choices_measure_row_width(&frame->choices, &frame->scene.words);
    int rows =
        choices_draw_rows(NULL, &below, &frame->choices, &state->cursor, &frame->scene.words);
    frame->has_row = rows <= CHOICE_ROWS_MAX;
    frame->has_list = !frame->has_row;
    /* the number being typed stands beside the choices, which do not move when it appears */
    int pending = choices_have_open_keys(&frame->choices) ? CHOICES_PENDING_WIDTH : 0;
    if (frame->has_row &&
        (frame->choices.has_pairs ||
         draw_measure_text(frame->prompt) + 4 + row + pending > width - CLOCK_WIDTH)) {
        needs->prompt_rows = 1 + rows;
    }
}

static const struct game_lesson *find_lesson(const struct model_entered *entered)
{
    return entered->details.is_lesson ? entered->row.game->face->lesson : NULL;
}

static void choose_what_to_tell(struct table_lesson *lesson, const struct game_view *view,
                                bool is_stop)
{
    uint8_t note = lesson_find_note(view, lesson->told, is_stop);
    bool ends = !is_stop && !lesson->has_ended && lesson_script_has_ended(view);
    lesson->suggestion = is_stop ? NULL : lesson_find_suggestion(view);
    if (note < LESSON_NOTES_MAX) {
        lesson->note = note;
        lesson->told |= UINT32_C(1) << note;
    }
    lesson->tells_end |= ends;
    lesson->has_strayed |= ends && view->step < view->game->face->lesson->move_count;
    lesson->has_ended |= ends;
}

void table_lesson_update(struct table_lesson *lesson, const struct model_entered *entered)
{
    const struct game_view *view = &entered->view;
    const struct table_lesson none = {.note = LESSON_NOTES_MAX, .printed_note = LESSON_NOTES_MAX};
    if (find_lesson(entered) == NULL || !entered->has_view) {
        *lesson = none;
        return;
    }
    if (lesson->game != entered->details.game_id) {
        *lesson = none;
        lesson->game = entered->details.game_id;
    }
    bool is_stop = round_end_is_stop(entered);
    uint16_t step = (uint16_t)(view->step + 1U);
    if (lesson->step == step && lesson->is_stop == is_stop) {
        return;
    }
    struct move_set asked = view_viewer_may_move(view) && !is_stop ? view->legal : move_set_empty();
    /* True if the player has done what the present note and suggestion are about. Moves of the
     * others leave the player's legal moves as they are when several players act at once. */
    bool has_acted =
        (lesson->is_stop && !is_stop) ||
        (move_set_count(&lesson->asked) > 0 && memcmp(&lesson->asked, &asked, sizeof(asked)) != 0);
    if (has_acted) {
        lesson->note = LESSON_NOTES_MAX;
        lesson->tells_end = false;
    }
    lesson->asked = asked;
    lesson->step = step;
    lesson->is_stop = is_stop;
    choose_what_to_tell(lesson, view, is_stop);
}

/* Writes the key that makes the move; nothing if the player types the move's label anyway, as with
 * numbers. */
static const char *write_key(const struct game_view *view, uint8_t move,
                             const struct hand_plan *plan, struct text *out)
{
    struct choices choices;
    struct face_order order;
    for (int place = 0; place < plan->count && !plan->has_no_keys; place++) {
        uint8_t slot = plan->slots[place];
        if (!view->hands[view->seat][slot].is_empty &&
            view->game->face->point(view, slot) == move) {
            text_put_char(out, hand_keyboard_key_of_place(place));
            return out->at;
        }
    }
    if (order_read_move(view, move, &order)) {
        text_put_char(out, ORDER_KEY_GIVE);
        return out->at;
    }
    choices_collect(view, &choices);
    bool are_labels_typed = choices.keys == CHOICE_NUMBERS || choices.keys == CHOICE_GRID;
    for (int i = 0; i < choices.count && !are_labels_typed; i++) {
        text_put(out, choices.moves[i] == move ? choices.typed[i] : "");
    }
    return out->at;
}

/* True if the label is about one number, and that is the key: "card 8". */
static bool label_names_key(const struct phrase *label, const char *key)
{
    struct text number = TEXT_OF(CHOICE_KEY_MAX);
    if (label->args[0].type == ARG_NUMBER) {
        text_format(&number, "%d", (int)label->args[0].number);
    }
    return strcmp(number.at, key) == 0;
}

static void write_suggestion(const struct table_lesson *lesson, const struct model_entered *entered,
                             const struct words *words, const struct hand_plan *plan,
                             struct text *out)
{
    const struct game_view *view = &entered->view;
    uint8_t move = game_move_parse(view->game, lesson->suggestion->move);
    struct text label = TEXT_OF(TABLE_TEXT), key = TEXT_OF(CHOICE_KEY_MAX);
    struct phrase named = face_label(view, move);
    words_write_phrase(words, named, &label);
    if (plan == NULL || write_key(view, move, plan, &key)[0] == '\0' ||
        label_names_key(&named, key.at)) {
        text_format(out, _("Try %s: %s."), label.at, _(lesson->suggestion->why));
    } else {
        text_format(out, _("Try %s (key %s): %s."), label.at, key.at, _(lesson->suggestion->why));
    }
}

/* Writes the note and the suggestion as one paragraph; writes nothing when there is nothing to
 * tell. plan: the hand as it is drawn, which tells the key of a suggested card; NULL in plain mode,
 * where people type the names of cards. */
static const char *write_lesson(const struct table_lesson *lesson,
                                const struct model_entered *entered, const struct words *words,
                                const struct hand_plan *plan, struct text *out)
{
    const struct game_lesson *source = find_lesson(entered);
    struct words spelled = *words;
    struct aims aims;
    spelled.spells_suits = true;
    aims_collect_pointing_moves(&entered->view, &aims);
    if (source != NULL && lesson->note < source->note_count) {
        text_put(out, _(source->notes[lesson->note].text));
        if (plan != NULL && !lesson->is_stop && aims.count > 0) {
            text_put(out, " ");
            text_put(out, _("Arrows choose a card, Tab the clue, Enter twice gives it."));
        }
    }
    if (source != NULL && lesson->tells_end) {
        text_put(out, out->len > 0 ? " " : "");
        text_put(out, lesson->has_strayed
                          ? _("You chose another move than suggested: from here you play without "
                              "suggestions; what is new is still explained.")
                          : _("From here you play without suggestions."));
    }
    if (source != NULL && lesson->suggestion != NULL) {
        text_put(out, out->len > 0 ? " " : "");
        write_suggestion(lesson, entered, &spelled, plan, out);
    }
    return out->at;
}

void table_lesson_print(struct table_lesson *lesson, const struct model_entered *entered,
                        const struct words *words, bool has_old, struct lines *lines)
{
    struct text text = TEXT_OF(LINES_LINE_MAX);
    struct table_lesson told = *lesson;
    if (!has_old && told.note == told.printed_note) {
        told.note = LESSON_NOTES_MAX;
    }
    if (!has_old && told.suggestion == told.printed_suggestion) {
        told.suggestion = NULL;
    }
    told.tells_end &= has_old || !told.is_end_printed;
    if (write_lesson(&told, entered, words, NULL, &text)[0] != '\0') {
        lines_put(lines, text.at);
    }
    lesson->printed_note = lesson->note;
    lesson->is_end_printed = lesson->tells_end;
    lesson->printed_suggestion = lesson->suggestion;
}

/* Draws what a lesson tells. Returns how many rows that needs. If canvas is NULL, only counts. */
static int draw_lesson(const struct table_screen_state *state, const struct scene *scene,
                       const struct hand_plan *plan, const struct canvas *canvas,
                       const struct area *area)
{
    const char *told =
        write_lesson(&state->lesson, scene->live, &scene->words, plan, &TEXT_OF(TABLE_TEXT * 2));
    struct area inside = {area->row, area->column + 1, area->height, area->width - 2};
    return told[0] == '\0' ? 0 : draw_wrapped_text(canvas, &inside, STYLE_NOTICE, told, 0, 0);
}

/* Puts the cards of a planned hand in that order, and adds a row for the marks below the cards. The
 * row above the cards names the suits instead of keys. */
static void put_plan_in_order(const struct face_order *order, struct hand_plan *plan)
{
    memcpy(plan->slots, order->slots, sizeof(plan->slots));
    plan->has_no_keys = true;
    plan->rows++;
}

/* The layout and the hand depend on each other: the hand on the table's width, the layout on the
 * hand's rows. */
static void prepare_layout(struct table_screen_state *state, const struct canvas *canvas,
                           struct frame *frame)
{
    const struct scene *scene = &frame->scene;
    const struct game_view *view = scene->view;
    struct hand_plans plans;
    struct table_layout_needs needs = scene_compute_layout_needs(scene);
    needs.has_hand = needs.has_hand && view->phase != PHASE_OVER;
    needs.has_chat = true;
    table_layout_make(&canvas->body, &needs, &state->layout);
    int width = state->layout.header.width;
    prepare_choices(state, width, &needs, frame);
    needs.fact_rows =
        state->is_board_folded ? 0 : board_draw_rows(NULL, &state->layout.header, scene);
    if (state->keeps_round != view->round) {
        state->keeps_slots = false;
        state->keeps_round = view->round;
    }
    hand_make_plans(view, &scene->words, width, state->keeps_slots,
                    canvas->body.height >= TALL_FROM_ROWS, &plans);
    state->keeps_slots = plans.lines.keeps_slots;
    frame->has_order = order_find_shown(view, &state->order, &frame->order);
    if (frame->has_order) {
        put_plan_in_order(&frame->order, &plans.framed);
        put_plan_in_order(&frame->order, &plans.lines);
    }
    needs.has_lesson = scene->live->details.is_lesson;
    needs.lesson_rows = draw_lesson(state, scene, &plans.framed, NULL, &state->layout.header);
    scene_finish_layout(scene, &canvas->body, &plans, &needs, &state->layout, &state->plan);
}

static void draw_headline(struct ui *ui, const struct canvas *canvas, const struct scene *scene)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct text left = TEXT_OF(TABLE_TEXT * 2), right = TEXT_OF(TABLE_TEXT);
    bool is_late = round_end_is_seen_late(entered);
    if (is_late && entered->row.watch.moves > 0) {
        text_format(&right,
                    ngettext("watching, %u move behind", "watching, %u moves behind",
                             entered->row.watch.moves),
                    entered->row.watch.moves);
    } else if (is_late) {
        text_put(&right, _("watching, a round behind"));
    } else if (entered->row.watchers > 0) {
        text_format(&right, ngettext("%d watching", "%d watching", entered->row.watchers),
                    entered->row.watchers);
    }
    const char *table = text_format(&TEXT_OF(32), "#%lld ", (long long)entered->row.id);
    /* The words about the delay get room first: they matter more than the last facts of the
     * headline. */
    int kept = is_late ? draw_measure_text(right.at) + 2 : 0;
    scene_write_headline(scene, table, canvas->body.width - 2 - kept, &left);
    bool has_room =
        draw_measure_text(left.at) + draw_measure_text(right.at) + 4 <= canvas->body.width;
    draw_header(canvas, left.at, has_room ? right.at : "");
}

static void draw_clock(struct ui *ui, const struct canvas *canvas, const struct area *row)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_clock || entered->view.to_act == 0) {
        return;
    }
    int64_t left = entered->clock_end_ms - model_clock_ms(entered, ui->now_ms);
    draw_text_right_aligned(canvas, row->row, row->column + row->width - CLOCK_WIDTH,
                            CLOCK_WIDTH - 1, left < CLOCK_SHORT_MS ? STYLE_WARN : STYLE_PLAIN,
                            words_write_time_left(left, &TEXT_OF(64)));
}

static void draw_prompt(struct ui *ui, struct table_screen_state *state,
                        const struct canvas *canvas, const struct frame *frame)
{
    struct area row = state->layout.prompt;
    if (row.height == 0) {
        return;
    }
    int used = draw_text(canvas, row.row, row.column + 1, row.width - CLOCK_WIDTH - 1,
                         frame->prompt_style, frame->prompt);
    draw_clock(ui, canvas, &row);
    const char *how = _("arrows: player and card, Enter: give it");
    int room = row.width - CLOCK_WIDTH - 4 - used;
    if (frame->choices.aims.count > 0 && draw_measure_text(how) <= room) {
        draw_text(canvas, row.row, row.column + 4 + used, room, STYLE_DIM, how);
    }
    if (frame->choices.aims.count > 0 && row.height > 1) {
        struct area below = {row.row + 1, row.column + 1, 1, row.width - 2};
        aims_draw(canvas, &below, &frame->choices.aims, &state->aim, &frame->scene.words);
    }
    const char *pending = choices_write_pending(&frame->choices, &state->cursor,
                                                &frame->scene.words, &TEXT_OF(TABLE_TEXT));
    int at = row.column + 3 + used;
    if (frame->has_row && row.height == 1) {
        at += 2 + choices_measure_row_width(&frame->choices, &frame->scene.words);
    }
    draw_text(canvas, row.row, at, row.column + row.width - CLOCK_WIDTH - at, STYLE_KEY, pending);
    if (!frame->has_row) {
        return;
    }
    struct area buttons = {row.row + 1, row.column + 1, row.height - 1, row.width - 2};
    if (row.height == 1) {
        buttons =
            (struct area){row.row, row.column + 3 + used, 1, row.width - 3 - used - CLOCK_WIDTH};
    }
    (void)choices_draw_rows(canvas, &buttons, &frame->choices, &state->cursor, &frame->scene.words);
}

/* Draws the choices over the middle of the table. If the choices need more room, covers the players
 * too. */
static void draw_choices(struct table_screen_state *state, const struct canvas *canvas,
                         const struct frame *frame)
{
    const struct words *words = &frame->scene.words;
    const struct area *felt = &state->layout.felt;
    struct area board = state->layout.board;
    if (state->layout.is_list) {
        board = state->layout.centre;
        board.height = felt->row + felt->height - board.row;
        board = board.height < 3 ? *felt : board;
    }
    if (choices_count_list_rows(&frame->choices, words, board.width) > board.height) {
        board = *felt;
    }
    int rows = choices_count_list_rows(&frame->choices, words, board.width);
    if (rows < board.height) {
        board.row += board.height - rows; /* the players at the top stay visible */
        board.height = rows;
    }
    choices_draw_list(canvas, &board, &frame->choices, &state->cursor, words);
}

/* Draws the pane beside the table, from top to bottom: the game's board, the score sheet, the log,
 * chat. */
static void draw_side_pane(struct ui *ui, const struct canvas *canvas, const struct area *pane,
                           const struct scene *scene)
{
    struct area side = *pane;
    struct area board = side;
    board.height = board_draw_box(NULL, &side, scene);
    if (board.height > 0 && board.height < side.height / 2) {
        (void)board_draw_box(canvas, &board, scene);
        side.row += board.height;
        side.height -= board.height;
    }
    int most = side.height / 3;
    struct sheet sheet =
        sheet_make(scene->live, &scene->words, -1); /* the log explains the points */
    int want = sheet_count_box_rows(&sheet, side.width);
    struct area box = {side.row, side.column, want < most ? want : most, side.width};
    sheet_draw_box(canvas, &box, &sheet);
    side.row += box.height;
    side.height -= box.height;
    struct area log = {side.row, side.column, side.height * 3 / 5, side.width};
    struct area chat = {side.row + log.height, side.column, side.height - log.height, side.width};
    draw_box(canvas, &log, _("What happened"), false);
    draw_box(canvas, &chat, _("Chat"), false);
    struct area inside = {log.row + 1, log.column + 1, log.height - 2, log.width - 2};
    (void)table_log_draw(canvas, &inside, screen_model(ui), LOG_ALONE, scene->log_lines, 0);
    inside = (struct area){chat.row + 1, chat.column + 2, chat.height - 2, chat.width - 4};
    chat_draw(canvas, &inside, screen_model(ui), CHAT_TABLE, 0);
}

/* Writes the label of a suit: the longest of "2 yellow", "2 Y" and "Y" that fits; without the
 * number if the viewer can no longer change the order. The picked suit stands in brackets. */
static void write_suit_label(const struct table_screen_state *state, const struct frame *frame,
                             int suit_place, int width, struct text *out)
{
    const struct game_view *view = frame->scene.view;
    const struct suit_def *suit = &view->game->deck->suits[frame->order.suits[suit_place]];
    const char *const names[] = {_(suit->title), _(suit->letters), _(suit->letters)};
    bool is_picked = suit_place == state->order.picked;
    for (size_t form = 0; form < ARRAY_LEN(names); form++) {
        *out = text_init(out->at, out->cap);
        text_put_char(out, is_picked ? '[' : ' ');
        if (form < 2 && order_is_asked(view) && !state->is_sent) {
            text_format(out, "%d ", suit_place + 1);
        }
        text_put(out, names[form]);
        text_put(out, is_picked ? "]" : "");
        if (draw_measure_text(out->at) <= width) {
            return;
        }
    }
}

/* Draws the label of a suit into the row; returns how many columns it takes. */
static int draw_suit_label(const struct table_screen_state *state, const struct canvas *canvas,
                           const struct frame *frame, const struct area *row, int suit_place)
{
    struct text label = TEXT_OF(TABLE_TEXT);
    const struct deck_def *deck = frame->scene.view->game->deck;
    enum style style = (enum style)(STYLE_TINT + deck->suits[frame->order.suits[suit_place]].tint);
    write_suit_label(state, frame, suit_place, row->width, &label);
    return draw_text(canvas, row->row, row->column, row->width,
                     suit_place == state->order.picked ? STYLE_SELECTED : style, label.at);
}

/* Draws the label of each suit above the first of its cards. */
static void draw_labels_above_cards(const struct table_screen_state *state,
                                    const struct canvas *canvas, const struct frame *frame)
{
    const struct game_view *view = frame->scene.view;
    const struct hand_plan *plan = &state->plan;
    for (int first = 0; first < plan->count;) {
        int suit_place = order_find_suit(view, &frame->order, first);
        int end = first + 1;
        while (end < plan->count && order_find_suit(view, &frame->order, end) == suit_place) {
            end++;
        }
        struct area at = hand_find_cell(&state->layout.hand, plan, first, plan->count);
        struct area last = hand_find_cell(&state->layout.hand, plan, end - 1, plan->count);
        at.row = state->layout.hand.row;
        at.width = last.column + last.width - at.column;
        if (suit_place >= 0) {
            int used = draw_suit_label(state, canvas, frame, &at, suit_place) + 1;
            draw_horizontal_line(canvas, at.row, at.column + used, at.width - used);
        }
        first = end;
    }
}

/* Draws the names of the suits above the drawn hand, with the picked one in brackets, and a mark
 * below each card that the holder will see. False if there is no room for the marks. */
static bool draw_suits_and_marks(const struct table_screen_state *state,
                                 const struct canvas *canvas, const struct frame *frame)
{
    const struct area *area = &state->layout.hand;
    const struct hand_plan *plan = &state->plan;
    struct area below = {area->row + plan->rows - 1, area->column + 1, 1, area->width - 2};
    if (area->height < plan->rows) {
        return false;
    }
    if (plan->style == HAND_LINES) {
        /* the hand may have several rows: all labels are in one */
        for (int i = 0; i < frame->order.suit_count && below.width > 0; i++) {
            int used = 1 + draw_suit_label(state, canvas, frame, &below, i);
            below.column += used;
            below.width -= used;
        }
        return false;
    }
    draw_labels_above_cards(state, canvas, frame);
    for (int place = 0; place < plan->count; place++) {
        struct area cell = hand_find_cell(area, plan, place, plan->count);
        if ((frame->order.seen >> place & 1) != 0) {
            draw_text_centred(canvas, below.row, cell.column, cell.width, STYLE_TURN,
                              theme_glyph_text(canvas->theme, GLYPH_ARROW_UP));
        }
    }
    return true;
}

/* Draws what belongs to the order of the hand's suits, and writes what the holder will see into the
 * first of the rows, which it takes. */
static void draw_order_of_suits(const struct table_screen_state *state, const struct canvas *canvas,
                                const struct frame *frame, struct area *rows)
{
    struct text status = TEXT_OF(TABLE_TEXT);
    bool has_marks = draw_suits_and_marks(state, canvas, frame);
    if (rows->height == 0) {
        return;
    }
    /* the sign explains the marks below the cards */
    if (has_marks) {
        text_format(&status, "%s ", theme_glyph_text(canvas->theme, GLYPH_ARROW_UP));
    }
    order_write_seen_cards(frame->scene.view, &frame->scene.words, &frame->order, rows->width - 4,
                           &status);
    draw_text(canvas, rows->row, rows->column + 1, rows->width - 2, STYLE_DIM, status.at);
    rows->row++;
    rows->height--;
}

/* Below the hand, draws what happened last and what people said; after the game, only the latter.
 * Where the log is in the side pane, draws who took the previous trick. */
static void draw_log_below_hand(struct ui *ui, const struct table_screen_state *state,
                                const struct canvas *canvas, const struct frame *frame)
{
    const struct scene *scene = &frame->scene;
    struct area rows = state->layout.status;
    rows.height += state->layout.chat.height;
    if (frame->has_order) {
        draw_order_of_suits(state, canvas, frame, &rows);
    }
    if (scene->view->phase == PHASE_OVER && !scene->is_held) {
        chat_draw(canvas, &rows, screen_model(ui), CHAT_TABLE, 0);
    } else if (state->layout.side.width == 0) {
        (void)table_log_draw(canvas, &rows, screen_model(ui), LOG_WITH_TALK, scene->log_lines, 0);
    } else if (!frame->has_order && rows.height > 0) {
        draw_text(canvas, rows.row, rows.column + 1, rows.width - 2, STYLE_DIM,
                  scene_write_status(&state->layout, scene, rows.width - 2, &TEXT_OF(TABLE_TEXT)));
    }
}

/* Draws the end of a round in place of the cards and of the hand, with the prompt below it. */
static void draw_round_end(struct ui *ui, struct table_screen_state *state,
                           const struct canvas *canvas, const struct frame *frame)
{
    const struct table_layout *layout = &state->layout;
    const struct area *header = &layout->header;
    struct area prompt = {0, header->column + 1, PROMPT_ROWS_MAX, header->width - 2};
    int rows = draw_wrapped_text(NULL, &prompt, frame->prompt_style, frame->prompt, 0, 0);
    prompt.height = rows < PROMPT_ROWS_MAX ? rows : PROMPT_ROWS_MAX;
    prompt.row = canvas->body.row + canvas->body.height - prompt.height;
    struct area page = {header->row + 2, header->column, prompt.row - header->row - 3,
                        header->width};
    struct area lesson = *header;
    lesson.height = draw_lesson(state, &frame->scene, &state->plan, NULL, header);
    page.height -= lesson.height;
    lesson.row = prompt.row - lesson.height;
    (void)draw_lesson(state, &frame->scene, &state->plan, canvas, &lesson);
    round_end_draw(&state->round_end, frame->scene.live, &frame->scene.words, canvas, &page);
    (void)draw_wrapped_text(canvas, &prompt, frame->prompt_style, frame->prompt, 0, 0);
    if (layout->side.width > 0) {
        draw_side_pane(ui, canvas, &layout->side, &frame->scene);
    }
}

/* Returns the slot of the own hand whose card is chosen; -1 if none is. */
static int find_chosen_slot(const struct table_screen_state *state, const struct game_view *view)
{
    for (uint8_t i = 0;
         state->premove.is_set && view->seat != SPECTATOR && i < view->slot_count[view->seat];
         i++) {
        if (!view->hands[view->seat][i].is_empty &&
            view->game->face->point(view, i) == state->premove.move) {
            return i;
        }
    }
    return -1;
}

void table_draw_game(struct ui *ui, struct table_screen_state *state, const struct canvas *canvas)
{
    struct frame frame = {.scene = make_scene(ui, state)};
    struct text prompt = text_init(frame.prompt, sizeof(frame.prompt));
    const struct table_layout *layout = &state->layout;
    bool is_over = frame.scene.view->phase == PHASE_OVER && state->hold_end_ms == 0;
    frame.prompt_style = write_prompt(ui, state, &frame.scene, &prompt);
    prepare_layout(state, canvas, &frame);
    bool is_round_end =
        round_end_is_shown(&state->round_end, frame.scene.live, frame.scene.now_ms) &&
        state->hold_end_ms == 0 && state->again_end_ms == 0;
    bool is_result = is_over && !is_round_end && state->again_end_ms == 0;
    bool is_middle_covered = is_round_end || frame.has_list || is_result;
    if (is_result) { /* the facts of the last round say nothing about the whole game */
        draw_header(canvas,
                    text_format(&TEXT_OF(TABLE_TEXT), _("#%lld %s: the game is over"),
                                (long long)frame.scene.live->row.id,
                                _(frame.scene.live->row.game->title)),
                    "");
    } else if (frame.scene.great == NULL || is_round_end || /* the page tells it */
               (!is_middle_covered && scene_has_great_moment_in_middle(layout, &frame.scene)) ||
               !scene_draw_great_moment_as_headline(canvas, &frame.scene)) {
        draw_headline(ui, canvas, &frame.scene);
    }
    if (is_round_end) {
        draw_round_end(ui, state, canvas, &frame);
        return;
    }
    (void)board_draw_rows(canvas, &layout->facts, &frame.scene);
    if (is_result) {
        table_result_draw(ui, state, canvas, &layout->felt);
    } else {
        scene_draw(canvas, layout, &frame.scene);
    }
    if (frame.has_list) {
        draw_choices(state, canvas, &frame);
    }
    (void)draw_lesson(state, &frame.scene, &state->plan, canvas, &layout->lesson);
    draw_prompt(ui, state, canvas, &frame);
    int chosen_slot = find_chosen_slot(state, frame.scene.view);
    state->plan.chosen = (uint16_t)(chosen_slot >= 0 ? 1U << chosen_slot : 0U);
    hand_draw(canvas, &layout->hand, &state->plan, frame.scene.view, &frame.scene.words,
              state->selected);
    draw_log_below_hand(ui, state, canvas, &frame);
    if (layout->side.width > 0) {
        draw_side_pane(ui, canvas, &layout->side, &frame.scene);
    }
}
