#include "tests/bench/load/screen_text.h"

#include <stdio.h>
#include <string.h>

static void add_char(struct screen_text *screen, char byte)
{
    if (screen->len == SCREEN_TEXT_MAX - 1) {
        const size_t half = SCREEN_TEXT_MAX / 2;
        memmove(screen->text, screen->text + half, screen->len - half);
        screen->len -= half;
    }
    screen->text[screen->len++] = byte;
    screen->text[screen->len] = '\0';
}

static void add_to_title(struct screen_text *screen, char byte)
{
    if (byte == '\a' || byte == '\033') {
        screen->next_title[screen->title_len] = '\0';
        /* "2;" stands before the title */
        if (strncmp(screen->next_title, "2;", 2) == 0 ||
            strncmp(screen->next_title, "0;", 2) == 0) {
            snprintf(screen->title, sizeof(screen->title), "%s", screen->next_title + 2);
        }
        screen->state = byte == '\a' ? SCREEN_PLAIN : SCREEN_SKIP;
    } else if (screen->title_len < SCREEN_TITLE_MAX - 1) {
        screen->next_title[screen->title_len++] = byte;
    }
}

static void begin_escape(struct screen_text *screen, char byte)
{
    screen->title_len = 0;
    switch (byte) {
    case '[':
        screen->state = SCREEN_CSI;
        break;
    case ']':
        screen->state = SCREEN_OSC;
        break;
    case '(':
    case ')':
        screen->state = SCREEN_SKIP;
        break;
    default:
        screen->state = SCREEN_PLAIN;
    }
}

static void add_byte(struct screen_text *screen, char byte)
{
    switch (screen->state) {
    case SCREEN_PLAIN:
        if (byte == '\033') {
            screen->state = SCREEN_ESCAPE;
        } else if (byte == '\r' || byte == '\n') {
            add_char(screen, '\n');
        } else if ((unsigned char)byte >= ' ') {
            add_char(screen, byte);
        }
        break;
    case SCREEN_ESCAPE:
        begin_escape(screen, byte);
        break;
    case SCREEN_CSI:
        if (byte >= '@' && byte <= '~') {
            screen->state = SCREEN_PLAIN;
            if (strchr("ABCDEFGHdf", byte) != NULL) {
                add_char(screen, '\n');
            }
        }
        break;
    case SCREEN_OSC:
        add_to_title(screen, byte);
        break;
    case SCREEN_SKIP:
        screen->state = SCREEN_PLAIN;
    }
}

void screen_text_add(struct screen_text *screen, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        add_byte(screen, bytes[i]);
    }
}

void screen_text_forget(struct screen_text *screen)
{
    screen->len = 0;
    screen->text[0] = '\0';
}
