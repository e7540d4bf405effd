#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* The main function of every test program: PROGRAM GROUP [PATTERN] runs one group of tests, or of
 * these only the tests whose names match the pattern (* and ?). Each test_GROUP.c of a folder is a
 * group; the build lists them in the file TEST_GROUPS. */

#define GROUP(name) int test_group_##name(void);
#include TEST_GROUPS
#undef GROUP

static const struct {
    const char *name;
    int (*run)(void);
} groups[] = {
#define GROUP(name) {#name, test_group_##name},
#include TEST_GROUPS
#undef GROUP
};

int main(int argc, char **argv)
{
    if (argc == 3) {
        cmocka_set_test_filter(argv[2]);
    }
    for (size_t i = 0; (argc == 2 || argc == 3) && i < sizeof groups / sizeof *groups; i++) {
        if (strcmp(argv[1], groups[i].name) == 0) {
            return groups[i].run();
        }
    }
    fprintf(stderr, "usage: %s GROUP [PATTERN]; the groups are:\n", argv[0]);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        fprintf(stderr, "  %s\n", groups[i].name);
    }
    return 2;
}
