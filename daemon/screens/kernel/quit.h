#pragma once

struct ui;

/* Ends the session. During a game that needs the person, asks first. */
void screen_quit(struct ui *ui);
