#pragma once

#include "daemon/screens/lobby/lobby_panes.h"

/* The lobby's pane of people. */

void lobby_people_update(struct lobby_people *people, const struct model *model);
const struct person_row *lobby_people_find_selected(const struct lobby_people *people,
                                                    const struct model *model);
void lobby_people_remember_selected(struct lobby_people *people, const struct model *model);
void lobby_people_draw(struct lobby_people *people, const struct canvas *canvas,
                       const struct area *area, const struct model *model, int64_t now_ms,
                       bool is_active);
