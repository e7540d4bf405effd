#include "storage/cluster/cluster_servers.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Which server is taken after a failover: test_standby.c. */

static void servers_that_do_not_answer_are_passed_over(void **state)
{
    struct cluster_fixture *fixture = *state;
    struct cluster_fixture several = *fixture;
    char *host = strstr(fixture->url, "127.0.0.1");

    assert_non_null(host);
    (void)snprintf(several.url, sizeof several.url, "%.*s127.0.0.1:1,%s",
                   (int)(host - fixture->url), fixture->url, host);
    struct cluster *node = cluster_fixture_new(&several, 1);
    cluster_fixture_connect(node);
    cluster_free(node);
}

TEST_GROUP(cluster_servers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(servers_that_do_not_answer_are_passed_over, cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
