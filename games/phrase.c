#include "games/phrase.h"

#include <stdbool.h>
#include <stddef.h>

struct phrase phrase_absent(void)
{
    return (struct phrase){.format = NULL};
}

struct phrase phrase_without_args(const char *format)
{
    return (struct phrase){.format = format};
}

struct phrase_arg arg_of_number(int32_t number)
{
    return (struct phrase_arg){.type = ARG_NUMBER, .number = number};
}

struct phrase_arg arg_of_card(uint8_t card)
{
    return (struct phrase_arg){.type = ARG_CARD, .number = card};
}

struct phrase_arg arg_of_suit(uint8_t suit)
{
    return (struct phrase_arg){.type = ARG_SUIT, .number = suit};
}

struct phrase_arg arg_of_seat(uint8_t seat)
{
    return (struct phrase_arg){.type = ARG_SEAT, .number = seat};
}

struct phrase_arg arg_of_words(const char *words)
{
    return (struct phrase_arg){.type = ARG_WORDS, .words = words};
}

/* The argument for the placeholder "{0}" at c; NULL when no placeholder is there. */
static const struct phrase_arg *find_argument(const struct phrase *phrase, const char *c)
{
    if (c[0] != '{' || c[1] < '0' || c[1] >= '0' + PHRASE_ARGS_MAX || c[2] != '}') {
        return NULL;
    }
    return &phrase->args[c[1] - '0'];
}

/* For "{0:trick|tricks}" at c: finds the word that goes with the number. Returns the text after the
 * placeholder, or NULL when no such placeholder is there. */
static const char *write_fitting_words(const struct phrase *phrase, const char *c, struct text *out)
{
    if (c[0] != '{' || c[1] < '0' || c[1] >= '0' + PHRASE_ARGS_MAX || c[2] != ':') {
        return NULL;
    }
    int32_t number = phrase->args[c[1] - '0'].number;
    bool is_wanted = number == 1 || number == -1;
    for (c += 3; *c != '}'; c++) {
        if (*c == '\0') {
            return NULL;
        }
        if (*c == '|') {
            is_wanted = !is_wanted;
        } else if (is_wanted) {
            text_put_char(out, *c);
        }
    }
    return c + 1;
}

void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write,
                  void *context, struct text *out)
{
    for (const char *c = format; *c != '\0';) {
        const struct phrase_arg *arg = find_argument(phrase, c);
        const char *after_words = arg == NULL ? write_fitting_words(phrase, c, out) : NULL;
        if (after_words != NULL) {
            c = after_words;
            continue;
        }
        if (arg == NULL) {
            text_put_char(out, *c++);
            continue;
        }
        if (arg->type == ARG_NUMBER) {
            text_put_number(out, arg->number);
        } else if (arg->type != ARG_NONE) {
            write(context, arg, out);
        }
        c += 3;
    }
}
