#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/gate/gate_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
    char *text = must_format_json(root);
    size_t len = strlen(text);
    bool is_written =
        ftruncate(settings_fd, 0) == 0 && pwrite(settings_fd, text, len, 0) == (ssize_t)len;
    free(text);
    return is_written;
}

static json_t *read_json(int settings_fd)
{
    struct stat status;
    if (fstat(settings_fd, &status) != 0 || status.st_size == 0) {
        return NULL;
    }
    char *text = calloc(1, (size_t)status.st_size + 1);
    json_t *root = NULL;
    if (text == NULL) {
        abort();
    }
    if (pread(settings_fd, text, (size_t)status.st_size, 0) == status.st_size) {
        root = json_loads(text, 0, NULL);
    }
    free(text);
    return root;
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

bool gate_settings_read(int settings_fd, char **program, struct config *config)
{
    json_t *root = read_json(settings_fd);
    const char *path = json_string_value(json_object_get(root, "program"));
    if (path == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "the gate's settings cannot be read");
        json_decref(root);
        return false;
    }
    *program = must_copy_text(path);
    *config = config_make_default();
    gate_settings_from_json(json_object_get(root, "settings"), config);
    json_decref(root);
    return true;
}
