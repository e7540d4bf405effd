#include "tests/e2e/openssh.h"

#include "tests/unit.h"

#include <stdio.h>

void openssh_begin_command_line(struct openssh *line, const struct house_fixture *house,
                                const char *program)
{
    *line = (struct openssh){0};
    snprintf(line->port, sizeof(line->port), "Port=%d", house->port);
    snprintf(line->hosts, sizeof(line->hosts), "UserKnownHostsFile=%s/hosts", house->folder);
    openssh_add_words(line, (const char *const[]){program, "-F", "none", "-o", line->port, "-o",
                                                  line->hosts, "-o", "StrictHostKeyChecking=no",
                                                  "-o", "IdentitiesOnly=yes", NULL});
}

void openssh_add_words(struct openssh *line, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        assert_true(line->count < OPENSSH_WORDS_MAX - 1);
        line->words[line->count++] = words[i];
    }
}

void openssh_add_login(struct openssh *line, const struct house_fixture *house, const char *user,
                       const char *key)
{
    snprintf(line->identity, sizeof(line->identity), "PubkeyAuthentication=no");
    if (key != NULL) {
        house_make_key(house, key);
        snprintf(line->identity, sizeof(line->identity), "IdentityFile=%s/%s", house->folder, key);
    }
    snprintf(line->target, sizeof(line->target), "%s@127.0.0.1", user);
    openssh_add_words(line, (const char *const[]){"-o", line->identity, "-o", "LogLevel=ERROR",
                                                  line->target, NULL});
}
