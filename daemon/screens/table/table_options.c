#include "daemon/screens/table/table_options.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/model/said.h"
#include "lobby/protocol/clock_types.h"

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

size_t option_clock_count(void)
{
    size_t count = 0;
    for (unsigned kind = 0; kind <= CLOCK_KIND_LAST; kind++) {
        count += clock_type_of((enum clock_kind)kind)->offer_count;
    }
    return count;
}

const struct clock_rule *option_clock_at(size_t index)
{
    for (unsigned kind = 0; kind <= CLOCK_KIND_LAST; kind++) {
        const struct clock_type *type = clock_type_of((enum clock_kind)kind);
        if (index < type->offer_count) {
            return &type->offers[index];
        }
        index -= type->offer_count;
    }
    return NULL;
}

size_t option_clock_index(const struct clock_rule *clock)
{
    size_t index = 0;
    const struct clock_rule *offer;
    while ((offer = option_clock_at(index)) != NULL && !clock_rule_is_same(offer, clock)) {
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
    char line[LINE_BYTES], span[SPAN_BYTES];
    const struct clock_type *type = clock_type_of(clock->kind);
    json_t *sentence = json_pack("[s]", type->sentence);
    if (type->time_key != NULL) {
        option_span_write(clock->time_s, span, sizeof(span));
        (void)json_array_append_new(sentence, json_string(span));
    }
    if (type->increment_key != NULL) {
        option_span_write(clock->increment_s, span, sizeof(span));
        (void)json_array_append_new(sentence, json_string(span));
    }
    json_t *message = json_pack("{s:o}", "say", sentence);
    said_translate(message, "text", line, sizeof(line));
    json_decref(message);
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

static void fit_rating_write(const struct eligibility *fit, struct text *out)
{
    if (fit->rating_max == 0) {
        text_format(out, _("rating %d-"), fit->rating_min);
    } else if (fit->rating_min == 0) {
        text_format(out, _("rating -%d"), fit->rating_max);
    } else {
        text_format(out, _("rating %d-%d"), fit->rating_min, fit->rating_max);
    }
}

void option_fit_write(const struct eligibility *fit, struct text *out)
{
    bool has_rating = fit->rating_min != 0 || fit->rating_max != 0;
    if (!eligibility_has_conditions(fit)) {
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
