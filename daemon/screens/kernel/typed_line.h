#pragma once

/* Reads and sets the text of the input line, and carries out whole lines. */
struct ui;

/* Returns the current text of the input line, which may be the unfinished answer to a question;
 * borrowed. */
const char *screen_typed_text(const struct ui *ui);

/* Puts a text into the input line, as if the person had begun to type it: "/tell ada ". */
void screen_begin_typing(struct ui *ui, const char *text);

/* Carries out a line as if the person had entered it: as a command, otherwise as chat. */
void screen_carry_out_line(struct ui *ui, const char *line);
