#include "daemon/base/base.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

/*
 * Logs two values of arbitrary bytes, which the first newline of the input separates. The log line
 * must be printable ASCII, the values must be readable again, and neither value may be mistaken for
 * a key.
 */
#define HEAD " conn=812 event=fuzz"

/* Logs both values to a file and reads the log line from the file. */
static size_t write_log_line(char *line, size_t cap, const char *first, const char *second)
{
    int file = memfd_create("log", MFD_CLOEXEC);
    fuzz_assert(file >= 0);
    int saved_fd = fuzz_redirect_log(file);
    log_pairs(LOG_LEVEL_INFO, 812, "fuzz", LOG_PAIRS("first", first, "second", second));
    fuzz_restore_log(saved_fd);
    ssize_t len = pread(file, line, cap, 0);
    close(file);
    fuzz_assert(len >= 0);
    return (size_t)len;
}

static char read_escaped_byte(const char **at)
{
    static const char digits[] = "0123456789abcdef";
    fuzz_assert((*at)[1] == 'x');
    const char *high = strchr(digits, (*at)[2]);
    const char *low = strchr(digits, (*at)[3]);
    fuzz_assert(high != NULL && *high != '\0' && low != NULL && *low != '\0');
    *at += 3;
    return (char)((high - digits) * 16 + (low - digits));
}

/* Reads ` key=value` from the line. The value must equal the original, or the beginning of the
 * original if the log line was cut. */
static const char *read_key_value_pair(const char *at, const char *key, const char *original)
{
    fuzz_assert(at[0] == ' ' && strncmp(at + 1, key, strlen(key)) == 0);
    at += 1 + strlen(key);
    fuzz_assert(*at == '=');
    at++;
    bool is_quoted = *at == '"';
    for (at += is_quoted; *at != '\0' && *at != (is_quoted ? '"' : ' '); at++) {
        char byte = *at == '\\' ? read_escaped_byte(&at) : *at;
        fuzz_assert(byte != '\0' && byte == *original);
        original++;
    }
    fuzz_assert(!is_quoted || *at == '"');
    return at + is_quoted;
}

/* Checks the log line. Reads the values back unless they are so long that the log line may have
 * been cut. */
static void check_line(char *line, size_t len, const char *first, const char *second)
{
    fuzz_assert(len > 0 && len <= LOG_LINE_MAX && line[len - 1] == '\n');
    line[len - 1] = '\0';
    for (size_t i = 0; i + 1 < len; i++) {
        fuzz_assert(line[i] >= ' ' && line[i] <= '~');
    }
    bool is_whole = 4 * (strlen(first) + strlen(second)) < LOG_LINE_MAX / 2;
    const char *at = strstr(line, HEAD);
    fuzz_assert(at != NULL);
    at += strlen(HEAD);
    if (is_whole) {
        at = read_key_value_pair(read_key_value_pair(at, "first", first), "second", second);
        fuzz_assert(*at == '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char line[2 * LOG_LINE_MAX];
    char *first = calloc(1, len + 2);
    fuzz_assert(first != NULL);
    if (len > 0) {
        memcpy(first, bytes, len);
    }
    char *second = strchr(first, '\n');
    if (second == NULL) {
        second = first + strlen(first);
    }
    if (*second != '\0') {
        *second++ = '\0';
    }
    size_t line_len = write_log_line(line, sizeof(line), first, second);
    check_line(line, line_len, first, second);
    free(first);
    return 0;
}
