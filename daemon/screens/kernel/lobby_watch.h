#pragma once

struct ui;

/* Tells the core which rows of the lobby the top screen shows, if that has changed. Called after
 * each frame. */
void ui_watch_lobby(struct ui *ui);

/* The core has forgotten what this session watches: the next frame tells it again. */
void ui_forget_watched_lobby(struct ui *ui);
