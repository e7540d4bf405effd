#pragma once

#include <stdbool.h>

/* Tells which chat channel is open in the lobby, and switches to another channel. */
struct ui;

/* Returns where a typed chat line goes: "table" at a table, otherwise "lobby" or the open
 * channel. */
const char *screen_chat_recipient(const struct ui *ui);

/* Returns the channel that is open in the lobby: CHAT_LOBBY, or CHAT_ROOM + its index in
 * model.rooms. */
int screen_current_channel(const struct ui *ui);

/* Open a channel: the one with this index, or the next (direction: 1) or previous one (direction:
 * -1). */
void screen_show_channel(struct ui *ui, int channel);
void screen_switch_channel(struct ui *ui, int direction);

/* True if this channel has unread lines; false for the open channel. */
bool screen_channel_has_unread(const struct ui *ui, int channel);
