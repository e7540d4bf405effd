#include "tests/e2e/scripted.h"
#include "tests/unit.h"

TEST_GROUP(paramiko)
{
    return scripted_run_tests("paramiko");
}
