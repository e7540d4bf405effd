#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most memory in KiB that a session in the lobby may have of its own: the pages that it does
 * not share with the gate, and so what each further person costs the house. */
#define OWN_MEMORY_KIB 450

static long read_own_memory_kib(pid_t pid)
{
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL && errno == EACCES) {
        skip(); /* only root may look into the memory of a session */
    }
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, "Private_", strlen("Private_")) == 0) {
            kib += strtol(strchr(line, ':') + 1, NULL, 10);
        }
    }
    fclose(file);
    return kib;
}

static void a_session_in_the_lobby_has_little_memory_of_its_own(void **state)
{
    struct house_fixture *house = *state;
    if (house_count_log_lines(house, "built with sanitizers") > 0) {
        skip(); /* the address sanitizer keeps a shadow of all memory */
    }
    /* the first guest's memory is counted while another session shares what all sessions share */
    struct terminal *ada = guests_connect(house);
    pid_t session = house_find_newest_session(house);
    struct terminal *bob = guests_connect(house);
    long kib = read_own_memory_kib(session);
    print_message("a session has %ld KiB of its own\n", kib);
    assert_in_range(kib, 1, OWN_MEMORY_KIB);
    terminal_free(ada);
    terminal_free(bob);
}

TEST_GROUP(memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_in_the_lobby_has_little_memory_of_its_own),
    };
    return cmocka_run_group_tests(tests, house_set_up, house_tear_down);
}
