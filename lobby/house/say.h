#ifndef LOBBY_HOUSE_SAY_H
#define LOBBY_HOUSE_SAY_H

#include <jansson.h>
#include <stdarg.h>

/*
 * A sentence that the core causes travels twice: as English text, for programs, and as `say`: a
 * list of its format, which is the sentence's key in the catalogues, and of its arguments, so that
 * a session words it in its person's language (daemon/base/said.h). PROTOCOL.md describes it.
 */

/* [format, argument, ...] of a printf format with the conversions s d i u f and c, lengths l, ll, z
 * and j, and a precision in digits; %% takes no argument. NULL when the format has others: then
 * there is only the text. The caller's. */
json_t *say_parts(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
