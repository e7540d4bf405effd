#pragma once

#include "daemon/screens/drawing/list.h"
#include "daemon/screens/kernel/screen.h"

/* The lobby's pane of people. */

struct lobby_people {
    struct list list; /* positions in the whole list */
    bool is_chosen;   /* the person has selected a row; until then the first row stays selected */
    char selected[MODEL_NAME_MAX]; /* "": the selected row has not arrived yet */
};

/* Keeps the same person selected while the list changes. Called before the list is drawn. */
void lobby_people_update_rows(struct lobby_people *people, const struct model_people *rows);

/* Returns the selected person; NULL if there is none or the row has not arrived yet. */
const struct person_row *lobby_people_find_selected_person(const struct lobby_people *people,
                                                           const struct model_people *rows);

/* Remembers who is selected. Called after the list's cursor has moved. */
void lobby_people_remember_selected_person(struct lobby_people *people,
                                           const struct model_people *rows);

void lobby_people_draw(struct lobby_people *people, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active);
