#include "games/game.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

struct phrase_arg arg_of_points(int32_t points)
{
    return (struct phrase_arg){.type = ARG_POINTS, .number = points};
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

struct phrase_arg arg_of_seats(uint8_t seats)
{
    return (struct phrase_arg){.type = ARG_SEATS, .number = seats};
}

struct phrase_arg arg_of_slots(uint16_t slots)
{
    return (struct phrase_arg){.type = ARG_SLOTS, .number = slots};
}

void phrase_put_inner(struct phrase *phrase, uint8_t index, const struct phrase *inner)
{
    uint8_t count = 0;
    while (count < PHRASE_ARGS_MAX - 1 - index && inner->args[count].type != ARG_NONE) {
        phrase->args[index + 1 + count] = inner->args[count];
        count++;
    }
    phrase->args[index] = (struct phrase_arg){
        .type = ARG_PHRASE, .number = count, .words = inner->format, .own = inner->own};
}

struct phrase phrase_get_inner(const struct phrase_arg *arg)
{
    struct phrase inner = {.format = NULL};
    if (arg->type == ARG_PHRASE) {
        inner.format = arg->words;
        inner.own = arg->own;
        memcpy(inner.args, arg + 1, (size_t)arg->number * sizeof(*arg));
    }
    return inner;
}

/* Whether the argument is a seat, or several seats, and the reader is among them. */
static bool names_reader(const struct phrase_arg *arg, int8_t reader)
{
    return reader >= 0 &&
           (arg->type == ARG_SEAT ? arg->number == reader : (arg->number >> reader & 1) != 0);
}

const char *phrase_choose_format(const struct phrase *phrase, int8_t reader)
{
    const char *own_formats[] = {phrase->own, phrase->own_other};
    size_t seats = 0;
    for (uint8_t i = 0; i < PHRASE_ARGS_MAX && seats < 2; i++) {
        const struct phrase_arg *arg = &phrase->args[i];
        if (arg->type != ARG_SEAT && arg->type != ARG_SEATS) {
            continue;
        }
        if (own_formats[seats] != NULL && names_reader(arg, reader)) {
            return own_formats[seats];
        }
        seats++;
    }
    return phrase->format;
}

/* If the text begins with a placeholder such as "{0}", returns the argument; otherwise NULL. */
static const struct phrase_arg *find_argument(const struct phrase *phrase, const char *text)
{
    if (text[0] != '{' || text[1] < '0' || text[1] >= '0' + PHRASE_ARGS_MAX || text[2] != '}') {
        return NULL;
    }
    return &phrase->args[text[1] - '0'];
}

/* If the text begins with a placeholder such as "{0:trick|tricks}", writes the word that goes with
 * the number and returns the text after the placeholder; otherwise returns NULL. */
static const char *write_word_for_number(const struct phrase *phrase, const char *text,
                                         struct text *out)
{
    if (text[0] != '{' || text[1] < '0' || text[1] >= '0' + PHRASE_ARGS_MAX || text[2] != ':') {
        return NULL;
    }
    int32_t number = phrase->args[text[1] - '0'].number;
    bool is_wanted = number == 1 || number == -1;
    for (text += 3; *text != '}'; text++) {
        if (*text == '\0') {
            return NULL;
        }
        if (*text == '|') {
            is_wanted = !is_wanted;
        } else if (is_wanted) {
            text_put_char(out, *text);
        }
    }
    return text + 1;
}

void phrase_write(const struct phrase *phrase, const char *format, phrase_writer *write_argument,
                  void *context, struct text *out)
{
    for (const char *c = format; *c != '\0';) {
        const struct phrase_arg *arg = find_argument(phrase, c);
        const char *after_words = arg == NULL ? write_word_for_number(phrase, c, out) : NULL;
        if (after_words != NULL) {
            c = after_words;
            continue;
        }
        if (arg == NULL) {
            text_put_char(out, *c++);
            continue;
        }
        if (arg->type == ARG_NUMBER || arg->type == ARG_POINTS) {
            text_put(out, arg->type == ARG_POINTS && arg->number > 0 ? "+" : "");
            text_put_number(out, arg->number);
        } else if (arg->type != ARG_NONE) {
            write_argument(context, arg, out);
        }
        c += 3;
    }
}
