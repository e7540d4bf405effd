#include "tests/e2e/node_settings.h"

#include "tests/e2e/house.h"

#include <stdio.h>

void node_settings_write(char settings[NODE_SETTINGS_SIZE], int database_port, int node)
{
    int len =
        snprintf(settings, NODE_SETTINGS_SIZE,
                 "[storage]\nurl = postgresql://house@127.0.0.1:%d/" NODE_SETTINGS_DATABASE "\n",
                 database_port);
    if (node != 0) {
        (void)snprintf(settings + len, NODE_SETTINGS_SIZE - (size_t)len,
                       "[cluster]\nnode = %d\naddress = 127.0.0.1:%d\n", node,
                       house_find_free_port());
    }
}
