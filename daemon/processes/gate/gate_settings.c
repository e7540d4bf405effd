#include "daemon/processes/gate/gate.h"

#include <sys/mman.h>
#include <unistd.h>

int gate_settings_make_file(void)
{
    return memfd_create("settings", MFD_CLOEXEC);
}

json_t *gate_settings_to_json(const struct config *config)
{
    json_t *values = json_array();
    const struct config_setting *setting;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        char value[CONFIG_TEXT_SIZE];
        config_write_value(config, i, value);
        (void)json_array_append_new(values,
                                    json_pack("[s, s, s]", setting->section, setting->key, value));
    }
    return values;
}

bool gate_settings_write(int settings_fd, const char *program, const struct config *config)
{
    json_t *root =
        json_pack("{s:s, s:o}", "program", program, "settings", gate_settings_to_json(config));
    bool is_written = ftruncate(settings_fd, 0) == 0 && lseek(settings_fd, 0, SEEK_SET) == 0 &&
                      json_dumpfd(root, settings_fd, JSON_COMPACT) == 0;
    json_decref(root);
    return is_written;
}

void gate_settings_from_json(const json_t *values, struct config *config)
{
    for (size_t i = 0; i < json_array_size(values); i++) {
        json_t *value = json_array_get(values, i);
        const char *section;
        const char *key;
        const char *text;
        char why[CONFIG_WHY_SIZE];
        if (json_unpack(value, "[s, s, s]", &section, &key, &text) == 0 &&
            !config_set(config, section, key, text, CONFIG_FROM_COMMAND, why)) {
            log_event(LOG_LEVEL_WARN, 0, "a setting is skipped: %s", why);
        }
    }
}

json_t *gate_settings_read(int settings_fd)
{
    (void)lseek(settings_fd, 0, SEEK_SET);
    json_t *root = json_loadfd(settings_fd, 0, NULL);
    if (json_string_value(json_object_get(root, "program")) == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "the gate's settings cannot be read");
        json_decref(root);
        return NULL;
    }
    return root;
}
