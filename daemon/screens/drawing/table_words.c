#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

static const char *describe_halt(enum table_halt halt)
{
    return halt == HALT_PAUSE ? _("paused") : halt == HALT_ADJOURN ? _("adjourned") : _("waiting");
}

const char *table_write_state(enum table_phase phase, enum table_halt halt, int round,
                              int round_count, struct text *out)
{
    if (phase != TABLE_PLAYING) {
        text_put(out, phase == TABLE_OPEN ? _("open") : _("finished"));
    } else if (halt != HALT_NONE) {
        text_put(out, describe_halt(halt));
    } else if (round == 0) {
        text_put(out, _("playing"));
    } else if (round_count > 0) {
        text_format(out, _("round %d of %d"), round, round_count);
    } else {
        text_format(out, _("round %d"), round);
    }
    return out->at;
}
