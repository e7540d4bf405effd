#include "daemon/config/config.h"
#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <string.h>

/*
 * The input is a configuration of arbitrary bytes. Whatever is wrong in the file, every setting
 * keeps an allowed value and every fault is reported in one line.
 */

static void check_reported_fault(void *context, int line, const char *why)
{
    unsigned *count = context;
    fuzz_assert(line >= 0 && why[0] != '\0' && strlen(why) < CONFIG_WHY_SIZE);
    (*count)++;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct config config = config_make_default();
    struct config again = config_make_default();
    unsigned heard = 0;
    const struct config_faults faults = {check_reported_fault, &heard};
    char text[CONFIG_TEXT_SIZE], back[CONFIG_TEXT_SIZE], why[CONFIG_WHY_SIZE];
    fuzz_assert(config_read_text(&config, (const char *)bytes, len, &faults) == heard);
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const struct config_setting *setting = config_setting_at(i);
        config_write_value(&config, i, text);
        fuzz_assert(config_set(&again, setting->section, setting->key, text, config.from[i], why));
        config_write_value(&again, i, back);
        fuzz_assert(strcmp(text, back) == 0);
    }
    return 0;
}
