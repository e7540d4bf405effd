#include "daemon/base/base.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool rights_find_user(const char *name, struct rights *rights)
{
    errno = 0;
    const struct passwd *account = getpwnam(name);
    if (account == NULL || account->pw_uid == 0 || account->pw_gid == 0) {
        return false;
    }
    *rights = (struct rights){account->pw_uid, account->pw_gid};
    return true;
}

/* Limits this process, and the programs that it starts, to these capabilities. Bits are numbered as
 * in capabilities(7). */
static bool set_capabilities(uint32_t bits)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {
        {.effective = bits, .permitted = bits, .inheritable = bits},
    };
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
           syscall(SYS_capset, &header, sets) == 0;
}

bool rights_give_up_capabilities(void)
{
    return geteuid() == 0 || set_capabilities(0);
}

/* Restores the parent-death signal, which the kernel clears when a process changes its user. */
static bool change_user(const struct rights *rights)
{
    int signal_number = 0;
    return prctl(PR_GET_PDEATHSIG, &signal_number) == 0 && setgroups(0, NULL) == 0 &&
           setresgid(rights->group, rights->group, rights->group) == 0 &&
           setresuid(rights->user, rights->user, rights->user) == 0 &&
           prctl(PR_SET_PDEATHSIG, signal_number) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

bool rights_change_user(const struct rights *rights)
{
    return change_user(rights) && set_capabilities(0);
}

bool rights_change_user_keep_low_ports(const struct rights *rights)
{
    return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && change_user(rights) &&
           set_capabilities(UINT32_C(1) << CAP_NET_BIND_SERVICE) &&
           prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_BIND_SERVICE, 0, 0) == 0;
}
