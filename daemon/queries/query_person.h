#ifndef DAEMON_QUERIES_QUERY_PERSON_H
#define DAEMON_QUERIES_QUERY_PERSON_H

#include "daemon/queries/query.h"
#include "lobby/protocol/rows.h"

/* What queries say alike of people and of the games they have played. */

/* "lobby", "plays at #7". */
void query_person_where(const struct person_row *person, char *out, size_t size);

/* "1583", "1551?" when provisional, "-" when unknown. */
void query_person_rating(const struct person_row *person, char *out, size_t size);

/* "admin", "guest", "bot"; "" for a player. */
const char *query_person_kind(const struct person_row *person);

/* The rows of `games` that name one's own, newest first. */
void query_person_games(const json_t *rows, const char *name, struct lines *lines);

/* A profile's games in numbers, a row each: place, R, games and the rest. Nothing without any. */
void query_person_standings(const json_t *games, struct lines *lines);

#endif
