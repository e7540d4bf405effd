#pragma once

#include <stdbool.h>

/* Which chat channel is open. */
struct ui;

/* Who receives what is said: "table" when a table is entered, else "lobby" or the open channel. */
const char *screen_audience(const struct ui *ui);

/* The channel open in the lobby: CHAT_LOBBY, or one from CHAT_ROOM on. */
int screen_room(const struct ui *ui);

/* Opens a channel; opens the next one (by: 1) or the one before (by: -1). */
void screen_show_room(struct ui *ui, int channel);
void screen_step_room(struct ui *ui, int by);

/* Whether a channel that is not open has lines nobody has seen. */
bool screen_room_has_news(const struct ui *ui, int channel);
