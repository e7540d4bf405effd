#include "daemon/screens/drawing/draw.h"

#include "daemon/base/base.h"
#include "games/macros.h"

#include <assert.h>
#include <curses.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Characters at one place, in one look. In memory, the characters follow the piece. Pieces are
 * compared by their bytes, so the struct has no gaps. */
struct piece {
    uint32_t attributes;
    int16_t pair;
    int16_t row, column;
    int16_t count;   /* how many characters follow */
    int16_t repeats; /* how often the only character is drawn; 0: all characters are drawn once */
    int16_t unused;  /* 0 */
};
static_assert(sizeof(struct piece) == 16, "a piece has no gaps");

/* The text of a row, as the hash of its pieces. */
struct frame_row {
    uint64_t drawn; /* as the row was drawn into curses; 0: unknown */
    uint64_t now;   /* in this frame */
};

void frame_clear(struct screen_frame *frame)
{
    bytes_clear(&frame->pieces);
    free(frame->list);
}

/* Returns the hash of the bytes, and of what was hashed before. Never 0. */
static uint64_t hash_bytes(uint64_t before, const void *bytes, size_t len)
{
    uint8_t key[crypto_shorthash_KEYBYTES] = {0};
    uint64_t hash = 0;
    memcpy(key, &before, sizeof before);
    (void)crypto_shorthash((uint8_t *)&hash, bytes, len, key);
    return hash == 0 ? 1 : hash;
}

void frame_begin(struct screen_frame *frame, int rows, int columns, struct theme_look look)
{
    if (rows != frame->rows || columns != frame->columns) {
        free(frame->list);
        frame->list = must_allocate((size_t)rows * sizeof *frame->list);
        frame->rows = rows;
        frame->columns = columns;
    }
    frame->look = look;
    frame->pieces.len = 0;
    frame->pieces.max = SIZE_MAX;
    for (int row = 0; row < rows; row++) {
        frame->list[row].now = hash_bytes(0, &look.pair, sizeof look.pair);
    }
}

static void add_piece(struct screen_frame *frame, const struct piece *piece, const wchar_t *text)
{
    size_t start = frame->pieces.len;
    if (!bytes_add(&frame->pieces, piece, sizeof *piece) ||
        !bytes_add(&frame->pieces, text, (size_t)piece->count * sizeof *text)) {
        abort(); /* cannot happen: the buffer has no limit */
    }
    uint64_t *hash = &frame->list[piece->row].now;
    *hash = hash_bytes(*hash, frame->pieces.at + start, frame->pieces.len - start);
}

void frame_put_text(struct screen_frame *frame, int row, int column, struct theme_look look,
                    const wchar_t *text, int count)
{
    const struct piece piece = {look.attributes, look.pair,      (int16_t)row,
                                (int16_t)column, (int16_t)count, .repeats = 0};
    add_piece(frame, &piece, text);
}

void frame_put_repeated(struct screen_frame *frame, int row, int column, struct theme_look look,
                        wchar_t character, int count)
{
    const struct piece piece = {look.attributes, look.pair, (int16_t)row,
                                (int16_t)column, 1,         .repeats = (int16_t)count};
    add_piece(frame, &piece, &character);
}

static bool is_row_changed(const struct frame_row *row)
{
    return row->now != row->drawn;
}

/* Fills the changed rows with blanks. Returns how many there are. */
static int clear_changed_rows(const struct screen_frame *frame)
{
    int count = 0;
    for (int row = 0; row < frame->rows; row++) {
        if (is_row_changed(&frame->list[row])) {
            wmove(newscr, row, 0);
            wclrtoeol(newscr);
            count++;
        }
    }
    return count;
}

static void draw_piece(const struct piece *piece, const wchar_t *text)
{
    attr_t attributes = (attr_t)piece->attributes;
    wattr_set(newscr, attributes, piece->pair, NULL);
    if (piece->repeats == 0) {
        mvwaddnwstr(newscr, piece->row, piece->column, text, piece->count);
        return;
    }
    const wchar_t one[] = {text[0], L'\0'};
    cchar_t character;
    setcchar(&character, one, attributes, piece->pair, NULL);
    mvwhline_set(newscr, piece->row, piece->column, &character, piece->repeats);
}

static void draw_pieces_of_changed_rows(const struct screen_frame *frame)
{
    const char *at = frame->pieces.at;
    const char *end = at + frame->pieces.len;
    while (at < end) {
        const struct piece *piece = (const void *)at;
        const wchar_t *text = (const void *)(at + sizeof *piece);
        if (is_row_changed(&frame->list[piece->row])) {
            draw_piece(piece, text);
        }
        at += sizeof *piece + (size_t)piece->count * sizeof *text;
    }
}

int frame_end(struct screen_frame *frame)
{
    cchar_t blank;
    setcchar(&blank, L" ", A_NORMAL, frame->look.pair, NULL);
    wbkgrndset(newscr, &blank);
    wbkgrndset(stdscr, &blank); /* curses clears the rest of a line in the background of stdscr */
    wattr_set(newscr, A_NORMAL, frame->look.pair, NULL);
    int count = clear_changed_rows(frame);
    if (count > 0) {
        draw_pieces_of_changed_rows(frame);
    }
    for (int row = 0; row < frame->rows; row++) {
        frame->list[row].drawn = frame->list[row].now;
    }
    bytes_clear(&frame->pieces); /* an idle screen keeps no pieces */
    return count;
}
