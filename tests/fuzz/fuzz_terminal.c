#include "daemon/session/session_state.h"
#include "tests/fuzz/fuzz.h"

/* Checks the terminal name and size that a client sends. The input is two numbers of four bytes,
 * then a name. */

static void check_terminal_name(const char *offered)
{
    char name[TERMINAL_NAME_SIZE];
    terminal_name_copy(name, offered);
    size_t len = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+_-");
    fuzz_assert(len > 0 && len < TERMINAL_NAME_SIZE && name[len] == '\0');
    fuzz_assert(strchr(".+_-", name[0]) == NULL);
    fuzz_assert(strcmp(name, offered) == 0 || strcmp(name, "unknown") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    int32_t numbers[2];
    if (len < sizeof(numbers)) {
        return 0;
    }
    memcpy(numbers, bytes, sizeof(numbers));
    struct terminal_size size = terminal_size_clamp(numbers[0], numbers[1]);
    fuzz_assert(size.columns >= 20 && size.columns <= 500 && size.rows >= 10 && size.rows <= 200);
    struct terminal_size again = terminal_size_clamp(size.columns, size.rows);
    fuzz_assert(again.columns == size.columns && again.rows == size.rows);

    size_t name_len = len - sizeof(numbers);
    char *offered = calloc(1, name_len + 1);
    fuzz_assert(offered != NULL);
    memcpy(offered, bytes + sizeof(numbers), name_len);
    check_terminal_name(offered);
    free(offered);
    return 0;
}
