#include "daemon/session/session_state.h"

#include "daemon/base/i18n.h"
#include "lobby/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>

enum {
    OUT_MAX = 1 << 20,
    HOLE_MAX = 64 << 10 /* size in bytes of the largest hole in the heap that is filled */
};

struct warm_filler {
    struct warm_filler *next;
};

static void discard_packet(UNUSED void *context, UNUSED const char *json, UNUSED size_t len)
{
}

/* Handles sample messages like those that the core sends first, so that this code has run once
 * before the first fork. */
static bool receive_sample_messages(struct client *client)
{
    static const char *const words[] = {
        "{\"t\":\"welcome\",\"protocol\":3,\"house\":\"\",\"phase\":\"in\"}",
        "{\"t\":\"mine\",\"tables\":[]}",
        "{\"t\":\"lobby\",\"here\":1,\"people_count\":1,\"people_first\":0,\"people\":[]}",
        "{\"t\":\"lobby\",\"tables_all\":0,\"tables_count\":0,\"tables_first\":0,\"tables\":[]}",
    };
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (client_receive_packet(client, words[i], strlen(words[i])) != CLIENT_OK) {
            return false;
        }
    }
    return true;
}

static bool draw_sample_screen(void)
{
    struct client *client = client_new(discard_packet, NULL);
    json_t *you = json_pack("{s:s, s:s, s:s, s:b, s:{}, s:b}", "name", "guest", "kind", "guest",
                            "role", "player", "has_password", 0, "settings", "is_new", 0);
    const struct ui_setup setup = {
        .term = "xterm-256color",
        .columns = 80,
        .rows = 24,
        .suggested_name = "",
        .you = you,
        .client = client,
    };
    struct ui *ui = ui_new(&setup);
    json_decref(you);
    bool is_painted = ui != NULL && receive_sample_messages(client);
    if (is_painted) {
        struct bytes out;
        bytes_init(&out, OUT_MAX);
        ui_tick(ui, clock_unix_ms());
        ui_paint(ui, clock_unix_ms(), &out);
        bytes_clear(&out);
    }
    ui_free(ui);
    client_free(client);
    return is_painted;
}

/* Takes all free memory between the allocations of this process. Each piece that a session
 * allocated there, or freed, would cost the session a copy of a page that is otherwise shared;
 * instead, sessions allocate behind all of it, side by side. */
static struct warm_filler *fill_holes_in_heap(void)
{
    struct warm_filler *fillers = NULL;
    const uintptr_t top = heap_find_end();
    for (size_t size = HOLE_MAX; size >= sizeof(*fillers) && !IS_SANITIZED; size -= size / 8) {
        struct warm_filler *filler;
        while ((uintptr_t)(filler = must_not_be_null(malloc(size))) < top) {
            filler->next = fillers;
            fillers = filler;
        }
        free(filler);
    }
    return fillers;
}

static bool do_first_work(struct sshd_host *host)
{
    if (!sshd_host_do_first_handshake(host)) {
        return false;
    }
    if (!i18n_load_catalogues(NULL)) {
        log_event(LOG_LEVEL_WARN, 0,
                  "sessions speak only English: no translations in locale or "
                  "../share/locale beside the program");
    }
    if (!draw_sample_screen()) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot draw a screen: is ncurses-base installed?");
        return false;
    }
    return true;
}

struct warm *warm_up_shared_memory(struct sshd_host *host)
{
    if (!do_first_work(host)) {
        return NULL;
    }
    struct warm_filler *fillers = fill_holes_in_heap();
    struct warm *warm = must_allocate(sizeof(*warm));
    warm->fillers = fillers;
    warm->display = display_prepare(FD_FREE);
    if (warm->display != NULL && sshd_host_prepare(host, FD_PEER)) {
        return warm;
    }
    warm_free(warm);
    return NULL;
}

void warm_free(struct warm *warm)
{
    if (warm == NULL) {
        return;
    }
    display_free(warm->display);
    while (warm->fillers != NULL) {
        struct warm_filler *filler = warm->fillers;
        warm->fillers = filler->next;
        free(filler);
    }
    free(warm);
}
