#pragma once

struct ui;

/* Ends the session; asks first during a game of one's own. */
void screen_quit(struct ui *ui);
