#pragma once

#include "daemon/screens/table/table_scene.h"

/* Draws the seats around the table. */

/* True if at least one hand is drawn beside its player's name, because the view shows some of its
 * cards or marks on them. */
bool scene_has_open_hands(const struct scene *scene);

/* These functions draw parts of a scene. scene_put_separator writes the separator between two
 * facts; it writes nothing if `out` is empty. scene_seat_took_trick returns whether the seat took
 * the finished trick that is still shown. scene_draw_seats draws the players without their trick
 * cards. */
void scene_put_separator(const struct scene *scene, struct text *out);
bool scene_seat_took_trick(const struct scene *scene, uint8_t seat);
void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene);
