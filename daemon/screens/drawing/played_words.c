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
