#include "daemon/processes/processes.h"

#include "daemon/base/base.h"

#include <libssh/libssh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX 4096 /* such a file has some 400 bytes */

static char *make_public_text(const char *private_text)
{
    ssh_key key = NULL;
    char *base64 = NULL;
    char *text = NULL;
    if (ssh_pki_import_privkey_base64(private_text, NULL, NULL, NULL, &key) == SSH_OK &&
        ssh_key_type(key) == SSH_KEYTYPE_ED25519 &&
        ssh_pki_export_pubkey_base64(key, &base64) == SSH_OK &&
        asprintf(&text, "ssh-ed25519 %s", base64) < 0) {
        text = NULL;
    }
    ssh_string_free_char(base64);
    ssh_key_free(key);
    return text;
}

bool node_key_load(struct node_key *key, const char *path)
{
    *key = (struct node_key){.private_text = NULL};
    if (!host_key_make_if_missing(path)) {
        return false;
    }
    size_t len;
    key->private_text = files_read(path, FILE_MAX, &len);
    key->public_text = key->private_text == NULL ? NULL : make_public_text(key->private_text);
    if (key->public_text == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "%s is no ed25519 key", path);
        node_key_clear(key);
        return false;
    }
    return true;
}

void node_key_clear(struct node_key *key)
{
    if (key->private_text != NULL) {
        explicit_bzero(key->private_text, strlen(key->private_text));
    }
    free(key->private_text);
    free(key->public_text);
    *key = (struct node_key){.private_text = NULL};
}
