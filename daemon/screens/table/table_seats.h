#pragma once

#include "daemon/screens/table/table_scene.h"

/* Draws the seats around the table. */

/* True if another seat has cards, or marks on cards, that the view shows. */
bool scene_has_open_hands(const struct scene *scene);

/* Parts of a scene. scene_put_separator writes the separator between facts, but nothing at the
 * beginning of a text. scene_seat_took_trick returns whether a seat took the held trick.
 * scene_draw_seats draws only the players. */
void scene_put_separator(const struct scene *scene, struct text *out);
bool scene_seat_took_trick(const struct scene *scene, uint8_t seat);
void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene);
