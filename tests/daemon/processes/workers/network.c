#include "tests/daemon/processes/workers/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

void network_add_address(const char *interface, const char *address)
{
    struct ifreq request = {0};
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_true(control >= 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", interface);
    assert_int_equal(inet_pton(AF_INET, address, &ipv4.sin_addr), 1);
    memcpy(&request.ifr_addr, &ipv4, sizeof ipv4);
    assert_int_equal(ioctl(control, SIOCSIFADDR, &request), 0);
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    assert_int_equal(ioctl(control, SIOCSIFFLAGS, &request), 0);
    close(control);
}
