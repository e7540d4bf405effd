#pragma once

struct ui;

/* Sends a moderation command (PROTOCOL.md, mod), without its slash, and shows the answer; asks when
 * the core wants it confirmed. */
void order_send(struct ui *ui, const char *line);
