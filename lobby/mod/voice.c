#include "lobby/mod/voice.h"

#include "lobby/answers.h"
#include "lobby/mod/order.h"

#include <stdio.h>

/* Why somebody is not heard. */
struct voice_no {
    const char *code; /* NULL: they are heard */
    int64_t wait_s;   /* of `wait` */
    char why[WORDS_MAX];
};

static void voice_refuse(struct voice_no *no, const char *code, const char *why)
{
    no->code = code;
    (void)snprintf(no->why, sizeof(no->why), "%s", why);
}

static void voice_refuse_muted(struct voice_no *no, int64_t until_ms)
{
    char until[ORDER_MOMENT_SIZE];
    order_moment(until_ms, until);
    no->code = "muted";
    (void)snprintf(no->why, sizeof(no->why),
                   _("You are muted here (%s): /sanctions says why, /appeal asks "
                     "to have it lifted."),
                   until);
}

static void voice_refuse_for_now(struct voice_no *no, int64_t left_ms)
{
    no->code = "wait";
    no->wait_s = (left_ms + 999) / 1000;
    (void)snprintf(no->why, sizeof(no->why),
                   _("You wrote too much too quickly: the chat hears you again in %d s."),
                   (int)no->wait_s);
}

static void voice_look(const struct house *house, const struct person *person,
                       enum mute_scope scope, struct voice_no *no)
{
    const struct sanctioned *sanctioned = &person->sanctioned;
    if (person->is_held) {
        voice_refuse(no, "held",
                     _("That was not sent: new accounts are heard once a moderator has released "
                       "them. You can play meanwhile."));
    } else if (sanctioned->is_warned) {
        voice_refuse(
            no, "warned",
            _("You have been warned: /sanctions says of what; type /sanctions ok, then talk."));
    } else if (sanctioned->mute_ms[scope] > house->now_ms) {
        voice_refuse_muted(no, sanctioned->mute_ms[scope]);
    } else if (person->muted_until_ms > house->now_ms) {
        voice_refuse_for_now(no, person->muted_until_ms - house->now_ms);
    }
}

bool voice_is_heard(const struct house *house, const struct person *person, enum mute_scope scope)
{
    struct voice_no no = {.code = NULL};
    voice_look(house, person, scope, &no);
    return no.code == NULL;
}

bool voice_admits(struct house *house, struct conn *conn, int64_t request, enum mute_scope scope)
{
    struct voice_no no = {.code = NULL};
    voice_look(house, conn->person, scope, &no);
    if (no.code != NULL && no.wait_s > 0) {
        answer_wait(house, conn, request, no.wait_s, no.why);
    } else if (no.code != NULL) {
        answer_no(house, conn, request, no.code, no.why);
    }
    return no.code == NULL;
}

bool voice_admits_order(struct order *order, enum mute_scope scope)
{
    struct voice_no no = {.code = NULL};
    if (order->conn->person == NULL) {
        return true;
    }
    voice_look(order->house, order->conn->person, scope, &no);
    if (no.code != NULL) {
        order_no(order, no.code, "%s", no.why);
    }
    return no.code == NULL;
}
