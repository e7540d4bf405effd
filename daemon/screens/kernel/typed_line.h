#pragma once

/* The line in the input line, and what a whole line does. */
struct ui;

/* What stands in the input line now (a question's answer included); borrowed. */
const char *screen_typed(const struct ui *ui);

/* Starts typing with this text, as if the person had typed it: "/tell ada ". */
void screen_type(struct ui *ui, const char *text);

/* Carries out a line as if it had been entered: a command, else chat to whoever is there. */
void screen_enter_line(struct ui *ui, const char *line);
