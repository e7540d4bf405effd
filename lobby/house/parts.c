#include "lobby/house/parts.h"

#include "lobby/house/fault.h"
#include "lobby/house/hooks.h"
#include "lobby/house/memory.h"

#include <stdlib.h>

static const struct part *const parts[] = {
#define PART(name) &name##_part,
#include "lobby/house/parts.def"
};

void parts_begin(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i]->house_size != 0) {
            house->states[i] = memory_new(parts[i]->house_size);
        }
        layout_add(&house->conn_layout, i, parts[i]->conn_size);
    }
    HOOKS_CALL(parts, begin, house);
}

void parts_load(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(parts) && !house->is_failed; i++) {
        const struct part *part = parts[i];
        if (part->load != NULL && !(house->is_read_only && part->load_writes)) {
            part->load(house);
            fault_pass(house, part->name);
        }
    }
}

void parts_clear(struct house *house)
{
    HOOKS_CALL(parts, clear, house);
}

void parts_end(struct house *house)
{
    HOOKS_CALL(parts, end, house);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        free(house->states[i]);
    }
}

const char *part_name(size_t number)
{
    return parts[number - 1]->name;
}

size_t part_of_peer(enum peer peer)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i]->helper == peer) {
            return i + 1;
        }
    }
    return 0;
}

static bool part_works(const struct house *house, size_t i)
{
    return !house->is_read_only || parts[i]->works_when_full;
}

static void part_work(struct house *house, size_t i, void (*run)(struct house *house))
{
    if (run == NULL || !part_works(house, i) || house->part_paused_ms[i] > house->now_ms) {
        return;
    }
    house->doing = (struct doing){.part = i + 1};
    run(house);
    house->doing = (struct doing){0};
}

void parts_tick(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        part_work(house, i, parts[i]->tick);
    }
}

void parts_flush(struct house *house)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        part_work(house, i, parts[i]->flush);
    }
}

int64_t parts_next_ms(const struct house *house, bool is_prompt)
{
    int64_t first_ms = INT64_MAX;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        const struct part *part = parts[i];
        bool is_asked = part_works(house, i) && (part->is_prompt || !is_prompt);
        int64_t next_ms = part->next_ms != NULL && is_asked ? part->next_ms(house) : INT64_MAX;
        if (next_ms < house->part_paused_ms[i]) {
            next_ms = house->part_paused_ms[i];
        }
        first_ms = next_ms < first_ms ? next_ms : first_ms;
    }
    return first_ms;
}

void parts_peer_ready(struct house *house, struct conn *peer)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if ((parts[i]->listens & peer->peer) != 0 && parts[i]->peer_ready != NULL) {
            parts[i]->peer_ready(house, peer);
        }
    }
}

void parts_peer_gone(struct house *house, struct conn *peer)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if ((parts[i]->listens & peer->peer) != 0 && parts[i]->peer_gone != NULL) {
            parts[i]->peer_gone(house, peer);
        }
    }
}

void parts_conn_describe(struct house *house, const struct conn *conn, json_t *message)
{
    HOOKS_CALL(parts, describe, house, conn, message);
}

void parts_conn_hello(struct house *house, struct conn *conn, int64_t heard)
{
    HOOKS_CALL(parts, hello, house, conn, heard);
}

void parts_conn_greet(struct house *house, struct conn *conn)
{
    HOOKS_CALL(parts, greet, house, conn);
}

void parts_conn_active(struct house *house, struct conn *conn)
{
    HOOKS_CALL(parts, active, house, conn);
}

void parts_conn_row(const struct conn *conn, struct storage_connection *row)
{
    HOOKS_CALL(parts, conn_row, conn, row);
}

void parts_conn_return(struct house *house, struct conn *conn, const struct storage_connection *row)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i]->conn_return != NULL && !parts[i]->conn_return(house, conn, row)) {
            return;
        }
    }
}

void parts_conn_lost(struct house *house, struct conn *conn)
{
    HOOKS_CALL(parts, conn_lost, house, conn);
}

void parts_conn_gone(struct house *house, struct conn *conn)
{
    for (size_t i = ARRAY_LEN(parts); i > 0; i--) {
        if (parts[i - 1]->conn_gone != NULL) {
            parts[i - 1]->conn_gone(house, conn);
        }
    }
}

void parts_row_gone(struct house *house, const struct storage_connection *row)
{
    HOOKS_CALL(parts, row_gone, house, row);
}

void parts_settled(struct house *house, bool has_survivors)
{
    HOOKS_CALL(parts, settled, house, has_survivors);
}

bool parts_admit(const struct request *request, const struct message_def *message)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i]->admit != NULL && !parts[i]->admit(request, message)) {
            return false;
        }
    }
    return true;
}

void parts_full(struct house *house)
{
    HOOKS_CALL(parts, full, house);
}

void parts_save(struct house *house)
{
    HOOKS_CALL(parts, save, house);
}

void parts_saved(struct house *house)
{
    HOOKS_CALL(parts, saved, house);
}

int64_t parts_mark_every_ms(const struct house *house)
{
    int64_t every_ms = INT64_MAX;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        int64_t part_ms =
            parts[i]->mark_every_ms == NULL ? INT64_MAX : parts[i]->mark_every_ms(house);
        every_ms = part_ms < every_ms ? part_ms : every_ms;
    }
    return every_ms;
}

void parts_skip(struct house *house, int64_t since_ms)
{
    HOOKS_CALL(parts, skip, house, since_ms);
}

void parts_give_up(struct house *house, int64_t number, const char *why)
{
    HOOKS_CALL(parts, give_up, house, number, why);
}

void parts_announce(struct house *house, json_t *sentence)
{
    HOOKS_CALL(parts, announce, house, json_incref(sentence));
    json_decref(sentence);
}

void parts_tell_now(struct house *house)
{
    HOOKS_CALL(parts, tell_now, house);
}
