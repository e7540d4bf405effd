#include "daemon/screens/table_options.h"

#include "daemon/base/i18n.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

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

void option_clock_write(int32_t clock_s, struct text *out)
{
    char line[120];
    if (clock_s <= 0) {
        text_put(out, _("none"));
        return;
    }
    if (clock_s < 120) {
        snprintf(line, sizeof(line), _("%d seconds a move"), clock_s);
    } else if (clock_s < 7200) {
        snprintf(line, sizeof(line), _("%d minutes a move"), clock_s / 60);
    } else if (clock_s < 86400) {
        snprintf(line, sizeof(line), _("%d hours a move"), clock_s / 3600);
    } else {
        snprintf(line, sizeof(line), "%s", _("one day a move"));
    }
    text_put(out, line);
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
