#include "daemon/processes/common/common.h"

#include <stdio.h>
#include <stdlib.h>

bool ports_write(int fd, const struct ports *ports)
{
    int written = ports->telnet != 0 ? dprintf(fd, "%u %u\n", ports->ssh, ports->telnet)
                                     : dprintf(fd, "%u\n", ports->ssh);
    return written > 0;
}

struct ports ports_parse(const char *text)
{
    struct ports ports = {0};
    char *end;
    ports.ssh = (uint16_t)strtoul(text, &end, 10);
    ports.telnet = (uint16_t)strtoul(end, NULL, 10);
    return ports;
}
