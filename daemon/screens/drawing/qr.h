#pragma once

#include "daemon/screens/drawing/draw.h"

/* Draws a text as a QR code for a phone's camera. One character shows two modules (squares of the
 * code). Light modules are drawn as blocks on the dark background. */
struct qr;

/* Encodes a text. NULL if it is too long for a QR code, or memory runs out. */
struct qr *qr_new(const char *text);
void qr_free(struct qr *qr); /* Overwrites the memory, which may contain a secret, and frees it.
                                Does nothing for NULL. */

/* The size of the QR code on the screen, including its light margin. */
int qr_rows(const struct qr *qr);
int qr_columns(const struct qr *qr);

/* Draws the QR code with its upper left corner at `row`, `column`. ASCII mode cannot draw it. */
void qr_draw(const struct qr *qr, const struct canvas *canvas, int row, int column);
