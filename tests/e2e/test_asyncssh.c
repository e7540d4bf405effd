#include "tests/e2e/scripted.h"
#include "tests/unit.h"

TEST_GROUP(asyncssh)
{
    return scripted_run_tests("asyncssh");
}
