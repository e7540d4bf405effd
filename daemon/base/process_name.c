#include "daemon/base/process_name.h"

#include <sys/prctl.h>

void process_set_name(const char *name)
{
    prctl(PR_SET_NAME, name);
}

void process_name(char name[PROCESS_NAME_MAX])
{
    name[0] = '\0';
    prctl(PR_GET_NAME, name);
    name[PROCESS_NAME_MAX - 1] = '\0';
}
