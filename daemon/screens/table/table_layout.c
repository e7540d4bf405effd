#include "daemon/screens/table/table_layout.h"

#include <string.h>

#define SIDE_FROM_WIDTH 112 /* from this width on, chat and score sheet are beside the table */
#define TABLE_WIDTH 76      /* the width that the table gets before the side pane becomes wider */
#define SIDE_WIDTH_MAX 64
#define ROUND_WIDTH_MIN 72
#define FELT_ROWS_MIN 11
#define FELT_ROWS_MAX 21
#define FELT_ROWS_TALL 17 /* from this height on, the trick's cards are five rows high */
#define SEAT_WIDTH_MIN 20
#define TRICK_WIDTH_MAX 56
#define CHAT_ROWS_MIN 3
#define CHAT_ROWS_MAX 8

/* Data that is shared by the functions below, which place the seats and the cards on the felt: the
 * area of the players and the trick. */
struct felt_plan {
    struct area core;   /* the used part of the felt, which has a maximum size */
    struct area middle; /* the part of the felt between the seats at both sides */
    int on_top, on_side;
    int top_rows; /* number of rows that the seats at the top take */
};

static int int_min(int a, int b)
{
    return a < b ? a : b;
}

static int int_max(int a, int b)
{
    return a > b ? a : b;
}

/* Splits the body into the side pane and the table. */
static struct area split_off_side_pane(const struct area *body,
                                       const struct table_layout_needs *needs,
                                       struct table_layout *out)
{
    struct area table = *body;
    if (needs->has_side && body->width >= SIDE_FROM_WIDTH) {
        int width =
            int_min(int_max(body->width - 1 - TABLE_WIDTH, body->width / 3), SIDE_WIDTH_MAX);
        out->side = (struct area){body->row + 1, body->column + body->width - width,
                                  body->height - 1, width};
        table.width -= width + 1;
    }
    return table;
}

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

/* Divides the table into bands from top to bottom: header, felt, prompt, hand, status, chat. */
static void divide_table_into_bands(struct area table, const struct table_layout_needs *needs,
                                    struct table_layout *out)
{
    int hand = needs->has_hand ? needs->hand_rows : 0;
    int felt = FELT_ROWS_MIN;
    int others = 1 + needs->prompt_rows + 1;
    out->is_list = table.width < ROUND_WIDTH_MIN || table.height < others + hand + felt;
    if (out->is_list) {
        hand = needs->has_hand ? needs->hand_rows_small : 0;
        felt = needs->seats;
    }
    int spare = int_max(0, table.height - others - hand - felt);
    int facts = out->side.width > 0 ? 0 : int_min(needs->fact_rows, spare);
    spare -= facts;
    int chat = count_chat_rows(needs, out, spare);
    out->header = take_top_rows(&table, 1);
    out->facts = take_top_rows(&table, facts);
    out->felt = take_top_rows(&table, felt + spare - chat);
    out->prompt = take_top_rows(&table, needs->prompt_rows);
    out->hand = take_top_rows(&table, hand);
    out->status = take_top_rows(&table, 1);
    out->chat = take_top_rows(&table, chat);
}

/* Places one line per player, with the bottom seat last. The rows below the players stay free for
 * lists of choices. */
static void lay_out_player_list(const struct table_layout_needs *needs, struct table_layout *out)
{
    struct area left = out->felt;
    for (uint8_t place = 1; place < needs->seats; place++) {
        out->seats[place] = take_top_rows(&left, 1);
    }
    out->seats[0] = take_top_rows(&left, 1);
    out->centre = left;
    out->centre.height = int_min(left.height, 2);
    out->board = out->felt;
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
    /* there is room for four cards side by side */
    int widest = (plan.core.width - 2 * SEAT_WIDTH_MIN) / 4;
    out->card_width = needs->card_width + (out->card_rows == 5 ? 1 : 0);
    out->card_width = int_min(out->card_width, widest);
    plan.on_top = needs->seats == 3 ? 0 : 1 + needs->seats % 2;
    plan.on_side = (needs->seats - 1 - plan.on_top) / 2;
    /* With two seats at each side, the two seats at the top are too narrow to show all their
     * content in two lines. */
    bool is_top_narrow = plan.on_top > 1 && plan.on_side > 1;
    plan.top_rows = plan.on_top == 0 ? 0 : needs->has_open_hands || is_top_narrow ? 3 : 2;
    int trick = int_max(4 * out->card_width, int_min(TRICK_WIDTH_MAX, plan.core.width / 2));
    int side = int_max(SEAT_WIDTH_MIN, (plan.core.width - trick) / 2);
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
    /* One column stays free beside each side seat. Two seats at the top are two columns apart. */
    int outside = plan->on_side > 1 ? 1 : 0;
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
 * that side. */
static void compute_side_rows(const struct felt_plan *plan, const struct table_layout *out,
                              bool is_upper, struct area *seat, int *card_row)
{
    int end = plan->core.row + plan->core.height - 1;
    int first = plan->core.row + plan->top_rows;
    if (plan->on_side == 1) {
        *card_row = (first + end - out->card_rows) / 2;
        seat->row = *card_row;
        seat->height = end - seat->row;
    } else if (is_upper) {
        *card_row = first;
        seat->row = first - 1;
        seat->height = (end - first + 1) / 2;
    } else {
        *card_row = end - out->card_rows;
        seat->height = (end - first + 1) / 2;
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
        int edge = side > SEAT_WIDTH_MIN ? 1 : 0; /* a free column at the window's edge */
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
    int between = plan->on_side == 1 ? out->card_width : 0;
    int rows = int_max(0, int_min(2, end - first));
    out->centre = (struct area){first + (end - first - rows) / 2, plan->middle.column + between,
                                rows, plan->middle.width - 2 * between};
    if (plan->on_top == 0) {
        /* With three players, the centre is in the rows of the cards at both sides. */
        out->centre.row = out->cards[1].row + (out->card_rows - rows) / 2;
    }
    int top = plan->core.row + plan->top_rows;
    out->board = (struct area){top, plan->middle.column,
                               plan->core.row + plan->core.height - 1 - top, plan->middle.width};
}

void table_layout_make(const struct area *body, const struct table_layout_needs *needs,
                       struct table_layout *out)
{
    memset(out, 0, sizeof(*out));
    struct area table = split_off_side_pane(body, needs, out);
    divide_table_into_bands(table, needs, out);
    if (out->is_list) {
        lay_out_player_list(needs, out);
        return;
    }
    struct felt_plan plan = plan_seats_and_cards(needs, out);
    place_bottom_seat(&plan, out);
    place_top_seats(&plan, out);
    place_side_seats(&plan, needs, out);
    compute_free_centre(&plan, out);
}
