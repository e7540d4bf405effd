#include "daemon/cli/cli.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Reads arbitrary bytes as the history of a game, and verifies the history. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char buffer[JSON_DIFF_MAX];
    struct text why = text_init(buffer, sizeof(buffer));
    struct history_record record;
    if (history_read((const char *)bytes, len, &record, &why)) {
        uint32_t moves;
        (void)!(record.is_finished && history_verify(&record, &moves, &why));
        json_decref(record.root);
    }
    return 0;
}
