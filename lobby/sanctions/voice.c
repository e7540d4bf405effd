#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions_state.h"

enum voice {
    VOICE_HEARD,
    VOICE_HELD,
    VOICE_GUEST, /* the house does not let guests talk at present */
    VOICE_WARNED,
    VOICE_MUTED,
    VOICE_PAUSED, /* the person wrote too much too quickly */
};

static enum voice find_talk_restriction(const struct house *house, const struct person *person,
                                        enum mute_scope scope)
{
    const bool *guests_may_talk = PART_STATE(house, voice);
    const struct sanctioned *sanctioned = &sanctions_person_state(person)->by_staff;
    if (person->is_held || sanctioned->is_held) {
        return VOICE_HELD;
    }
    if (person->kind == PERSON_GUEST && !*guests_may_talk) {
        return VOICE_GUEST;
    }
    if (sanctioned->is_warned) {
        return VOICE_WARNED;
    }
    if (sanctioned->mute_ms[scope] > house->now_ms) {
        return VOICE_MUTED;
    }
    return sanctions_person_state(person)->paused_ms > house->now_ms ? VOICE_PAUSED : VOICE_HEARD;
}

bool voice_person_may_talk(const struct house *house, const struct person *person,
                           enum mute_scope scope)
{
    return find_talk_restriction(house, person, scope) == VOICE_HEARD;
}

bool voice_allows_request(const struct request *request, enum mute_scope scope)
{
    const struct person *person = request->conn->person;
    int64_t wait_s = 0;
    switch (find_talk_restriction(request->house, person, scope)) {
    case VOICE_HEARD:
        return true;
    case VOICE_HELD:
        answer_no(request, "held",
                  _("That was not sent: you are held, and cannot talk until a moderator releases "
                    "you. You can play meanwhile."));
        break;
    case VOICE_GUEST:
        answer_no(request, "guest",
                  _("That was not sent: guests may play here, but only accounts may talk. Make "
                    "one; it takes a minute."));
        break;
    case VOICE_WARNED:
        answer_no(request, "warned",
                  _("You have been warned: /sanctions shows why; type /sanctions ok, then talk."));
        break;
    case VOICE_MUTED:
        answer_no(request, "muted",
                  _("You are muted here %p: /sanctions says why, /appeal asks to have it lifted."),
                  say_until_argument(sanctions_person_state(person)->by_staff.mute_ms[scope]));
        break;
    case VOICE_PAUSED:
        wait_s = (sanctions_person_state(person)->paused_ms - request->house->now_ms + 999) / 1000;
        answer_retry_later(request, wait_s,
                           _("You wrote too much too quickly: you can write again in %d s."),
                           (int)wait_s);
        break;
    }
    return false;
}

bool voice_allows_order(struct order *order, enum mute_scope scope)
{
    const struct request request = order_get_request(order);
    order->is_refused = order->conn->person != NULL && !voice_allows_request(&request, scope);
    return !order->is_refused;
}

void voice_set_guests_allowed(struct house *house, bool may_talk)
{
    bool *guests_may_talk = PART_STATE(house, voice);
    *guests_may_talk = may_talk;
}

void voice_pause_person(struct person *person, int64_t until_ms)
{
    sanctions_person_state(person)->paused_ms = until_ms;
}

const struct part voice_part = {
    .name = "voice",
    .house_size = sizeof(bool),
};
