#include "daemon/config/config.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <string.h>

static const struct config_setting settings[] = {
#define SETTING(section_, key_, value_, help_)                                                     \
    .section = #section_, .key = #key_, .value = (value_), .help = (help_),                        \
    .offset = offsetof(struct config, section_##_##key_)
#define CONFIG_NUMBER(section_, key_, value_, min_, max_, unit_, help_)                            \
    {SETTING(section_, key_, #value_, help_), .kind = CONFIG_KIND_NUMBER, .min = (min_),           \
     .max = (max_), .unit = (unit_)},
#define CONFIG_SWITCH(section_, key_, value_, help_)                                               \
    {SETTING(section_, key_, #value_, help_), .kind = CONFIG_KIND_SWITCH, .unit = ""},
#define CONFIG_TEXT(section_, key_, value_, form_, help_)                                          \
    {SETTING(section_, key_, value_, help_), .kind = CONFIG_KIND_TEXT, .form = (form_), .unit = ""},
#include "daemon/config/config.def"
#undef SETTING
};

_Static_assert(ARRAY_LEN(settings) == CONFIG_COUNT, "one row a setting");

const struct config_setting *config_setting_at(size_t index)
{
    return index < ARRAY_LEN(settings) ? &settings[index] : NULL;
}

size_t config_setting_first_of_section(const char *section)
{
    size_t i = 0;
    while (i < CONFIG_COUNT && strcmp(settings[i].section, section) != 0) {
        i++;
    }
    return i;
}

size_t config_setting_find(const char *section, const char *key)
{
    size_t i = 0;
    while (i < CONFIG_COUNT &&
           (strcmp(settings[i].section, section) != 0 || strcmp(settings[i].key, key) != 0)) {
        i++;
    }
    return i;
}

size_t config_setting_next_to_show(size_t index)
{
    const char *section = settings[index].section;
    for (size_t i = index + 1; i < CONFIG_COUNT; i++) {
        if (strcmp(settings[i].section, section) == 0) {
            return i;
        }
    }
    size_t next = config_setting_first_of_section(section) + 1;
    while (next < CONFIG_COUNT && config_setting_first_of_section(settings[next].section) != next) {
        next++;
    }
    return next;
}
