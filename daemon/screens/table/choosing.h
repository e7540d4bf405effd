#pragma once

#include "daemon/screens/table/table.h"

/*
 * Moves that are made without a key at the moment: the move that the player has chosen before their
 * turn, and the last card of a hand, if the player has turned that on (/auto). Both are known to
 * this session only; the core gets the move when it is the player's turn.
 *
 *     nothing ──key of a card──▶ offered ──same key or Enter──▶ set ──own turn──▶ made, if legal
 *        ▲                          │ any other key                │ Esc, the cards change
 *        └──────────────────────────┴──────────────────────────────┘
 *
 * If it is the player's turn but the game waits for players (HALT_HOUSE), a legal move is set at
 * once and made when the game goes on.
 */
struct premove {
    bool is_offered, is_set; /* at most one is true; `move` then is the move */
    uint8_t move;
    int64_t game;
    uint8_t round;
    struct view_slot hand[SLOTS_MAX]; /* the hand for which the move was chosen */
    int64_t auto_ms;                  /* when the last card plays itself; 0: it does not */
};

/* milliseconds during which people see the last card before it plays itself */
#define PREMOVE_AUTO_MS 800

struct table_screen_state;

/* Drops what is offered or chosen; false if there was nothing. */
bool premove_take_back(struct ui *ui, struct table_screen_state *state);

/* Call it after each change of the table: makes the chosen move if it is the player's turn and the
 * move is legal, says so if it is not, drops the move and says so if the player's cards have
 * changed or the round, the game or the player's seat is over, and decides whether the last card
 * will play itself. */
void premove_follow_table(struct ui *ui, struct table_screen_state *state);

/* True if premove_follow_table would make the chosen move now. */
bool premove_is_due(const struct table_screen_state *state, const struct model_entered *entered);

/* Drops the chosen move, and says so, when the table's screen closes: its screen.leave. */
void premove_end_at_leaving(struct ui *ui, void *opaque);

/* Plays the last card if its moment has come. Returns when that will be; INT64_MAX: never. */
int64_t premove_play_last_card(struct ui *ui, struct table_screen_state *state);

/* Writes the chosen move, "" if there is none. */
const char *premove_write(struct ui *ui, const struct table_screen_state *state, struct text *out);

/* What a key has done among the moves that can be chosen. */
enum choice_result {
    CHOICE_IGNORED,
    CHOICE_TAKEN,   /* the key was used, but no move is chosen yet */
    CHOICE_MADE,    /* *move was chosen; it may be illegal */
    CHOICE_REFUSED, /* no choice begins with what was typed; the text typed before stays */
};

/*
 * Moves that are made by pointing at other players' cards (game_face.aim). The viewer selects a
 * player, then a card, then one of the moves that point out that card. All cards that the selected
 * move points out are highlighted.
 */
struct aim_cursor {
    uint8_t seat, slot;
    uint8_t turn;   /* index of the selected move among the moves that point out the card */
    bool is_chosen; /* the player has put the cursor there */
};

struct aims {
    const struct game_view *view; /* borrowed: where the moves can be made */
    uint8_t count;
    uint8_t moves[MOVES_MAX];
    struct face_aim
        at[MOVES_MAX]; /* for each move in `moves`: the cards that the move points out */
};

/* Collects the viewer's legal moves that are made by pointing. */
void aims_collect_pointing_moves(const struct game_view *view, struct aims *out);

/* Puts the cursor on a card that some move points out, of the same player if possible. */
void aims_put_cursor_on_valid_card(const struct aims *aims, struct aim_cursor *cursor);

/* Returns the cards of a seat to highlight, as bits: those that the selected move points out,
 * otherwise the card under the cursor. */
uint16_t aims_find_highlighted_slots(const struct aims *aims, const struct aim_cursor *cursor,
                                     uint8_t seat);

/* Handles a key. *move is MOVE_NONE unless the key makes a move. */
enum choice_result aims_handle_key(const struct aims *aims, struct aim_cursor *cursor,
                                   const struct press *press, uint8_t *move);

/* Draws in one row the moves that point out the card under the cursor, with the selected one in
 * brackets: "clue for bob: [every Su (card 2)] every 3". If there are none, writes that instead. */
void aims_draw(const struct canvas *canvas, const struct area *row, const struct aims *aims,
               const struct aim_cursor *cursor, const struct words *words);

/*
 * The moves that are not made by pointing at a card: bids, passes, orders. They come from the view
 * and the game's labels alone. If every label is a number, the forbidden numbers in between are
 * listed too, as are unavailable moves that the game lists: choosing an unavailable move shows why
 * it is not allowed.
 */
#define CHOICE_KEY_MAX 8

enum choice_keys {
    CHOICE_NUMBERS, /* the person types the number in the label, or both numbers: "3", "3,11" */
    CHOICE_INDEX,   /* the person types the choice's position in the list, from 1 */
    CHOICE_GRID,    /* the person types the card's value, in the selected row */
    CHOICE_LETTERS, /* the person types a letter, because digits select cards of the hand */
};

struct choices {
    const struct game_view *view; /* borrowed: where the moves can be made */
    uint8_t count;
    uint8_t moves[MOVES_MAX];
    char typed[MOVES_MAX][CHOICE_KEY_MAX]; /* for each move: the text that the person types */
    enum choice_keys keys;
    /* some labels consist of two numbers, such as a prediction: numbers are typed, clicked or
     * reached with the arrow keys, and nothing is chosen before Enter */
    bool has_pairs;
    /* number of cards in a row of the grid, which has one row per suit; 0 unless the choices are
     * cards, equally many of each suit */
    uint8_t across;
    bool has_pointing; /* cards of the hand can be selected too */
    struct aims aims;  /* the other moves: those made by pointing at other players' cards */
};

void choices_collect(const struct game_view *view, struct choices *out);

/* Where a choice was last drawn, on the whole screen; width 0: nowhere. */
struct choice_spot {
    uint8_t move;
    int16_t row, column, width;
};

/* The text being typed, and the selected choice. */
struct choice_cursor {
    int selected;       /* index of the selected choice; -1: none */
    bool is_suggested;  /* the game has selected it, not the player */
    uint8_t named_move; /* the last key was an Enter that must be repeated to make this move, which
                           nobody has chosen; MOVE_NONE: it was not */
    int across;         /* number of choices in a row at the last draw, at least 1 */
    int top;            /* index of the first row shown */
    char typed[CHOICE_KEY_MAX];          /* the text typed so far */
    char refused[CHOICE_KEY_MAX + 1];    /* after CHOICE_REFUSED: the text that is no choice */
    struct choice_spot spots[MOVES_MAX]; /* where each choice was drawn, for clicks */
};

/* Returns a cursor without typed text and without a selection. */
struct choice_cursor choices_make_empty_cursor(void);

/* True if the text typed for one choice is the beginning of another choice's text: Enter then ends
 * it. */
bool choices_have_open_keys(const struct choices *choices);

/* Handles a key, and notes whether the player has selected a choice. A typed number chooses at once
 * if no other choice's key begins with it and all choices are in one row; otherwise Enter chooses.
 * A click chooses at once. */
enum choice_result choices_handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                      const struct press *press, uint8_t *move);

/* Tells whether the typed text is a choice's whole key, the beginning of that key, or neither. If a
 * key has two numbers, they may be typed in either order. */
enum key_match {
    KEY_NO,
    KEY_BEGUN,
    KEY_WHOLE,
};
enum key_match choices_match_key(const char *key, const char *typed);

/* Draws the choices of a player whose turn it is. */

/* Draws "[0] [1] 2 [3]", or "1 [ada] 2 [bob]" if labels are not numbers, over the rows of the area.
 * Returns the number of rows at that width. If canvas is NULL, it only counts the rows. */
int choices_draw_rows(const struct canvas *canvas, const struct area *area,
                      const struct choices *choices, struct choice_cursor *cursor,
                      const struct words *words);

#define CHOICES_PENDING_WIDTH 24 /* columns kept free for what choices_write_pending writes */

/* Writes the number typed so far, which Enter has to confirm: "1_  Enter confirms 1"; nothing if
 * nothing is typed. Returns all of `out`. */
const char *choices_write_pending(const struct choices *choices, const struct choice_cursor *cursor,
                                  const struct words *words, struct text *out);

/* Returns how many columns the choices take if all are in one row. */
int choices_measure_row_width(const struct choices *choices, const struct words *words);

/* Returns the number of rows of a list with that width. For a width that is too narrow, returns
 * more rows than any screen has. */
int choices_count_list_rows(const struct choices *choices, const struct words *words, int width);

/* Draws a list over the area, with keys before labels that are not numbers; scrolls to the
 * cursor. */
void choices_draw_list(const struct canvas *canvas, const struct area *area,
                       const struct choices *choices, struct choice_cursor *cursor,
                       const struct words *words);

/*
 * Moves that put the suits of the viewer's hand in order (game_face.order). The viewer moves suits
 * about, sees the hand as it would lie, and confirms once.
 */
struct order_cursor {
    uint8_t move;   /* the move for the order that is shown; MOVE_NONE: the first legal one */
    int8_t picked;  /* place of the picked suit, from the left; -1: none */
    bool is_chosen; /* the player has picked or moved a suit */
};

/* The key that makes the move for the order shown, also if the player has changed nothing. */
#define ORDER_KEY_GIVE '=' /* no letter: a word that was meant as talk must not give */

/* Returns a cursor without a picked suit. */
struct order_cursor order_make_empty_cursor(void);

/* Fills in the order that the move puts the suits in; false if it is another kind of move. */
bool order_read_move(const struct game_view *view, uint8_t move, struct face_order *out);

/* True if the viewer now has to put the suits in order. */
bool order_is_asked(const struct game_view *view);

/* Fills in the order that the hand is shown in: the one being made, or the one that the viewer has
 * chosen. Returns false if the hand is not shown in an order of suits. */
bool order_find_shown(const struct game_view *view, const struct order_cursor *cursor,
                      struct face_order *out);

/* Handles a key while the viewer puts the suits in order. Arrows pick a suit, < and > move it,
 * a number picks a suit and a second number swaps two; Enter or ORDER_KEY_GIVE chooses the order
 * shown. clicked_place: for a click, the place of the clicked card
 * in the hand; -1: none. */
enum choice_result order_handle_key(const struct game_view *view, struct order_cursor *cursor,
                                    const struct press *press, int clicked_place, uint8_t *move);

/* Returns the move for an order that was typed as letters or names ("RYGB", "order r, y, g, b");
 * "order" alone means the order that order_print shows. MOVE_NONE for any other line. */
uint8_t order_parse_line(const struct game_view *view, const char *line);

/* True if an order is asked for and the line consists of suits, even if one is missing or named
 * twice: somebody tried to type an order. */
bool order_is_line_of_suits(const struct game_view *view, const char *line);

/* Prints, in plain mode, the hand in the order in which it lies and what its holder will see; if
 * the viewer now has to put the suits in order, also what to type. Returns false, and prints
 * nothing, if the hand does not lie in an order of suits. */
bool order_print(const struct game_view *view, const struct words *words, struct lines *lines);

/* Returns the suit's place in the order for the card at that place of the hand; -1 for an invalid
 * place. */
int order_find_suit(const struct game_view *view, const struct face_order *order, int hand_place);

/* Writes "ella will see only 1R, 4Y and 6B"; if that leaves enough of the width, also who sees the
 * other cards. */
const char *order_write_seen_cards(const struct game_view *view, const struct words *words,
                                   const struct face_order *order, int width, struct text *out);
