#include "daemon/processes/common/common.h"

#include "daemon/base/base.h"

#include <string.h>

static void send_type(int socket, const char *message)
{
    enum packet_result result = packet_send(socket, message, strlen(message), -1);
    (void)result; /* a process that has ended, or does not read, need not know */
}

void house_away_tell(int socket)
{
    send_type(socket, "{\"t\":\"house_away\"}");
}

void house_away_tell_waiting(int socket)
{
    send_type(socket, "{\"t\":\"house_away\",\"waits\":true}");
}

void house_away_tell_end(int socket)
{
    send_type(socket, "{\"t\":\"house_back\"}");
}
