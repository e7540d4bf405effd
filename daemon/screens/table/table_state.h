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

/*
 * The end of a round: its scores with every number explained, and its last trick. The screen shows
 * them
 *
 *   - during the stop between two rounds (the core's halt `round`): to a player until they press a
 *     key, which asks the core to go on; to a spectator until they press a key or the stop ends;
 *   - after the last round, when the game does not stop any more, and to spectators with a delay,
 *     whose game does not stop for them: until a key is pressed or for as long as a stop lasts.
 */

struct round_end {
    uint16_t seen;         /* number of rounds on the score sheet that the screen knows */
    uint16_t left;         /* the number of rounds when the viewer went on; 0: never in this game */
    int64_t kept_until_ms; /* without a stop, when the end of the round is no longer shown; 0: it is
                              not shown */
    int top;               /* the first row shown, if there are more rows than fit */
    int top_max;           /* the greatest value of `top`, as of the last drawing */
    bool has_view;         /* `view` is known */
    struct game_view view; /* the finished round with its last trick: the trick's winner and why */
};

/* Forgets the previous table's rounds. `entered` may be NULL. */
void round_end_forget(struct round_end *round_end, const struct model_entered *entered);

/* Call it when the score sheet has changed. is_reset: the message contained the whole sheet. */
void round_end_note_scores(struct round_end *round_end, const struct model_entered *entered,
                           bool is_reset, int64_t now_ms);

/* True for a spectator who sees the game with a delay. The core's stop is over before such a
 * spectator has read the scores. */
bool round_end_is_seen_late(const struct model_entered *entered);

/* True while the core stops the game between two rounds. */
bool round_end_is_stop(const struct model_entered *entered);

/* True if the stop waits for the viewer's key. */
bool round_end_waits_for_viewer(const struct model_entered *entered);

/* True while the screen shows the end of the round instead of the cards. */
bool round_end_is_shown(const struct round_end *round_end, const struct model_entered *entered,
                        int64_t now_ms);

/* Writes which round is over, what a key does, for whom the table waits and how many seconds. False
 * if neither a stop nor the end of a round is to be described. */
bool round_end_write_prompt(const struct round_end *round_end, const struct model_entered *entered,
                            const struct words *words, int64_t now_ms, struct text *out);

/* Prints in plain mode how to go on, and for whom the stop waits. */
void round_end_print_stop(const struct model_entered *entered, const struct words *words,
                          int64_t now_ms, struct lines *lines);

/* Handles a key while the end of the round is shown. False if it keeps its usual meaning. */
bool round_end_handle_key(struct ui *ui, struct round_end *round_end, const struct press *press);

/* Goes on: tells the core that the player has read the scores, or shows the cards again. */
void round_end_go_on(struct ui *ui, struct round_end *round_end);

void round_end_add_hints(const struct round_end *round_end, const struct model_entered *entered,
                         struct hints *hints);

/* Returns when the seconds in the prompt change, or the end of the round is no longer shown;
 * INT64_MAX: never. */
int64_t round_end_next_change_ms(const struct round_end *round_end,
                                 const struct model_entered *entered, int64_t now_ms);

/*
 * The state of the table's screen, which the files table_*.c share: what is selected, and what the
 * screen still shows of the past.
 *
 *     waiting ──start──▶ playing ──last round──▶ finished ──rematch──▶ playing
 *
 * While playing, a finished trick stays on the screen for as long as the person has chosen
 * (pace_trick_ms), and the end of a round until a key is pressed. While a finished
 * trick is shown, keys already act on the newest view.
 */
#define TABLE_LAST_TRICK_MS 7000
/* milliseconds in which a space bar is still meant for a trick that is no longer shown */
#define TABLE_LATE_SPACE_MS 1500

struct table_screen_state {
    struct game_view shown; /* the view drawn last; as long as a finished trick is shown, the view
                               of that trick */
    bool has_shown;
    int64_t hold_end_ms;  /* when the screen stops showing the finished trick; 0: no finished trick
                             is shown */
    int64_t again_end_ms; /* until when the last trick is shown again, after a key; 0: it is not */
    struct round_end round_end;
    bool keeps_slots; /* the hand stays unsorted: a card was hidden or marked in this round */
    uint8_t keeps_round;
    int selected;          /* selected place in the viewer's hand; -1: none */
    struct move_set asked; /* the viewer's legal moves at the time when the cursor was set */
    struct choice_cursor cursor;
    struct aim_cursor aim;
    struct order_cursor order;
    struct moment moment;       /* since when keys have their present meaning */
    int64_t early_key_since_ms; /* its since_ms when a key came too early last; 0: none did */
    struct premove premove;
    int64_t held_ms; /* when a finished trick was shown last; 0: not yet */
    bool is_board_folded;
    bool is_sent; /* a move was sent at sent_step, and the core has not answered yet */
    uint16_t sent_step;
    uint8_t sent_move;
    bool is_sent_again;     /* that move was refused because of a halt, and sent a second time */
    int64_t made_ms;        /* when the person made a move last; 0: not yet */
    bool is_alarmed;        /* the bell for little time has rung in this turn */
    int row;                /* the seat selected while the table waits for its start */
    int64_t committed_game; /* the game whose seed commitment (a SHA-256) arrived before its first
                               card */
    char commitment[65];
    bool is_after_letter;  /* the last key that was not Enter was a letter */
    struct game_view told; /* in plain mode: the view whose events were printed last */
    bool has_told;
    int8_t missing_told;  /* the number of free seats printed last; -1: not printed yet */
    int64_t told_game;    /* the game whose view was printed last */
    uint16_t warned_step; /* the game's step at which the warning about little time was printed; 0:
                             not printed yet */
    bool is_round_end_told; /* in plain mode: the end of the round was printed, and the next round
                               waits for the end of the stop */
    bool is_turn_untold;    /* in plain mode: whose turn it is will be printed after the stop */
    uint16_t sheet_told;    /* number of rounds whose scores have been printed */
    struct claim_row told_claim; /* the claim that was shown last */
    uint8_t told_halt;           /* the reason for a halt that was printed last (enum table_halt) */
    struct table_lesson lesson;  /* what a lesson tells now */
    struct table_layout layout; /* where everything was drawn last; tells what a mouse click hits */
    struct hand_plan plan;
};

/* Draws the end of a round into the area: each player's points, with how they came about, and the
 * round's last trick. Nothing is cut: what does not fit can be scrolled. */
void round_end_draw(struct round_end *round_end, const struct model_entered *entered,
                    const struct words *words, const struct canvas *canvas,
                    const struct area *area);

/*
 * Claims of all remaining tricks (PROTOCOL.md, `claim`). The player who claims sees who is asked;
 * the others see the claimant's cards and are asked whether they accept.
 */

/* Shows a claim that is new, and asks the viewer if the viewer has to answer. Closes the question
 * of a claim that is open no more. */
void table_claim_note_change(struct ui *ui, struct table_screen_state *state);

/* Whether the viewer can prove now that all remaining tricks, at least two, are theirs. A single
 * trick is played as quickly as it is claimed. False while a lesson suggests moves: it explains the
 * remaining tricks. */
bool table_claim_is_worth_offering(const struct model_entered *entered);

/* Writes who claims, with the cards, or for whom the viewer's own claim waits. Returns false if no
 * claim waits for an answer. */
bool table_claim_write_wait(const struct model_entered *entered, const struct words *words,
                            struct text *out);

/* Draws the running or finished game. */
void table_draw_game(struct ui *ui, struct table_screen_state *state, const struct canvas *canvas);

/* The view that the screen shows while a finished trick stays on the table for a moment. */

/* True if the screen still shows the last trick of the round before that of the view. */
bool table_shows_old_round(const struct table_screen_state *state, const struct game_view *now);

/* At the call, `held` is the view before a round's last trick, and `now` the view after that trick.
 * Changes `held` into the view to show while that trick stays on the table: the old round, with the
 * new deal still hidden. */
void table_make_view_of_finished_trick(struct game_view *held, const struct game_view *now);

/* Handles keys pressed during a game, and sends the moves that they choose. */

bool table_play_handle_key(struct ui *ui, struct table_screen_state *state,
                           const struct press *press);

/* True if the key can decide something in the game: a card, a choice, Enter, a click. */
bool table_may_key_decide(struct ui *ui, const struct press *press);

/* Shows why an illegal move is not made; in plain mode also which move it was, and what can be
 * typed. */
void table_refuse_move(struct ui *ui, uint8_t move);

/* True if the player has selected a card or another choice, or typed a part of one: Enter then
 * takes it. */
bool table_has_selection(const struct table_screen_state *state);

/* True for the first Enter that comes soon after a move: it was meant to confirm that move. */
bool table_take_enter_after_move(struct ui *ui, struct table_screen_state *state,
                                 const struct press *press);

/* Sends a move, chooses it for the end of the halt (HALT_HOUSE), or shows why it is not
 * allowed. */
void table_make_move(struct ui *ui, struct table_screen_state *state, uint8_t move);

/* Shows a notice with the names of those who watch the entered table. */
void table_show_spectators(struct ui *ui);

/* Prints the table as lines of text, for plain mode. */

/* table_print prints the whole table, and table_print_view_changes and table_print_table_changes
 * what the core's messages `view` and `table` change. table_handle_typed_line carries out a typed
 * line. table_print_clock_warning prints a warning when little time is left. */
bool table_print(struct ui *ui, void *opaque, struct lines *lines);
void table_print_view_changes(struct ui *ui, struct table_screen_state *state);
void table_print_table_changes(struct ui *ui, struct table_screen_state *state);
bool table_handle_typed_line(struct ui *ui, void *opaque, const char *typed_line);
int64_t table_print_clock_warning(struct ui *ui, void *opaque);

/* Shows the result of a finished game. */

void table_result_draw(struct ui *ui, const struct table_screen_state *state,
                       const struct canvas *canvas, const struct area *area);
bool table_result_handle_key(struct ui *ui, const struct press *press);
void table_result_add_hints(struct ui *ui, struct hints *hints);

/* Prints the result as lines of text: ranks, ratings, and whether the deal was fair. */
void table_result_print(struct ui *ui, const struct table_screen_state *state, struct lines *lines);

/* Shows clocks and halts of the entered table, and rings the bell when time runs out. */

/* True while it is the viewer's turn and the game is in this state. HALT_NONE: it goes on.
 * HALT_HOUSE: it waits for players whom the house has disconnected, and a move that the viewer
 * chooses is made once it goes on. */
bool table_viewer_is_to_move(const struct model_entered *entered, enum table_halt halt);

/* Writes why the game does not continue: it is halted, a bot plays for the viewer, or a player has
 * lost the connection. Returns false if the game continues. */
bool table_write_why_game_waits(const struct model_entered *entered, const struct words *words,
                                int64_t now_ms, struct text *out);

/* Asks the core to resume a halted game, or to give the viewer's seat back if a bot plays there. */
void table_request_resume(struct ui *ui);

/* A clock with less time is shown as a warning, and the bell rings. */
#define CLOCK_SHORT_MS 10000

/* Returns when the seconds left until `end_ms` change next; INT64_MAX if that time is over. */
int64_t table_next_second_ms(int64_t end_ms, int64_t now_ms);

/* Draws the table before the game starts, and handles its keys. */

int table_count_free_seats(const struct model_entered *entered);

/* Writes what is known before the start about the player at a seat: "you, away, host", or in plain
 * mode "ada, you, rating 1500, host". Returns all of `out`. */
const char *table_write_player(const struct model_entered *entered, int seat, bool is_plain,
                               struct text *out);

/* Writes how many players the table lacks before it can start, and how the viewer can fill a seat:
 * by a key, or in plain mode by a command. Returns all of `out`. */
const char *table_write_missing_players(const struct model_entered *entered, bool is_plain,
                                        struct text *out);
