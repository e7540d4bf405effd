#include "lobby/sanctions/knocks.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/staff.h"

#define KNOCK_AGAIN_MS INT64_C(600000) /* how soon staff are told again of the same ban */

#define KNOCKS_KEPT 16

struct knocks {
    struct {
        int64_t ban, until_ms;
    } told[KNOCKS_KEPT];
    struct bucket pace;
    uint32_t untold; /* attempts that staff were not told of since the last line */
};

static const struct bucket_rule knocks_rule = {KNOCKS_BURST, 1.0 / 60};

/* Whether staff need not be told of this ban now; if they need, notes that they are told. The
 * oldest entry is replaced. */
static bool is_staff_told_already(struct house *house, int64_t ban)
{
    struct knocks *knocks = PART_STATE(house, knocks);
    size_t oldest = 0;
    for (size_t i = 0; i < KNOCKS_KEPT; i++) {
        if (knocks->told[i].ban == ban && house->now_ms < knocks->told[i].until_ms) {
            return true;
        }
        oldest = knocks->told[i].until_ms < knocks->told[oldest].until_ms ? i : oldest;
    }
    if (!bucket_take(&knocks->pace, &knocks_rule, 1, house->now_ms)) {
        return true;
    }
    knocks->told[oldest].ban = ban;
    knocks->told[oldest].until_ms = house->now_ms + KNOCK_AGAIN_MS;
    return false;
}

void banned_attempts_notify_staff(struct house *house, const struct conn *conn,
                                  const struct storage_sanction *ban, const char *name)
{
    struct knocks *knocks = PART_STATE(house, knocks);
    if (is_staff_told_already(house, ban->id)) {
        knocks->untold++;
        return;
    }
    json_t *told = say(_("Refused at sign-in: %p, from %s. Ban %lld of %s: %.200s"),
                       say_translated(name == NULL ? _("somebody without an account") : name),
                       conn->address, (long long)ban->id, sanction_target_text(ban), ban->reason);
    if (knocks->untold > 0) {
        told = say_plural("%p (and %u more attempt by people who are banned)",
                          "%p (and %u more attempts by people who are banned)", say_sentence(told),
                          (unsigned)knocks->untold);
        knocks->untold = 0;
    }
    staff_notify(house, STORAGE_ROLE_MOD, told);
}

const struct part knocks_part = {
    .name = "knocks",
    .house_size = sizeof(struct knocks),
};
