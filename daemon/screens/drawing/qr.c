#include "daemon/screens/drawing/draw.h"

#include <qrencode.h>
#include <stdlib.h>
#include <string.h>

/* The width of the light margin, in modules (the squares of a QR code). The standard requires four,
 * which may not fit the screen; cameras can read a code with two. */
#define MARGIN 2
#define SIDE_MAX 177

struct qr {
    int side; /* number of modules (squares) along each side of the code, without the margin */
    unsigned char dark[];
};

struct qr *qr_new(const char *text)
{
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (code == NULL) {
        return NULL;
    }
    size_t modules = (size_t)code->width * (size_t)code->width;
    struct qr *qr = malloc(sizeof *qr + modules);
    for (size_t i = 0; qr != NULL && i < modules; i++) {
        qr->dark[i] = code->data[i] & 1;
    }
    if (qr != NULL) {
        qr->side = code->width;
    }
    explicit_bzero(code->data, modules);
    QRcode_free(code);
    return qr;
}

void qr_free(struct qr *qr)
{
    if (qr != NULL) {
        explicit_bzero(qr->dark, (size_t)qr->side * (size_t)qr->side);
        free(qr);
    }
}

int qr_rows(const struct qr *qr)
{
    return (qr_columns(qr) + 1) / 2;
}

int qr_columns(const struct qr *qr)
{
    return qr->side + 2 * MARGIN;
}

/* True if the module at that row and column is light, as all modules outside the code are. */
static bool is_light_module(const struct qr *qr, int row, int column)
{
    int y = row - MARGIN, x = column - MARGIN;
    bool is_inside = y >= 0 && x >= 0 && y < qr->side && x < qr->side;
    return is_inside ? qr->dark[y * qr->side + x] == 0 : row < qr_columns(qr);
}

void qr_draw(const struct qr *qr, const struct canvas *canvas, int row, int column)
{
    static const char *const halves[] = {" ", "▄", "▀", "█"};
    char line[(SIDE_MAX + 2 * MARGIN) * 3 + 1];
    struct theme white_on_black = *canvas->theme;
    white_on_black.kind = THEME_CONTRAST; /* the high-contrast theme draws on black, because the
                                             terminal's own colours may be inverted */
    const struct canvas sure = {canvas->frame, &white_on_black, canvas->body};
    for (int i = 0; i < qr_rows(qr); i++) {
        struct text out = text_init(line, sizeof line);
        for (int x = 0; x < qr_columns(qr); x++) {
            text_put(&out, halves[(is_light_module(qr, 2 * i, x) ? 2 : 0) +
                                  is_light_module(qr, 2 * i + 1, x)]);
        }
        draw_text(&sure, row + i, column, qr_columns(qr), STYLE_PLAIN, line);
    }
}
