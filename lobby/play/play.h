#pragma once

#include "lobby/house/house_state.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"

/* Tells players what they missed while they were absent from their table. */

/* Notes at the start of a game which players are at the table. */
void absences_note_players_at_start(struct house *house, struct table *table);

/*
 * Claims at tables: a player claims all remaining tricks of the round when their own view proves
 * that nobody else can take one (games/claim.h). Everybody else at the table is asked; bots accept,
 * and so do players who are away or do not answer within CLAIMS_ANSWER_MS, because the tricks
 * cannot be otherwise. Then the core plays the round to its end. If anybody wants to play on, the
 * game goes on, and this turn's player cannot claim again in the same trick.
 *
 * A claim stops no clock: the claimant's clock keeps running, as it is still their turn. When their
 * turn would pass to a bot, the others count as accepting. Any move and any halt withdraws the
 * claim, and so does a claimant who leaves for good.
 */
#define CLAIMS_ANSWER_MS 20000

/* Plays the round out when nobody has to answer any more. Runs before a bot may take the turn. */
extern const struct table_timer claim_timer;

/*
 * Staff may observe a table unseen. They see and hear everything at the table without delay, but no
 * hidden hands. Observing ends when the observer leaves, sits down, or loses the connection or the
 * staff role, and when the table closes. Then the people at the table are told who observed it and
 * why. The observer's name and reason are stored, so that the people are told even after a restart.
 */

/* Ends this connection's observing, if any, and tells the people at the table who observed it. */
void observing_end(struct house *house, struct conn *conn, struct table *table);

/*
 * A deadline for halted rated games, so that a game does not stay halted for ever because one side
 * never returns. It applies to adjourned games and to games that wait for players whom the house's
 * downtime disconnected. When the first player asks to resume, all others have RESUME_DEADLINE_MS
 * to ask too, whether or not the first one stays. Then the game goes on. In an adjourned game, a
 * player who has not asked counts as having left for good, and ranks below all who finish. A bot
 * plays for everybody else who is away. In a game that waits because of downtime, nobody has to
 * ask: a bot plays for all who are away.
 */
#define RESUME_DEADLINE_MS (7 * DAY_MS)

extern const struct table_timer resume_deadline_timer;

/* If the other players wait for the player on this seat, tells that player how much time is left to
 * resume. */
void resume_deadlines_tell_time_left(struct house *house, const struct table *table, int seat,
                                     const struct conn *conn);

/* Makes the deadline later by the downtime, which lasted from `down_since_ms` until now. */
void resume_deadlines_skip_downtime(struct house *house, struct table *table,
                                    int64_t down_since_ms);

/*
 * The stop between two rounds: when a round is over and another follows, the game halts so that
 * people can read the scores (STORAGE_HALT_ROUND). Each person at the table says that
 * they have read them (message `resume`). The stop ends when
 *
 *   - all people who are seated and at the table have said so; people for whom a bot plays do not
 *     count, nor do programs;
 *   - or its deadline passes. It has none as long as somebody plays against bots alone;
 *   - or nobody is at the table any more. If spectators are there who see the game without delay,
 *     the stop then lasts until a deadline.
 *
 * If neither a player nor such a spectator is at the table when a round ends, there is no stop.
 */

extern const struct table_timer round_stop_timer;

/* Begins the stop after a round's last move, if somebody is there to see it. */
void table_halt_begin_round_stop(struct house *house, struct table *table);

/* Closes the table for good, tells everybody there, and removes it from the lobby. A game in
 * progress there ends without a result. */
void table_close(struct house *house, struct table *table);

/* Ends games: their scores, ratings and results. */

/* Makes the `result` message of a finished game. Everybody who enters the table afterwards gets
 * this message. */
void table_finish_make_result(struct house *house, struct table *table);

/* The game at a table, from the deal to the last move. */

/* Begins a game; every seat must be taken. Draws the seed of the deal, and sends the seed's hash
 * (the commitment) before any card. */
void table_game_begin(struct house *house, struct table *table);

/* The two halves of table_game_begin: the first draws table->seed, the second begins the game that
 * this seed deals. */
void table_game_draw_seed(struct house *house, struct table *table);
void table_game_begin_from_seed(struct house *house, struct table *table);

/* Makes a table whose game is over wait for players again. */
void table_game_reopen_table(struct table *table);

/* Deals a new game from the seed in table->seed. Call table_times_read_time_off before it. */
void table_game_deal(struct table *table, int64_t at_ms);

/* Applies a move to the game in memory, without storing or sending it. The turns that follow begin
 * at at_ms. */
enum game_result table_game_apply_move(struct table *table, uint8_t seat, uint8_t move,
                                       int64_t at_ms) MUST_CHECK;

/* Makes a move for the player on this seat: applies, stores and sends it. If it is the last move,
 * finishes the game. `origin` says which connection and request sent the move; NULL for a bot. */
enum game_result table_game_make_move(struct house *house, struct table *table, uint8_t seat,
                                      uint8_t move, const struct storage_move *origin) MUST_CHECK;

/* Lets a player leave the current game for good: a bot gets the player's seat. */
void table_game_leave_for_good(struct house *house, struct table *table, int seat);

/*
 * Halted games: no move is made, no clock runs, no bot plays. There are four kinds of halt.
 *
 * Pause. The game pauses when all present players have asked for it. In a rated game all players
 * with a seat must ask, if a present player's clock runs. Any player ends the pause with /resume.
 *
 * Adjournment. The game is adjourned when all present players have asked for it; in a rated game,
 * all players with a seat. The game goes on when all have asked to resume. A rated game also goes
 * on at a deadline.
 *
 * Wait after the house's downtime. The game waits for the players who were in the house before. It
 * goes on when all of them are back at the same time. An unrated game also goes on when all present
 * players have asked to resume, a rated game at a deadline: a rated game is
 * never lost through a failure of the house, so it waits also for an account whose node died. If
 * the downtime disconnected players of a paused rated game, that game waits for them too.
 *
 * Stop between two rounds, so that people can read the scores. It ends when the people at the table
 * have asked to go on, or at a deadline. During the stop the game can be paused or
 * adjourned: then the pause or adjournment takes the place of the stop.
 *
 * Bots always agree. Turn-by-turn games have vacations instead.
 */

/* After the house's downtime, halts a live game until the players in `awaited` (bit s stands for
 * seat s; at least one bit) are back. */
void table_halt_wait_for_players(struct house *house, struct table *table, uint8_t awaited);

/* Records that the players on these seats have returned, or that the game need not wait for them.
 * This ends the halt if the game has waited for them alone. */
void table_halt_note_players_returned(struct house *house, struct table *table, unsigned seats);

/* Called when all connections that survived a restart have returned; conns_survived is false when
 * no connection survived. Games stop waiting for guests who have not returned, since guests cannot
 * come back later. If connections survived, games also stop waiting for players who had
 * disconnected before the restart. */
void table_halts_stop_waiting_for_lost_players(struct house *house, bool conns_survived);

/* Withdraws the requests of a player who has lost the connection or left for good. */
void table_halt_note_player_gone(struct house *house, struct table *table, int seat);

/* How people enter and leave tables, sit down and stand up, and return after an absence. */

/* Moves the connection to the table; a player with a seat there returns to the game. */
void table_enter(struct house *house, struct conn *conn, struct table *table);

/* Takes the connection out of its table, if any. With `gives_up_seat` (the person leaves on
 * purpose), the person also loses their seat, unless a game has begun or the table is played turn
 * by turn. Without `gives_up_seat` the seat is kept for a while. */
void table_exit(struct house *house, struct conn *conn, bool gives_up_seat);

/* Gives the person an empty seat. */
void table_take_seat(struct house *house, struct table *table, int seat,
                     const struct person *person);

/* Empties a seat while no game runs. If the host sat on it, another player becomes host. */
void table_vacate_seat(struct house *house, struct table *table, int seat);

/* Called when a person has entered the house: puts the person back on all seats that they hold. */
void table_people_return_to_seats(struct house *house, struct person *person);

/* Puts a player back on their seat: a bot that played for them stops. */
void table_return_to_seat(struct house *house, struct table *table, int seat);

/* Records since when the table has been empty. An empty table closes after a while, and at once
 * when nobody who may come back holds a seat in its game. */
void table_people_note_presence(struct house *house, struct table *table);
