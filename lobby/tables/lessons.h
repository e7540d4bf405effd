#pragma once

#include "lobby/tables/tables_state.h"

/* Lessons: guided first games against bots (games/lesson.h). Only the player sees the table. A
 * table is a lesson as long as its game has the seed of the game's lesson; a rematch is an ordinary
 * game. */
bool table_is_lesson(const struct table *table);

/* The scripted move after the moves made so far; MOVE_NONE when the game does not follow the script
 * of a lesson. Sets *seat to the seat that makes it. */
uint8_t table_find_lesson_move(const struct table *table, int *seat);

/* Milliseconds that a bot waits longer with the scripted move, because the player is told something
 * before it; 0 at other tables and without a scripted move. */
int64_t table_lesson_pause_ms(const struct table *table);
