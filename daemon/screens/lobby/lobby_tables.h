#pragma once

#include "daemon/screens/lobby/lobby_panes.h"

/* The lobby's pane of tables. */

/* Sorts the rows that pass the filter, and finds the selected one again. */
void lobby_tables_update(struct lobby_tables *tables, const struct model *model);

/* Returns the selected table; NULL if there is none. */
const struct table_row *lobby_tables_find_selected(const struct lobby_tables *tables,
                                                   const struct model *model);

/* Remembers the row under the list's cursor, after it moved. */
void lobby_tables_remember_selected(struct lobby_tables *tables, const struct model *model);

/* Returns the translated name of a sort order, or of a choice of tables (enum table_show). */
const char *lobby_tables_sort_title(uint8_t sort);
const char *lobby_tables_show_title(uint8_t show);

void lobby_tables_draw(struct lobby_tables *tables, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active);
