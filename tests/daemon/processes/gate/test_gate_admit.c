#include "daemon/metrics/metrics.h"
#include "daemon/processes/gate/gate.h"
#include "tests/unit.h"

#include <string.h>

static void every_refusal_is_counted_under_its_own_word(void **state)
{
    (void)state;
    const struct metric_label *reasons = metric_at(METRIC_connections_refused)->labels[0];
    assert_int_equal(reasons->count, GATE_REFUSALS);
#define REFUSAL(name, word, text) assert_string_equal(reasons->values[GATE_REFUSAL_##name], word);
#include "daemon/processes/gate/refusals.def"
}

TEST_GROUP(gate_admit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refusal_is_counted_under_its_own_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
