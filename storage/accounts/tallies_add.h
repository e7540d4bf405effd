#pragma once

/* Inside storage/ only: the end of an insertion into `tallies` that adds the new row to the one
 * that is there for the same player, game, span and number of players. */
#define TALLIES_ADD_UP                                                                             \
    " ON CONFLICT (account, game, span, players) DO UPDATE SET last_ms = CASE"                     \
    " WHEN tallies.last_ms > excluded.last_ms THEN tallies.last_ms ELSE excluded.last_ms END,"     \
    " games = tallies.games + excluded.games, wins = tallies.wins + excluded.wins,"                \
    " place_sum = tallies.place_sum + excluded.place_sum,"                                         \
    " stat_hits = tallies.stat_hits + excluded.stat_hits,"                                         \
    " stat_chances = tallies.stat_chances + excluded.stat_chances,"                                \
    " finished = tallies.finished + excluded.finished,"                                            \
    " \"left\" = tallies.\"left\" + excluded.\"left\""
