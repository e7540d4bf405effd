#include "tests/cluster/evening_rig.h"

#include "tests/cluster/postgres_rig.h"
#include "tests/lobby/evening.h"

static struct postgres_rig rig;
static char url[POSTGRES_RIG_URL_SIZE];

int evening_rig_setup(void **state)
{
    postgres_rig_start_alone(&rig);
    postgres_rig_write_url(&rig, "house", url);
    return evening_setup(state);
}

int evening_rig_teardown(void **state)
{
    int status = evening_teardown(state);
    postgres_rig_stop(&rig);
    return status;
}

const char *evening_rig_url(void)
{
    return url;
}
