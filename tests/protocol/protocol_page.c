#include "tests/protocol/protocol_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *protocol_page_read(void)
{
    char path[512];
    (void)snprintf(path, sizeof(path), "%s/lobby/protocol/PROTOCOL.md", getenv("SOURCE_DIR"));
    FILE *file = fopen(path, "r");
    char *page = NULL;
    size_t size = 0;
    assert_non_null(file);
    assert_true(getdelim(&page, &size, '\0', file) > 0);
    fclose(file);
    return page;
}

char *protocol_page_read_section(const char *heading)
{
    char line[64];
    char *page = protocol_page_read();
    (void)snprintf(line, sizeof(line), "\n%s\n", heading);
    const char *at = strstr(page, line);
    if (at == NULL) {
        fail_msg("PROTOCOL.md has no heading \"%s\"", heading);
        return NULL;
    }
    at += strlen(line) - 1;
    const char *end = strstr(at, "\n#");
    char *section = end == NULL ? strdup(at) : strndup(at, (size_t)(end - at));
    free(page);
    return section;
}
