#pragma once

/* Reads and sets the text of the input line, and carries out whole lines. */
struct ui;

/* Returns the current text of the input line, which may be the unfinished answer to a question;
 * borrowed. */
const char *screen_typed_text(const struct ui *ui);

/* Puts a text into the input line, as if the person had begun to type it: "/tell ada ". */
void screen_begin_typing(struct ui *ui, const char *text);

/* Carries out a line as if the person had entered it: as a command, as whatever an open screen
 * makes of it (struct screen, catches_line), otherwise as chat. */
void screen_carry_out_line(struct ui *ui, const char *line);

/* Says a text where the person is, whatever it consists of. */
void screen_say(struct ui *ui, const char *text);
