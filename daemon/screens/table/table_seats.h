#pragma once

#include "daemon/screens/table/table_scene.h"

/* Draws the seats around the table. */

/* Returns how many rows the seats at the top of the layout need for all their content; 0 if there
 * are none. */
int scene_count_top_rows(const struct scene *scene, const struct table_layout *layout);

/* Returns the places of a list whose facts do not fit one line: bit i for place i. */
uint8_t scene_find_wide_places(const struct scene *scene, const struct table_layout *layout);

/* These functions draw parts of a scene. scene_put_separator writes the separator between two
 * facts; it writes nothing if `out` is empty. scene_seat_took_trick returns whether the seat took
 * the finished trick that is still shown; scene_must_seat_act, whether its turn is shown: beside a
 * finished trick, only the viewer's own. scene_draw_seats draws the players without their trick
 * cards. */
void scene_put_separator(const struct scene *scene, struct text *out);
bool scene_must_seat_act(const struct scene *scene, uint8_t seat);
bool scene_seat_took_trick(const struct scene *scene, uint8_t seat);
void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene);
