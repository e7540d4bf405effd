#pragma once

#include "daemon/screens/drawing/draw.h"

/* Draws a text as a QR code for a phone's camera, two modules per character: light modules are
 * drawn, on black if the terminal has colours. */
struct qr;

/* NULL if the text is too long for a QR code, or memory runs out. */
struct qr *qr_new(const char *text);
void qr_free(struct qr *qr); /* Takes NULL. Overwrites the memory, which may contain a secret. */

/* Its size on the screen, including the light margin. */
int qr_rows(const struct qr *qr);
int qr_columns(const struct qr *qr);

/* Paints it with that upper left corner. In ASCII mode it cannot be drawn: do not call this. */
void qr_draw(const struct qr *qr, const struct canvas *canvas, int row, int column);
