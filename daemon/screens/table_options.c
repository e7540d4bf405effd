#include "daemon/screens/table_options.h"

#include "daemon/base/i18n.h"

#include <stdio.h>

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
