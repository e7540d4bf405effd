#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/processes/processes.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool report_failure(const char *what, const char *why)
{
    return subcommand_fail(&serve_subcommand, what, why) == 0;
}

/* Finds the user that the house runs as: the named user; without a name, the owner of the folder,
 * unless the owner is root. */
static bool find_user(const char *user_name, const char *data_dir, struct rights *rights)
{
    struct stat folder;
    if (user_name != NULL && user_name[0] != '\0') {
        return rights_find_user(user_name, rights) ||
               report_failure(user_name,
                              errno != 0 ? strerror(errno)
                                         : _("the house cannot run as this user: there is no such "
                                             "account, or it is root's"));
    }
    if (stat(data_dir, &folder) == 0 && folder.st_uid != 0) {
        /* root that makes a folder for a user often leaves it to root's group */
        const struct passwd *owner = folder.st_gid == 0 ? getpwuid(folder.st_uid) : NULL;
        *rights = (struct rights){folder.st_uid, owner == NULL ? folder.st_gid : owner->pw_gid};
        return rights->group != 0 ||
               report_failure(data_dir,
                              _("the house does not run in root's group, and the owner of "
                                "this folder has no other: give the folder to another "
                                "group with chgrp"));
    }
    return rights_find_user(HOUSE_USER, rights) || rights_find_user(HOUSE_USER_LAST, rights) ||
           report_failure(HOUSE_USER, _("the house cannot run as this user, who does not exist: "
                                        "choose another with --user"));
}

/* Checks whether the user can reach the folder. A child process changes to that user and tries to
 * reach it. */
static bool can_user_reach(const struct rights *rights, const char *data_dir)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        _exit(rights_change_user(rights) && access(data_dir, R_OK | W_OK | X_OK) == 0 ? 0 : 1);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool report_unreachable_folder(const struct rights *rights, const char *data_dir)
{
    const struct passwd *account = getpwuid(rights->user);
    fprintf(stderr,
            _("trickhouse serve: %s: the house does not run as root, and the user %s cannot get "
              "there: name another folder, say --data /var/lib/trickhouse\n"),
            data_dir, account == NULL ? "?" : account->pw_name);
    return false;
}

bool house_user_switch_to(const char *user_name, const char *data_dir, bool needs_low_port)
{
    struct rights rights;
    if (geteuid() != 0 || IS_SANITIZED) {
        return true;
    }
    if (!find_user(user_name, data_dir, &rights)) {
        return false;
    }
    if (mkdir(data_dir, 0700) != 0 && errno != EEXIST) {
        return report_failure(data_dir, strerror(errno));
    }
    if (!data_dir_is_empty_or_house(data_dir)) {
        return report_failure(
            data_dir, _("this folder contains other files and no house: give a new folder"));
    }
    if (!data_dir_give_to_user(data_dir, rights.user, rights.group)) {
        return report_failure(data_dir, strerror(errno));
    }
    if (!can_user_reach(&rights, data_dir)) {
        return report_unreachable_folder(&rights, data_dir);
    }
    /* programs that the house starts cannot gain privileges either */
    bool has_become = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    has_become = has_become && (needs_low_port ? rights_change_user_keep_low_ports(&rights)
                                               : rights_change_user(&rights));
    return has_become || report_failure(_("cannot give up root's rights"), strerror(errno));
}
