#include "lobby/tables/tables.h"

#include "games/history.h"

/* the time in which a player reads a note of two rows */
#define READING_MS 5000

bool table_is_lesson(const struct table *table)
{
    return table->has_game && lesson_has_seed(table->game, table->seed);
}

uint8_t table_find_lesson_move(const struct table *table, int *seat)
{
    const struct lesson_move *next =
        table_is_lesson(table) ? lesson_next_move(table->game, table->moves, table->move_count)
                               : NULL;
    if (next == NULL) {
        return MOVE_NONE;
    }
    *seat = next->seat;
    return game_move_parse(table->game, next->move);
}

int64_t table_lesson_pause_ms(const struct table *table)
{
    int seat;
    bool is_scripted = table_find_lesson_move(table, &seat) != MOVE_NONE;
    return is_scripted && lesson_tells_note_after(table->game, (uint16_t)table->move_count)
               ? READING_MS
               : 0;
}
