#pragma once

struct ui;

/* Ends the session; asks first when a game of one's own is running. */
void screen_quit(struct ui *ui);
