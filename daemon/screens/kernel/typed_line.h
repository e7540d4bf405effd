#pragma once

/* The text of the input line, and how a whole line is carried out. */
struct ui;

/* The current text of the input line (also a question's answer); borrowed. */
const char *screen_typed_text(const struct ui *ui);

/* Starts typing with this text, as if the person had typed it: "/tell ada ". */
void screen_begin_typing(struct ui *ui, const char *text);

/* Carries out a line as if it had been entered: a command, otherwise chat. */
void screen_carry_out_line(struct ui *ui, const char *line);
