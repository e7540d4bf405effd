#pragma once

#include <jansson.h>
#include <stdarg.h>

/*
 * A sentence that the core causes is sent twice: as English text, for programs, and as `say`, a
 * list of its format (its key in the catalogues) and the arguments, so that a session can translate
 * it (daemon/base/said.h). PROTOCOL.md describes it.
 */

/* Returns [format, argument, ...] of a printf format, for the caller to own. Supported: the
 * conversions s, d, i, u and f, the lengths l, ll, z and j, and a precision in digits; %% takes no
 * argument. Returns NULL for any other format: then only the text is sent. */
json_t *say_parts(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
