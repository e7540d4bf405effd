#include "tests/bench/load/house_play.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct house_play house_play = {
    .marker = "Play against bots",
    .enter = "q",
    .before_echo = "c",
    .echo_key = "Z",
    .after_echo = "\x15",
    .before_chat = "c",
    .after_chat = "\r",
    .open_table = "/seek oh-hell 4\r",
    .before_table = "/sit ",
    .after_table = "\r",
    .start = "/start\r",
    .redraw = "\x0c",
    .go_on = "\r",
    .turn = "* your turn",
};

int house_play_find_table(const char *text)
{
    /* "#12 Oh Hell, about to begin" */
    for (const char *at = text; (at = strstr(at, " Oh Hell, about")) != NULL; at++) {
        const char *begin = at;
        while (begin > text && isdigit((unsigned char)begin[-1])) {
            begin--;
        }
        if (begin < at && begin > text && begin[-1] == '#') {
            return (int)strtol(begin, NULL, 10);
        }
    }
    return 0;
}

/* Returns the first key of a hint such as "8-9 0", which ends where `end` points, or 0. */
static char read_first_key(const char *text, const char *end)
{
    const char *begin = end;
    while (begin > text && (isdigit((unsigned char)begin[-1]) ||
                            isupper((unsigned char)begin[-1]) || strchr("- ", begin[-1]) != NULL)) {
        begin--;
    }
    while (begin < end && !isalnum((unsigned char)*begin)) {
        begin++;
    }
    return begin < end ? *begin : '\0';
}

char house_play_find_move(const char *text)
{
    /* The last row: "8-9 0 play  s scores" or "0-10 choose  s scores". */
    static const char *const words[] = {" play ", " choose "};
    char key = '\0';
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && key == '\0'; i++) {
        for (const char *at = text; (at = strstr(at, words[i])) != NULL; at++) {
            char found = read_first_key(text, at);
            key = found != '\0' ? found : key;
        }
    }
    return key;
}
