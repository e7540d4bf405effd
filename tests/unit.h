#pragma once

/* cmocka, and the headers that it needs but does not include. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Begins the function that runs the tests of a file: TEST_GROUP(news) in test_news.c. It returns
 * how many tests failed. tests/run_group.c calls it. */
#define TEST_GROUP(name)                                                                           \
    int test_group_##name(void);                                                                   \
    int test_group_##name(void)
