#include "daemon/screens/drawing/played_words.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "lobby/protocol/rows.h"

void played_write_result(int32_t score, bool is_rated, int32_t change, struct text *out)
{
    if (score == ROW_NONE) {
        text_format_item(out, "%s", _("left for good"));
    } else {
        text_format_item(out, _("score %d"), score);
    }
    if (is_rated) {
        text_format_item(out, change == 0 ? _("rating unchanged") : _("rating %+d"), change);
    }
}

const char *played_write_place(int32_t rank, int32_t players, struct text *out)
{
    if (rank == 0) {
        text_put(out, "-");
    } else {
        text_format(out, _("%d of %d"), rank, players);
    }
    return out->at;
}

const char *played_write_score(int32_t score, struct text *out)
{
    if (score == ROW_NONE) {
        text_put(out, _("left"));
    } else {
        text_put_number(out, score);
    }
    return out->at;
}

const char *played_write_change(bool is_rated, int32_t change, struct text *out)
{
    if (is_rated) {
        text_format(out, change == 0 ? "%d" : "%+d", change);
    } else {
        text_put(out, "-");
    }
    return out->at;
}
