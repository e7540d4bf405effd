#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A session shares most of its memory with the gate. What it has of its own is what each further
 * person costs the house: usually a twentieth. */
#define OWN_SHARE_LEAST 8

struct memory {
    long all_kib, own_kib; /* in the memory of this computer; of these, not shared with anybody */
};

static struct memory read_memory(pid_t pid)
{
    char path[64], line[256];
    struct memory memory = {0};
    snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL && errno == EACCES) {
        skip(); /* only root may look into the memory of a session */
    }
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');
        long kib = colon == NULL ? 0 : strtol(colon + 1, NULL, 10);
        memory.all_kib += strncmp(line, "Rss:", strlen("Rss:")) == 0 ? kib : 0;
        memory.own_kib += strncmp(line, "Private_", strlen("Private_")) == 0 ? kib : 0;
    }
    fclose(file);
    return memory;
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
    struct memory memory = read_memory(session);
    print_message("a session has %ld KiB, %ld of its own\n", memory.all_kib, memory.own_kib);
    assert_in_range(memory.own_kib, 1, memory.all_kib / OWN_SHARE_LEAST);
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
