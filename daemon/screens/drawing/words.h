#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "games/game.h"
#include "games/text.h"
#include "lobby/protocol/protocol.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Writes texts for people: translated phrases with their arguments, cards with their suit's symbol
 * or letters in its colour, names at seats, times. All functions append to `out`; those that return
 * a string return all of `out`.
 */

/* What phrases need to name cards and seats. names[i] is the name of the player at seat i; an empty
 * or NULL name is written as "seat 3", or as the game's own name of a virtual seat. */
struct words {
    const struct theme *theme;
    const struct game_def *game;
    const struct game_config *config; /* the options of the table; NULL: not known, not shown */
    const char *names[SEATS_MAX];
    uint8_t players; /* number of the first virtual seat; 0: there are none */
    int8_t you;      /* the seat that is called "you"; SPECTATOR: none */
    bool
        is_plain; /* texts are written without colours, because they are drawn dimmed or selected */
    bool spells_suits;      /* suits without a symbol are written with their full names */
    bool abbreviates_suits; /* they are not, even in phrases of games that spell suits */
};

/* Returns what the functions below need to name the cards and seats of the entered table. Borrows
 * the names in `entered`. */
struct words words_make_for_entered_table(const struct theme *theme,
                                          const struct model_entered *entered);

/* Writes a game's phrase with its arguments; nothing if the phrase has no format. */
const char *words_write_phrase(const struct words *words, struct phrase phrase, struct text *out);

/* Writes a move as its button on the table: "T♥", "pass", "3 or 4". */
const char *words_write_move(const struct words *words, const struct game_view *view, uint8_t move,
                             struct text *out);

/* Writes a card: "T♥", "10 Gr" in ASCII mode's letters, "CERBERUS"; "?" for CARD_NONE. */
const char *words_write_card(const struct words *words, uint8_t card, struct text *out);
/* Finds a special card by its number; NULL for any other card. */
const struct special_def *words_find_special(const struct deck_def *deck, uint8_t card);

/* Writes a card's rank alone, or its title if it has no suit. */
void words_write_rank(const struct deck_def *deck, uint8_t card, struct text *out);
const char *words_write_suit(const struct words *words, uint8_t suit, struct text *out);
const char *words_write_seat(const struct words *words, uint8_t seat, struct text *out);
/* Writes the cards of a trick in the order of play: "ada T♥, bob 3♣". has_slots: with the number of
 * each card in its hand. */
const char *words_write_trick(const struct words *words, const struct view_trick *trick,
                              bool has_slots, struct text *out);
/* Writes the names of several seats (bit 0: seat 0): "ada, bob and you". */
const char *words_write_seats(const struct words *words, uint8_t seats, struct text *out);

/* Writes a text in a tint (enum tint), or uncoloured in plain text. */
void words_write_tinted(const struct words *words, uint8_t tint, const char *text,
                        struct text *out);

/* True if phrases call this seat "you". */
bool words_is_own_seat(const struct words *words, uint8_t seat);

/* Writes a rating: "1583", "1551?" if it is provisional, "–" if it is unknown. */
const char *words_write_rating(const struct theme *theme, const struct row_rating *rating,
                               struct text *out);

/* Writes a rating's uncertainty: "±120", in ASCII mode "+-120". */
void words_write_rating_deviation(const struct theme *theme, int32_t deviation, struct text *out);

/* Writes a span of time: "30s", "5m", "2h", "1d"; "–" for 0. */
const char *words_write_duration(const struct theme *theme, int64_t seconds, struct text *out);

/* Writes the time left on a clock: "0:24", "2:05", "3h 10m"; a negative time as 0. */
const char *words_write_time_left(int64_t left_ms, struct text *out);

/* Writes the day, "2026-11-20", or the day and the time, in the reader's time zone (/timezone), or
 * else the house's. */
const char *words_write_day(int64_t at_ms, struct text *out);
const char *words_write_day_and_time(int64_t at_ms, struct text *out);

/* The same, with the zone where it is not the reader's own (/timezone). */
const char *words_write_deadline(int64_t at_ms, struct text *out);

/*
 * A chat pane, with the newest line at the bottom. Each line shows its time, a sign that people
 * cannot type in that place (· for a line of the house, * for an action, > for a direct message)
 * and its text.
 */

#define CHAT_INDENT 8 /* columns of a line's time and its sign, each with the blank after it */

/* Writes a chat line as the pane shows it. */
void chat_write_line(const struct canvas *canvas, const struct model *model,
                     const struct chat_line *line, struct text *out);

/* Draws the lines of a channel into the area, scrolled up by `scrolled_rows` rows from the newest
 * line. The channel is one of enum chat_channel, or the channel of a room. Returns the number of
 * rows that the channel's lines take; the count ends one page above the drawn page. The caller
 * never scrolls up by more than this number minus the area's height. */
int chat_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
              int channel, int scrolled_rows);

/* Writes a chat line for plain mode: "ada: hello", "* ada gets some coffee" or "ada tells you:
 * hello". A line of the house is written unchanged. */
void chat_print_line(const struct model *model, const struct chat_line *line, struct lines *lines);

/*
 * Describes a hint in words. `view` is always the view from which the hint was made. All functions
 * append to `out` and return all of `out`.
 */

/* Writes expected points: "+9.1", "-0.4"; "–" for NULL. */
const char *hint_write_points(const struct theme *theme, const struct search_choice *choice,
                              struct text *out);

/* Writes the first moves of the hint with the points expected: "7♠ (+9.1), K♥ (+6.0)": at most
 * `most` of them, and then the move `also` if it is not one of them; MOVE_NONE: no such move. */
const char *hint_write_choices(const struct words *words, const struct game_view *view,
                               const struct hint *hint, uint8_t most, uint8_t also,
                               struct text *out);

/* Returns what to know about expected points in that game, translated. */
const char *hint_explain_points(const struct game_def *game);

/* Describes a row of a leaderboard in words, in the same way on screens, in plain mode and in
 * queries. */

enum leader_column {
    LEADER_RANK,
    LEADER_CHANGE,
    LEADER_NAME,
    LEADER_RATING,
    LEADER_GAMES,
    LEADER_WINS,
    LEADER_PLACE,
    LEADER_STAT,
    LEADER_FINISHED,
    LEADER_STREAK,
    LEADER_BEST,
    LEADER_BEST_DAY,
    LEADER_SEEN,
    LEADER_COLUMNS,
};

/* The heading of a column, not translated. If is_short, it has at most five characters. */
const char *leader_column_heading(enum leader_column column, bool is_short);

/* Writes the value of one column of a leader's row, and returns all of `out`: "12", "1583? ±120",
 * "63%", "2026-11-20". now_ms is unix time. */
const char *leader_write_cell(const struct theme *theme, const struct leader_row *row,
                              enum leader_column column, int64_t now_ms, struct text *out);

/* Adds a line for plain mode with all values of a leader's row, each with its heading. stat_title
 * is the untranslated title of the statistic that only this game has. */
void leader_put_row_line(const struct leader_row *row, const char *stat_title, int64_t now_ms,
                         struct lines *lines);

/* Reads a player's rating and results in one game, as a profile lists them, into a leader's row.
 * The game's title becomes the row's name. False if the game is unknown. */
bool leader_read_standing(const json_t *object, struct leader_row *row,
                          struct standing_row *standing);

/* Describes a person in words, in the same way on screens, in plain mode and in queries. */

/* Writes where a person is, and returns all of `out`: "in the lobby" (table_id 0), "playing at #7",
 * "watching #7". */
const char *person_write_location(int64_t table_id, bool is_seated, struct text *out);

/* Returns what a person is other than an ordinary player: "medium bot", "bot" (a program with an
 * account of its own), "guest", "admin", "moderator"; "" for an ordinary player. The level counts
 * only for bots. The caller does not free the text. */
const char *person_label(enum person_kind kind, enum bot_level level, enum person_role role);

/* Returns the same for a bot where there is room for six columns only: "medium", "bot". */
const char *person_brief_bot_label(enum bot_level level);

/* Returns the level of the bot on a seat, whose row has the name of its policy; BOT_LEVEL_NONE for
 * everybody else. */
enum bot_level person_level_of_seat(const struct seat_row *seat);

/* Appends to a list whether the person is likely to answer: "away", "not to be disturbed: at
 * lunch", "away for 5m". Appends nothing for a person who was active in the last three minutes.
 * presence_text may be "". */
void person_write_presence(enum person_presence presence, const char *presence_text, int64_t idle_s,
                           struct text *out);

/* Describes a finished game from the view of one player, in the same way on screens, in plain mode
 * and in queries. */

#define PLAYED_OPPONENTS_SIZE 120

/* A finished game as lists show it. It takes a hundred bytes, while the JSON row from the core
 * takes a thousand. */
struct played {
    int64_t game_id, ended_ms; /* unix time */
    const struct game_def *game;
    uint8_t players, rank; /* the player's rank; 0: the player has none */
    int32_t score;         /* the player's score; ROW_NONE: the player left for good */
    int32_t change_tenths; /* the change of the player's rating; ROW_NONE: the game was not rated */
    char opponents[PLAYED_OPPONENTS_SIZE]; /* names of the other players, as a list */
};

enum played_column {
    PLAYED_NUMBER,
    PLAYED_DAY,
    PLAYED_DAY_AND_TIME,
    PLAYED_GAME,
    PLAYED_PLACE,
    PLAYED_SCORE,
    PLAYED_CHANGE,
    PLAYED_OPPONENTS,
    PLAYED_COLUMNS,
};

/* Reads a finished game from the JSON row `object`, as `player` sees the game. The list of
 * opponents has as many names as fit in max_opponent_columns. False if the row is malformed or the
 * game is unknown. */
bool played_read_game(const json_t *object, const char *player, int max_opponent_columns,
                      struct played *played);

/* The headings of the columns, not translated. */
extern const struct played_heading {
    const char *title;
    bool is_right_aligned; /* as columns of numbers are */
} played_headings[PLAYED_COLUMNS];

/* Writes the value of one column, and returns all of `out`: "12", "2026-11-20", "1 of 4", "+12". */
const char *played_write_cell(const struct played *played, enum played_column column,
                              struct text *out);

/* Describes a table in words, in the same way on screens, in plain mode and in queries. */

/* Writes the state of a table, and returns all of `out`: "open", "finished"; why a running game is
 * halted ("paused", "adjourned", "waiting"); otherwise its progress, "playing" (round 0), "round
 * 2", or "round 2 of 7" (round_count 0: unknown). */
const char *table_write_state(enum table_phase phase, enum table_halt halt, int round,
                              int round_count, struct text *out);

/* An entry of the help about commands, queries and moderation commands: "/sit [table]: Take a
 * seat." */
struct usage {
    const char *prefix; /* "/", "" */
    const char *name;
    const char *args; /* the arguments, untranslated; may be NULL or "" */
    const char *help; /* the explanation, translated: one or more sentences */
};

const char *usage_write_entry(const struct usage *usage, struct text *out);

/* Adds a line for each moderation command that people of this rank may use. */
void usage_put_mod_commands(enum rank rank, struct lines *lines);
