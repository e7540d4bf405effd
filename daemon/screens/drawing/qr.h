#pragma once

#include "daemon/screens/drawing/draw.h"

/* A text as a picture for a phone's camera (QR code), two modules a character: what is light in it
 * is drawn, on black where the terminal has colours. */
struct qr;

/* NULL when the text is too long for one, or memory is out. */
struct qr *qr_new(const char *text);
void qr_free(struct qr *qr); /* takes NULL; overwrites it, for it may show a secret */

/* What it takes on the screen, its light margin included. */
int qr_rows(const struct qr *qr);
int qr_columns(const struct qr *qr);

/* Paints it with that upper left corner. ASCII has no signs for it: the caller leaves it out. */
void qr_draw(const struct qr *qr, const struct canvas *canvas, int row, int column);
