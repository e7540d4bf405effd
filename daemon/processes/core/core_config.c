#include "daemon/processes/core/core.h"

struct house_config core_config_make_lobby_part(const struct config *config)
{
    /* the lines below replace all defaults except that of `random` */
    struct house_config house = house_config_default();
#define CONFIG_NUMBER(section, key, value, min, max, unit, help)                                   \
    house.section##_##key = config->section##_##key;
#define CONFIG_SWITCH(section, key, value, help) house.section##_##key = config->section##_##key;
#define CONFIG_TEXT(section, key, value, form, help)                                               \
    house.section##_##key = config->section##_##key;
#include "lobby/house/settings.def"
#undef CONFIG_NUMBER
#undef CONFIG_SWITCH
#undef CONFIG_TEXT
    if (config->storage_url[0] != '\0') {
        house.backup_every_h = 0; /* PostgreSQL's own programs make the backups */
    }
    return house;
}
