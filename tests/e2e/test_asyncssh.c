#include "tests/e2e/scripted.h"

int main(void)
{
    return scripted_run_tests("asyncssh");
}
