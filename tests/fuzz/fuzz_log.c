#include "daemon/base/log.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/* Any bytes in a message for the log: one line of printable ASCII comes of it. */

/* What log_event writes to standard error goes to a file while it writes. */
static size_t log_into(char *line, size_t cap, const char *text)
{
    int file = memfd_create("log", MFD_CLOEXEC);
    fuzz_demand(file >= 0);
    int kept = fuzz_log_to(file);
    log_event(LOG_LEVEL_INFO, 812, "%s", text);
    fuzz_log_back(kept);
    ssize_t len = pread(file, line, cap, 0);
    close(file);
    fuzz_demand(len >= 0);
    return (size_t)len;
}

/* Reads a line's message back; false when there is more of it than was said. */
static bool is_said(const char *message, size_t len, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t at = 0; at < len; text++) {
        uint8_t byte = (uint8_t)message[at++];
        if (byte == '\\') {
            fuzz_demand(at + 3 <= len && message[at] == 'x');
            const char *high = strchr(digits, message[at + 1]);
            const char *low = strchr(digits, message[at + 2]);
            fuzz_demand(high != NULL && low != NULL);
            byte = (uint8_t)((high - digits) * 16 + (low - digits));
            at += 3;
        }
        if (byte == '\0' || byte != (uint8_t)*text) {
            return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char line[2 * LOG_LINE_MAX];
    char *text = calloc(1, len + 1);
    fuzz_demand(text != NULL);
    if (len > 0) {
        memcpy(text, bytes, len);
    }
    size_t line_len = log_into(line, sizeof(line), text);
    fuzz_demand(line_len > 0 && line_len <= LOG_LINE_MAX && line[line_len - 1] == '\n');
    for (size_t i = 0; i + 1 < line_len; i++) {
        fuzz_demand(line[i] >= ' ' && line[i] <= '~');
    }
    const char *message = memmem(line, line_len, " 812 info: ", 11);
    fuzz_demand(message != NULL);
    message += 11;
    fuzz_demand(is_said(message, (size_t)(line + line_len - 1 - message), text));
    free(text);
    return 0;
}
