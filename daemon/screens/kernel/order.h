#pragma once

struct ui;

/* Sends a moderation command (PROTOCOL.md, mod) without its slash, and shows the answer. Asks the
 * person again first if the core requires it. */
void order_send(struct ui *ui, const char *line);
