#pragma once

#include "daemon/screens/drawing/list.h"
#include "daemon/screens/kernel/screen.h"

/* The lobby's pane of people. */

struct lobby_people {
    struct list list;
    bool is_chosen; /* the person has selected a row; until then the first row stays selected */
    char selected[MODEL_NAME_MAX];
    uint16_t
        order[MODEL_PEOPLE_MAX]; /* the shown people, as indices in model->people: friends first */
};

void lobby_people_update_rows(struct lobby_people *people, const struct model *model);
const struct person_row *lobby_people_find_selected_person(const struct lobby_people *people,
                                                           const struct model *model);
void lobby_people_remember_selected_person(struct lobby_people *people, const struct model *model);
void lobby_people_draw(struct lobby_people *people, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active);
