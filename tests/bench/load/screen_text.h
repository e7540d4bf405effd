#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SCREEN_TEXT_MAX 4096
#define SCREEN_TITLE_MAX 64

/* The words in what a server sends to a terminal, without the escape sequences between them. A move
 * of the cursor becomes a newline. The oldest text is forgotten. */
struct screen_text {
    char text[SCREEN_TEXT_MAX]; /* NUL-terminated */
    size_t len;
    char title[SCREEN_TITLE_MAX]; /* the window's title, as set last */
    char next_title[SCREEN_TITLE_MAX];
    size_t title_len;
    enum {
        SCREEN_PLAIN,
        SCREEN_ESCAPE,
        SCREEN_CSI,
        SCREEN_OSC,
        SCREEN_SKIP
    } state;
};

void screen_text_add(struct screen_text *screen, const char *bytes, size_t len);

/* Forgets the text, but not the title. */
void screen_text_forget(struct screen_text *screen);
