#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/game.h"

#include <stdio.h>
#include <string.h>

/* Positions and counts are multiples of this, so that many sessions ask for the same rows. */
#define ROWS_STEP 4

/* True if the window that has arrived has all rows that are on the screen. */
static bool rows_cover_list(int first, int count, const struct list *list)
{
    int end = list->top + list->visible;
    return list->top >= first && (end < list->count ? end : list->count) <= first + count;
}

/* Returns how many rows to ask for: those in sight, because the core answers faster than anybody
 * scrolls. If a row was chosen, the core sends the rows around it, wherever it is on the screen. */
static int count_wanted_rows(const struct list *list, bool is_chosen)
{
    int needed = is_chosen ? 2 * list->visible + 1 : list->visible + ROWS_STEP - 1;
    int count = (needed + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
    return count > MODEL_WINDOW_MAX ? MODEL_WINDOW_MAX : count;
}

/* True if the lobby need not ask for another window. */
static bool window_still_fits(const struct lobby_query_window *asked, const struct list *list,
                              bool is_chosen, int first, int count)
{
    return asked->count == count_wanted_rows(list, is_chosen) && asked->is_at_row == is_chosen &&
           rows_cover_list(first, count, list);
}

static void move_window(struct lobby_query_window *asked, const struct list *list, bool is_chosen)
{
    asked->count = count_wanted_rows(list, is_chosen);
    asked->first = list->top / ROWS_STEP * ROWS_STEP;
    asked->is_at_row = is_chosen;
}

json_t *lobby_query_people(struct lobby_query *query, const struct lobby_people *people,
                           const struct model_people *rows)
{
    struct lobby_query_window *asked = &query->people;
    if (!window_still_fits(asked, &people->list, people->is_chosen, rows->first, rows->count)) {
        move_window(asked, &people->list, people->is_chosen);
        snprintf(query->at_person, sizeof query->at_person, "%s",
                 people->is_chosen ? people->selected : "");
    }
    json_t *fields = json_pack("{s:i, s:i}", "first", asked->first, "count", asked->count);
    if (query->at_person[0] != '\0') {
        json_object_set_new(fields, "at", json_string(query->at_person));
    }
    return fields;
}

/* Adds the filter. The core knows the games' English names, so the query names the games whose
 * translated names contain the filter's text. */
static void add_filter(json_t *fields, const char *filter)
{
    json_t *games = json_array();
    for (uint8_t i = 0; i < game_count(); i++) {
        if (strcasestr(_(game_at(i)->title), filter) != NULL) {
            json_array_append_new(games, json_string(game_at(i)->id));
        }
    }
    json_object_set_new(fields, "filter", json_string(filter));
    json_object_set_new(fields, "games", games);
}

json_t *lobby_query_tables(struct lobby_query *query, const struct lobby_tables *tables,
                           const struct model_tables *rows)
{
    struct lobby_query_window *asked = &query->tables;
    bool is_same_list = query->show == tables->show && query->sort == tables->sort &&
                        strcmp(query->filter, tables->filter) == 0;
    if (!is_same_list ||
        !window_still_fits(asked, &tables->list, tables->is_chosen, rows->first, rows->count)) {
        move_window(asked, &tables->list, tables->is_chosen);
        query->at_table = tables->is_chosen ? tables->selected_id : 0;
        query->show = tables->show;
        query->sort = tables->sort;
        snprintf(query->filter, sizeof query->filter, "%s", tables->filter);
    }
    json_t *fields = json_pack("{s:i, s:i}", "first", asked->first, "count", asked->count);
    if (query->at_table != 0) {
        json_object_set_new(fields, "at", json_integer(query->at_table));
    }
    if (query->show != SHOW_ALL) {
        json_object_set_new(fields, "show", json_string(lobby_tables_show_words[query->show]));
    }
    if (query->sort != SORT_USEFUL) {
        json_object_set_new(fields, "sort", json_string(lobby_tables_sort_words[query->sort]));
    }
    if (query->filter[0] != '\0') {
        add_filter(fields, query->filter);
    }
    return fields;
}
