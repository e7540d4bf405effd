#include "daemon/screens/table/table_options.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SPAN_BYTES 60
#define LINE_BYTES 200
#define POLICY_BYTES 120

void option_write(const struct option_def *option, uint8_t index, struct text *out)
{
    const struct option_value *value = &option->values[index < option->value_count ? index : 0];
    if (value->title != NULL) {
        text_put(out, _(value->title));
    } else if (value->word != NULL) {
        text_put(out, value->word);
    } else {
        text_put_number(out, value->number);
    }
}

static const struct clock_rule option_clocks[OPTION_CLOCKS] = {
    {CLOCK_NONE, 0, 0},
    {CLOCK_MOVE, 15, 0},
    {CLOCK_MOVE, 30, 0},
    {CLOCK_MOVE, 60, 0},
    {CLOCK_MOVE, 120, 0},
    {CLOCK_MOVE, 300, 0},
    {CLOCK_BANK, 300, 3},
    {CLOCK_BANK, 600, 5},
    {CLOCK_BANK, 1200, 10},
    {CLOCK_DAYS, CLOCK_DAY_S, 0},
    {CLOCK_DAYS, 2 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, 3 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, 7 * CLOCK_DAY_S, 0},
    {CLOCK_DAYS, 14 * CLOCK_DAY_S, 0},
};

const struct clock_rule *option_clock_at(size_t index)
{
    return index < OPTION_CLOCKS ? &option_clocks[index] : NULL;
}

size_t option_clock_index(const struct clock_rule *clock)
{
    size_t index = 0;
    while (index < OPTION_CLOCKS && !clock_rule_is_same(&option_clocks[index], clock)) {
        index++;
    }
    return index;
}

/* "10 minutes", in the largest unit that is exact. */
static void option_span_write(uint32_t seconds, char *line, size_t size)
{
    unsigned count = seconds;
    if (seconds >= CLOCK_DAY_S && seconds % CLOCK_DAY_S == 0) {
        count = seconds / CLOCK_DAY_S;
        snprintf(line, size, ngettext("%u day", "%u days", count), count);
    } else if (seconds >= 7200 && seconds % 3600 == 0) {
        count = seconds / 3600;
        snprintf(line, size, ngettext("%u hour", "%u hours", count), count);
    } else if (seconds >= 120 && seconds % 60 == 0) {
        count = seconds / 60;
        snprintf(line, size, ngettext("%u minute", "%u minutes", count), count);
    } else {
        snprintf(line, size, ngettext("%u second", "%u seconds", count), count);
    }
}

void option_clock_write(const struct clock_rule *clock, struct text *out)
{
    char line[LINE_BYTES], span[SPAN_BYTES], more[SPAN_BYTES];
    option_span_write(clock->time_s, span, sizeof(span));
    option_span_write(clock->increment_s, more, sizeof(more));
    switch (clock->kind) {
    case CLOCK_NONE:
        text_put(out, _("none"));
        return;
    case CLOCK_BANK:
        snprintf(line, sizeof(line), _("%s in all, %s more after each move"), span, more);
        break;
    case CLOCK_DAYS:
        snprintf(line, sizeof(line), _("turn by turn: %s a move"), span);
        break;
    case CLOCK_MOVE:
        snprintf(line, sizeof(line), _("%s a move"), span);
        break;
    }
    text_put(out, line);
}

static void option_policy_write(const struct watch_rule *watch, struct text *out)
{
    char line[LINE_BYTES];
    switch (watch->policy) {
    case WATCH_PUBLIC:
        text_put(out, _("everybody"));
        break;
    case WATCH_DELAY:
        snprintf(line, sizeof(line),
                 ngettext("everybody, %u move behind", "everybody, %u moves behind", watch->moves),
                 watch->moves);
        text_put(out, watch->moves > 0 ? line : _("everybody, a round behind"));
        break;
    case WATCH_FRIENDS:
        text_put(out, _("friends of the players"));
        break;
    case WATCH_NONE:
        text_put(out, _("nobody"));
        break;
    }
}

void option_watch_write(const struct watch_rule *watch, struct text *out)
{
    char words[POLICY_BYTES];
    struct text policy = text_init(words, sizeof words);
    option_policy_write(watch, &policy);
    text_format(out,
                watch->policy == WATCH_NONE || watch->talk == WATCH_TALK_ALL ? "%s"
                : watch->talk == WATCH_TALK_OFF ? _("%s; they do not talk")
                                                : _("%s; the players do not hear them"),
                words);
}

static void fit_rating_write(const struct fit_rule *fit, struct text *out)
{
    if (fit->rating_max == 0) {
        text_format(out, _("rating %d-"), fit->rating_min);
    } else if (fit->rating_min == 0) {
        text_format(out, _("rating -%d"), fit->rating_max);
    } else {
        text_format(out, _("rating %d-%d"), fit->rating_min, fit->rating_max);
    }
}

void option_fit_write(const struct fit_rule *fit, struct text *out)
{
    bool has_rating = fit->rating_min != 0 || fit->rating_max != 0;
    if (!fit_rule_asks(fit)) {
        text_put(out, _("all"));
    }
    if (has_rating) {
        fit_rating_write(fit, out);
    }
    if (fit->finished_min != 0) {
        text_put(out, has_rating ? " " : "");
        text_format(out, _("finished %u%%"), fit->finished_min);
    }
}

static bool begins(const char *name, const char *text)
{
    return name != NULL && text[0] != '\0' && strncasecmp(name, text, strlen(text)) == 0;
}

int option_game_read(const char *text)
{
    int found = -1;
    for (uint8_t i = game_count(); i-- > 0;) {
        if (begins(game_at(i)->id, text) || begins(_(game_at(i)->title), text)) {
            found = i;
        }
    }
    return found;
}

int option_read(const struct option_def *option, const char *text)
{
    int found = -1;
    for (uint8_t i = option->value_count; i-- > 0;) {
        char title[120];
        struct text out = text_init(title, sizeof(title));
        option_write(option, i, &out);
        bool is_whole =
            strcasecmp(title, text) == 0 ||
            (option->values[i].word != NULL && strcasecmp(option->values[i].word, text) == 0);
        if (is_whole) {
            return i;
        }
        if (begins(title, text) || begins(option->values[i].word, text)) {
            found = i;
        }
    }
    return found;
}
