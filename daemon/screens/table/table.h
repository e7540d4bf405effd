#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "games/face.h"
#include "games/game.h"
#include "games/history.h"
#include "lobby/protocol/protocol.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define TABLE_TEXT 400 /* bytes of a line, a label or a fact in words; what is longer is cut */

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

/*
 * Describes a game in lines, live or in a replay, from the view alone. The code is the same for all
 * games, and prints nothing that the view does not contain.
 */

/* Prints the headline, such as "Some Game, round 4 of 19, 7 cards, trump hearts (TH)", then the
 * game's board: the open cards and facts beside the hands. */
void game_print_headline(const struct game_view *view, const struct words *words,
                         struct lines *lines);

/* Prints each player's bid, tricks, score and marks. A player's open cards are printed as a line of
 * their own. */
void game_print_seats(const struct game_view *view, const struct words *words, struct lines *lines);

/* Prints the cards of the current trick; nothing if it is empty. */
void game_print_trick(const struct game_view *view, const struct words *words, struct lines *lines);

/* Prints the viewer's own cards with their numbers; nothing for a spectator. */
void game_print_hand(const struct game_view *view, const struct words *words, struct lines *lines);

/* During the viewer's turn, prints what the viewer must do and can type, and why other cards are
 * not allowed. Otherwise prints whom the table waits for. */
void game_print_turn(const struct game_view *view, const struct words *words, struct lines *lines);

/* Prints the lines of a story from number `first` to before number `end`, each with a full stop. */
void game_print_story_lines(const struct story *story, uint8_t first, uint8_t end,
                            const struct words *words, struct lines *lines);

/* Prints all hands that the later view shows, if cards were dealt or passed on since the earlier
 * view. */
void game_print_new_hands(const struct game_view *before, const struct game_view *now,
                          const struct words *words, struct lines *lines);

/* Prints how the points of a round came about, one line per player, beginning with the viewer. */
void game_print_score(const struct score_row *row, const struct game_view *view,
                      const struct words *words, struct lines *lines);

/* Writes the name of the player at a seat, "You" for the viewer, and returns all of `out`. */
const char *game_print_write_name(const struct words *words, uint8_t seat, struct text *out);

/*
 * The areas of the screen in which the parts of a table are drawn. Players sit clockwise around the
 * trick, so the left neighbour sits to the left. Place 0 is at the bottom, place i is the i-th seat
 * clockwise from it. Nothing overlaps, and nothing leaves the body.
 */

struct table_layout_needs {
    uint8_t seats;       /* number of players: 2 … SEATS_MAX */
    bool has_hand;       /* the viewer has cards, which are drawn at the bottom */
    int hand_rows;       /* height of the hand, with its row of keys */
    int hand_rows_small; /* height of the hand when drawn as lines without frames, on small screens
                          */
    int prompt_rows;     /* 1 … 3 */
    bool has_lesson;     /* a lesson tells something from time to time */
    int lesson_rows;     /* height of what the lesson tells now above the prompt; 0: nothing */
    int fact_rows;       /* height of the game's board below the headline, if there is room */
    int card_width;      /* width of a card in the trick, with its frame: 6 … 10 */
    int card_width_named[2]; /* width of a card with its suit's full name in one row, and in a
                                card of five rows; 0: full names are not shown */
    int top_rows;            /* height that the seats at the top need; 0: not known yet */
    uint8_t wide_places;     /* bit i: in a list, place i needs two lines */
    bool has_open_hands;     /* cards of other players are shown under the players' names */
    int open_hand_width; /* the columns that an open hand needs in one row; 0: any width is enough
                          */
    int open_hand_rows;  /* the rows of an open hand with one card in each row; 0: not shown so */
    bool has_chat;       /* rows of chat at the bottom, if it is not at the side */
};

struct table_spot {
    int row, column;
};

struct table_layout {
    bool is_list; /* the area is too small for a round table: each player has one line, and no cards
                     are drawn */
    bool is_hand_small; /* the hand is drawn in hand_rows_small */
    struct area header; /* the header: one row */
    struct area facts;  /* the game's board; height 0: hidden, drawn at the side, or no room */
    struct area felt;   /* players and trick; lists and results are drawn over it */
    struct area centre; /* free cells in the middle of the trick: at most two rows, perhaps none */
    struct area board;  /* the area between the seats, where the played cards lie */
    struct area seats[SEATS_MAX];  /* for each place: where the seat is drawn */
    bool is_seat_right[SEATS_MAX]; /* for each place: the seat's text is right-aligned */
    bool is_seat_centred[SEATS_MAX];
    bool is_tight; /* seats are so close that only the rows of hands use all of their columns */
    struct table_spot
        cards[SEATS_MAX]; /* for each place: where the card is drawn; unset if is_list */
    int card_width, card_rows;
    struct area lesson; /* what a lesson tells */
    struct area prompt; /* the prompt: one row or more */
    struct area hand;   /* the viewer's hand; height 0: the viewer has no cards */
    struct area status; /* the status line: what just happened; height 0: a lesson needs its row */
    struct area chat;   /* chat below the table; height 0: chat is in `side`, or there is no room */
    struct area side;   /* the pane beside the table; width 0: there is none */
};

void table_layout_make(const struct area *body, const struct table_layout_needs *needs,
                       struct table_layout *out);

/*
 * Draws a game, live or in a replay, from a game_view alone: what one viewer may see. The code is
 * the same for all games.
 */
struct scene {
    const struct game_view *view;
    struct words words;
    /* The players at the SEATS_MAX seats, whose ratings and absences are shown; NULL: shows only
     * names. */
    const struct seat_row *seats;
    const struct model_entered *live; /* the table whose clocks are shown; NULL in a replay */
    int64_t now_ms;                   /* the present time by the session's clock */
    uint8_t bottom;                   /* the seat at the bottom of the screen */
    bool is_held;            /* the finished trick is still shown, with its winner and why it won */
    uint16_t lit[SEATS_MAX]; /* for each seat: the highlighted slots of its hand (bit 0: slot 0) */
    const struct phrase *great; /* the great moment announced now; NULL: none */
    bool is_open;               /* every hand in the view is shown under its player's name */
    int log_lines; /* number of the table's log lines that the screen shows: none of a round that
                      is not shown yet */
};

/* Returns what the scene requires of the table's layout. The caller adds the rows that the board,
 * the hand and the chat need. */
struct table_layout_needs scene_compute_layout_needs(const struct scene *scene);

/* Writes the game's title, the round, and the facts that the game names for its headline, as many
 * as fit the width; returns all of `out`. `prefix` ("#7 ", may be "") comes first. */
const char *scene_write_headline(const struct scene *scene, const char *prefix, int width,
                                 struct text *out);

/* Draws the players, the cards of the trick, and what was led or who took the trick. */
void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene);

/* True if a great moment is announced and the middle of the table has room for the announcement,
 * where scene_draw draws it. */
bool scene_has_great_moment_in_middle(const struct table_layout *layout, const struct scene *scene);

/* Announces a great moment in place of the headline. False if it is too long for one row. */
bool scene_draw_great_moment_as_headline(const struct canvas *canvas, const struct scene *scene);

/* Writes the row below the hand: who took the previous trick, or, while the finished trick is
 * shown, why it was won if the middle of the table has no room for the reason. Returns all of
 * `out`. */
const char *scene_write_status(const struct table_layout *layout, const struct scene *scene,
                               int width, struct text *out);

/* True if the view's last trick is one of the present round: only then its reason can be told. */
bool scene_has_trick_of_round(const struct game_view *view);

/* Writes "bob took the previous trick: highest ♣", without the reason if it does not fit `width`
 * columns; nothing if there is no previous trick. */
void scene_write_last_trick(const struct scene *scene, int width, struct text *out);

/*
 * A game's board: the open cards and facts beside the hands, as the game reports them
 * (game_face.board). The board is drawn in up to three rows below the headline, or in a
 * box beside the table. Some games have none.
 */

/* Draws the board's facts, and the meaning of the signs at cards, into as many rows as the area
 * has. Returns how many rows they need, 0 if there are none. If canvas is NULL, only counts the
 * rows. */
int board_draw_rows(const struct canvas *canvas, const struct area *area,
                    const struct scene *scene);

/* Draws the board's box: a frame that contains one fact per row, or wrapped on several rows.
 * Returns the height of the whole box; 0, and draws nothing, if it would be empty. If canvas is
 * NULL, only counts the rows. */
int board_draw_box(const struct canvas *canvas, const struct area *area, const struct scene *scene);

/* Prints the board's facts in one line, for plain mode; nothing if there are none. */
void board_print(const struct scene *scene, struct lines *lines);

enum card_form {
    FACE_SHORT, /* "T♥", "10 Gr" */
    FACE_LONG,  /* the suit's full name and the rank, "Paulgrave 2"; in a standard deck the same as
                   FACE_SHORT */
    FACE_STACKED, /* the rank on one line, the suit on the next */
    FACE_TITLE,   /* the suit's full name, with the rank on other lines */
    FACE_HAND,    /* "5Ev", "CER" */
    FACE_COUNT,
};

/* Writes a card of the trick for a list of players: "│5 Ev│", "│CER│". Brackets would mark it as a
 * card of the hand that may be played. */
void card_write_edged(const struct words *words, uint8_t card, struct text *out);

/* The width of the widest face in the deck, for each form. FACE_STACKED and FACE_HAND, which are
 * used where columns are scarce, count only the letters of special cards that have letters. */
struct card_widths {
    int of[FACE_COUNT];
};
void card_measure_widths(const struct words *words, struct card_widths *out);

/* True if the view shows anything about the card in this slot. */
bool card_in_slot_is_known(const struct view_slot *slot);

/* Draws a card on the table, three or five rows high; frame_style is the style of its edge.
 * CARD_NONE: an empty place. */
void card_draw(const struct canvas *canvas, const struct area *area, const struct words *words,
               uint8_t card, enum style frame_style);

/*
 * The viewer's own cards. If all cards are open and unmarked, they are sorted without gaps.
 * Otherwise places matter, so every card stays in its slot.
 */
enum hand_style {
    HAND_FRAMED, /* cards in frames, with their keys above them */
    HAND_ROW,    /* cards without frames in one row, with their keys above them */
    HAND_LINES,  /* cards without frames, each after its key */
};

struct hand_plan {
    uint8_t count;            /* number of slots that are shown, filled or empty */
    uint8_t slots[SLOTS_MAX]; /* for each shown place, from left to right: the number of the slot
                                 shown there */
    bool keeps_slots;
    bool has_no_keys; /* no keys stand at the cards: in this phase the keys choose no card */
    enum hand_style style;
    enum card_form form;
    int lines;       /* of a card, without its frame. 3: rank, suit and rank; 2: the rank above the
                        suit */
    int inner;       /* number of columns inside the frame of a card */
    int rows;        /* number of rows of the whole hand, with the row of keys */
    uint16_t chosen; /* bit i: the card in slot i is chosen for the next turn, and is marked */
};

/* Lists the slots (places of cards) of a hand in the order in which they are shown; returns their
 * number. If *keeps_slots is true, no slot moves or is left out, even an empty one. *keeps_slots
 * becomes true if a card is hidden or marked. */
uint8_t hand_order_slots(const struct game_view *view, uint8_t seat, bool *keeps_slots,
                         uint8_t slots[SLOTS_MAX]);

/* Two forms of a hand. `framed`: cards with frames, or plain lines if frames do not fit the width.
 * `lines`: plain lines, for small screens. Both are empty for a spectator. */
struct hand_plans {
    struct hand_plan framed, lines;
};

/* Plans the viewer's hand in both forms. keeps_slots: all cards stay in their slots, as earlier in
 * the round; is_tall: there is room for cards of three lines. The style depends only on the deck
 * and the number of slots, so a hand looks the same during the whole round. */
void hand_make_plans(const struct game_view *view, const struct words *words, int width,
                     bool keeps_slots, bool is_tall, struct hand_plans *plans);

/* Adds to the needs what the seats and the planned hand take, lays the table out again, and chooses
 * the plan of the hand. `layout` was made from the needs so far. */
void scene_finish_layout(const struct scene *scene, const struct area *body,
                         const struct hand_plans *plans, struct table_layout_needs *needs,
                         struct table_layout *layout, struct hand_plan *plan);

/* Draws the hand. selected_place is the position of the selected card among the shown ones; -1:
 * none. */
void hand_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
               const struct game_view *view, const struct words *words, int selected_place);

/* Returns the keyboard key that chooses the card at this place of the hand: 1…9, 0, then A…E. */
char hand_keyboard_key_of_place(int place);

/* Returns the number of the place in a hand that a typed key selects; -1 if the key selects none.
 * The hand may have fewer places. */
int hand_place_of_keyboard_key(uint32_t key);

/* Returns where a card of a hand is drawn: the row of its first line, and the columns inside its
 * frame. slot_count: the view's slot_count. */
struct area hand_find_cell(const struct area *area, const struct hand_plan *plan, int place,
                           int slot_count);

/* Returns the place of the hand that is drawn at that row and column of the screen; -1 if there is
 * none. slot_count: the view's slot_count. */
int hand_find_place_at(const struct area *area, const struct hand_plan *plan, int row, int column,
                       uint8_t slot_count);

/* What a lesson (games/history.h) tells its player at the table: one note and one suggestion at a
 * time, above the prompt. A note may come while others move. It stays until a newer note replaces
 * it, or until the player has made a move or has gone on after a round. */
struct table_lesson {
    uint32_t told;                        /* bit n: note n of the lesson has been told */
    uint8_t note;                         /* the note told now; LESSON_NOTES_MAX: none */
    const struct lesson_move *suggestion; /* the move suggested now; NULL: none */
    bool has_ended;                       /* the player has been told that suggestions end */
    bool tells_end;                       /* the player is told so now */
    bool has_strayed;                     /* suggestions end because the player made another move */
    uint8_t printed_note; /* in plain mode: what has been printed last of each kind */
    bool is_end_printed;
    const struct lesson_move *printed_suggestion;
    int64_t game;          /* number of the game that the notes are about */
    bool is_stop;          /* the table stopped after a round when the notes were chosen last */
    uint16_t step;         /* the step at which the notes were chosen last, plus 1 */
    struct move_set asked; /* the viewer's legal moves at that time; empty: no move was awaited */
};

/* Chooses what to tell, whenever the table or its view has changed. Does nothing at other tables.
 */
void table_lesson_update(struct table_lesson *lesson, const struct model_entered *entered);

/* Plain mode: prints what is told now; without `has_old`, only what has not been printed yet. */
void table_lesson_print(struct table_lesson *lesson, const struct model_entered *entered,
                        const struct words *words, bool has_old, struct lines *lines);

/* Catches a line that is about to be said at a table although it is a move, or a move typed at the
 * wrong time: makes the move, or tells the player why the line was not said. Returns false for any
 * other line. It is the table's screen.catches_line. */
bool table_catch_line(struct ui *ui, void *opaque, const char *line);

/* Draws and prints the log of the entered table's game (model/model.h). */

/* Which lines of the table's chat are drawn among those of the log, in the order of time. */
enum log_talk {
    LOG_ALONE,
    LOG_WITH_HOUSE, /* what the house has said since the log's first line, such as pauses */
    LOG_WITH_TALK,  /* all but lines of the house that only tell who comes and goes */
};

/* Draws the log's first `line_count` lines into the area, the newest at the bottom, scrolled up by
 * `scrolled_rows` rows. Returns the number of rows that the lines take: with LOG_WITH_HOUSE all
 * lines, otherwise those that are drawn. */
int table_log_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
                   enum log_talk talk, int line_count, int scrolled_rows);

/* The announcement of a great moment that still stands at now_ms, for `hold_ms` from its beginning;
 * NULL if there is none. */
const struct phrase *table_log_find_great_moment(const struct model_entered *entered,
                                                 int64_t now_ms, int64_t hold_ms);

/*
 * Tells keys that were typed for the screen of a moment ago from keys for the present one. What a
 * card's key or a number means changes when the phase, the round or the own hand changes: nobody
 * sees that and presses a key for it within MOMENT_MS. Such a key was meant for the old screen and
 * must not decide anything on the new one.
 */
#define MOMENT_MS 300

struct moment {
    int64_t since_ms; /* when the keys got their present meaning; 0: they never had another one */
    bool is_known;    /* the members below are set */
    uint8_t phase, round;
    bool is_own_turn;
    uint8_t cards[SLOTS_MAX]; /* the card in each slot of the own hand; 0xFE: none */
    struct move_set legal;
};

/*
 * The hand of a seat, written under or beside its player's name: the cards that the viewer may see,
 * the places of the others, and signs for what the holder was told about a card.
 */
enum open_hand_form {
    OPEN_HAND_SHORT, /* "5Ev 3To@CER" in one or more rows */
    OPEN_HAND_NAMED, /* one row with the suits' full names: "Evil Molly 5  Tom Dire 3@" */
    OPEN_HAND_LIST,  /* full names, one card in each row: "2 Tom Dire 3@" */
};

/* The visible cards of a hand, in the order in which they are drawn: all of them, or the top card
 * of each column. */
struct open_hand {
    const struct scene *scene; /* borrowed */
    uint8_t seat;
    enum open_hand_form form;
    uint8_t count;
    uint8_t slots[SLOTS_MAX];
    uint8_t under[SLOTS_MAX]; /* for each shown card: how many cards lie below it */
};

/* True if the hand is drawn beside its player's name, because the view shows some of its cards or
 * marks on them. */
bool open_hand_is_shown(const struct scene *scene, uint8_t seat);

/* Collects the cards to draw, and chooses the form: full names if they fit `width` columns and
 * `rows` rows, otherwise letters. count is 0 if the hand is not shown. */
struct open_hand open_hand_collect(const struct scene *scene, uint8_t seat, int width, int rows);

/* Writes one row of the hand, from the card at `first_place` on, in at most `width` columns;
 * returns the place of the first card of the next row. */
uint8_t open_hand_write_row(const struct open_hand *hand, uint8_t first_place, int width,
                            struct text *out);

/* Returns the most columns that a hand in the short form takes in one row, with all its signs. */
int open_hand_measure_row(const struct open_hand *hand);

/* Returns the number of rows that the hand takes at this width. */
int open_hand_count_rows(const struct open_hand *hand, int width);

/* Writes a table's settings as text for people. The functions option_write_... append to `out` and
 * return the whole text of `out`. */

/* Writes the title of the option's value with that index; for a value without a title, its word or
 * number. */
const char *option_write_value(const struct option_def *option, uint8_t index, struct text *out);

/* Writes "30 seconds a move", "10 minutes in all, 5 seconds more after each move" or the like. */
const char *option_write_clock(const struct clock_rule *clock, struct text *out);

/* Writes who may watch, for example "everybody, 10 moves behind; the players do not hear them". */
const char *option_write_watch_rule(const struct watch_rule *watch, struct text *out);

/* Writes who may sit down, for example "all", "rating 1400-1700" or "finished 80%". */
const char *option_write_eligibility(const struct eligibility *eligibility, struct text *out);

/* All settings of a table, in the order in which they are shown. */
#define OPTION_SETTINGS_MAX (GAME_OPTIONS_MAX + 6)

struct option_settings {
    uint8_t count;
    struct option_setting {
        const char *label;
        struct text value;
        char bytes[400]; /* memory that holds the text of `value` */
    } at[OPTION_SETTINGS_MAX];
};
void option_list_settings(const struct model_entered *entered, struct option_settings *out);

/* Return what the pace of a table or of a person means: "slow: bots wait longer, …". */
const char *option_describe_table_pace(enum pace pace);
const char *option_describe_own_pace(enum pace pace);

/* Returns the pace after (direction 1) or before (direction -1) this one, from quick to slow. */
enum pace option_next_pace(enum pace pace, int direction);

/* Returns the index of a game in the registry of all games. */
uint8_t option_find_game_index(const struct game_def *game);

/* Returns the game's default options for `player_count` players. If the game does not allow that
 * number, uses the nearest allowed number. */
struct game_config option_make_default_config(const struct game_def *game, uint8_t player_count);

/* Returns the index of the game, or of the option's value, whose name is typed_name or begins with
 * it, in capital or small letters; -1 if there is none. */
int option_find_game(const char *typed_name);
int option_find_value(const struct option_def *option, const char *typed_name);

/* Returns the game with this id or title, or else the only game whose id or title begins with the
 * text, in capital or small letters. NULL if there is none or more than one. */
const struct game_def *option_find_only_game(const char *typed_name);

/*
 * The facts at a player's seat, one text each: the bid, the tricks won and the score, with the
 * game's number beside it; whose turn it is; the game's badges; the state of the connection. They
 * are written in lines as wide as the seat.
 */
#define SEAT_MARKS_MAX (2 * FACE_BADGES_MAX + 10) /* some marks can be broken into two parts */
#define SEAT_MARK_BYTES 400

struct seat_marks {
    const struct scene *scene; /* borrowed */
    uint8_t count;
    uint8_t number_count; /* the first marks are numbers */
    uint8_t turn_end;     /* index of the first mark after those of the turn */
    char at[SEAT_MARKS_MAX][SEAT_MARK_BYTES];
};

/* Collects the facts of a seat that do not depend on whose turn it is; for a theme of plain mode,
 * in whole words. */
struct seat_marks seat_marks_collect_lasting(const struct scene *scene, uint8_t seat);

/*
 * The score sheet: one row for each round, one column for each player, and an explanation of the
 * points of one round. The viewer's column is the first, and the viewer's explanation too. Each
 * cell shows as much as its width allows: bid/won, points and total; points and total; or the total
 * alone.
 */
struct sheet {
    const struct words *words;
    uint8_t seats;
    const struct score_row *rows;
    int count;
    int selected;        /* the row that is selected and explained; -1: none */
    int skipped_rows;    /* explanations are drawn without their first rows, if not all rows fit */
    const char *closing; /* written on the frame: the key that closes the sheet; NULL: nothing */
};

/* Makes the score sheet of the entered table. Borrows all arguments. A `selected_row` of -1 selects
 * no round. */
struct sheet sheet_make(const struct model_entered *entered, const struct words *words,
                        int selected_row);

/* Returns the height in rows that the whole sheet needs in a frame of that width. */
int sheet_count_box_rows(const struct sheet *sheet, int width);

/* Draws the sheet in a frame, over what the area shows; draws nothing if `sheet` is NULL. */
void sheet_draw_box(const struct canvas *canvas, const struct area *area,
                    const struct sheet *sheet);

/*
 * Reads moves that people type in plain mode, in any game: a card by its number in the hand or its
 * name, a bid by its number, any other move by its number in the printed list or by its label.
 */
enum typed {
    TYPED_NOTHING, /* the line names no move */
    TYPED_MOVE,    /* *move is the typed move, which may be illegal */
    TYPED_EARLY,   /* the line names a card or a move or is a number, but it is not the viewer's
                      turn */
    TYPED_UNKNOWN, /* the line is a number, a card or a move, or looks like a mistyped one, but
                      names no move of this moment */
};

/* Reads a typed line as a move. A verb before the move ("bid 3", "play QS") is allowed if it is the
 * verb of that move. The line must have no surrounding blanks. */
enum typed typed_parse_move(const struct game_view *view, const struct words *words,
                            const char *line, uint8_t *move);

/* Reads a typed line as the move that the viewer wants to make at their next turn: a card by its
 * number or name, or any other move by its name. The move may be illegal then. MOVE_NONE: the line
 * names no move. */
uint8_t typed_parse_later_move(const struct game_view *view, const struct words *words,
                               const char *line);

/* Lets the person enter and leave tables. */

/* Enters a table and shows it; asks for the password if it is locked. If `takes_seat`, also takes
 * the first free seat. */
void visit_table(struct ui *ui, int64_t table_id, bool takes_seat);

/* Returns to the table at which the person's connection broke off; does nothing if table_id is
 * 0. */
void visit_return_to_table(struct ui *ui, int64_t table_id);

/* Shows the next table where it is the person's turn, or a notice that no game waits for the
 * person. */
void visit_next_table_with_own_turn(struct ui *ui);

/* Leaves the entered table and returns to the lobby. Asks for confirmation first if a running game
 * needs the player. */
void visit_leave_table(struct ui *ui);

/* Gives up the player's seat in the running game, after asking. `answer` handles success, and gets
 * the table's number as its tag; NULL: nothing more is done. */
void visit_leave_for_good_after_asking(struct ui *ui, screen_answer *answer);

/* Shows the table that the answer to `table_open` names. If `bot_count` is not 0, adds that many
 * bots of this level and starts the game. BOT_LEVEL_NONE: the core chooses a level that suits the
 * person. */
void visit_new_table(struct ui *ui, const json_t *answer, uint8_t bot_count, enum bot_level level);

/* Begins a game with a request that names it, and shows its table: "quick" for its short form
 * against bots, "learn" for a lesson. */
void visit_begin_game(struct ui *ui, const char *request, const struct game_def *game);

/* Asks who may watch the entered table, and sets the rule that the pressed key stands for. */
void watching_ask_who_may_watch(struct ui *ui);
