#include "daemon/screens/drawing/table_words.h"

#include "daemon/base/i18n.h"

#include <stdio.h>

#define LINE_BYTES 64

static const char *halt_word(enum table_halt halt)
{
    return halt == HALT_PAUSE ? _("paused") : halt == HALT_ADJOURN ? _("adjourned") : _("waiting");
}

void table_write_state(enum table_phase phase, enum table_halt halt, int round, int rounds,
                       struct text *out)
{
    char line[LINE_BYTES];
    if (phase != TABLE_PLAYING) {
        text_put(out, phase == TABLE_OPEN ? _("open") : _("finished"));
    } else if (halt != HALT_NONE) {
        text_put(out, halt_word(halt));
    } else if (round == 0) {
        text_put(out, _("playing"));
    } else if (rounds > 0) {
        snprintf(line, sizeof line, _("round %d of %d"), round, rounds);
        text_put(out, line);
    } else {
        snprintf(line, sizeof line, _("round %d"), round);
        text_put(out, line);
    }
}
