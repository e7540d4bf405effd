#ifndef DAEMON_BASE_I18N_H
#define DAEMON_BASE_I18N_H

/* Words people read pass through _(); texts defined elsewhere are marked N_() (games/macros.h). */

#include "games/macros.h"

#include <libintl.h>

#define _(text) gettext(text)

#endif
