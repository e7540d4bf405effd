#pragma once

#include <stdbool.h>

/* The chat channel that is open on the lobby's screen. */
struct ui;

/* Returns where a typed chat line goes: "table" at a table, otherwise "lobby" or the open
 * channel. */
const char *screen_chat_recipient(const struct ui *ui);

/* The channel that is open in the lobby: CHAT_LOBBY, or one from CHAT_ROOM on. */
int screen_current_channel(const struct ui *ui);

/* Open a channel: the one with this index, or the next (direction: 1) or previous one (direction:
 * -1). */
void screen_show_channel(struct ui *ui, int channel);
void screen_switch_channel(struct ui *ui, int direction);

/* True if a channel that is not open has unread lines. */
bool screen_channel_has_unread(const struct ui *ui, int channel);
