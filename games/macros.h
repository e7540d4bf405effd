#pragma once

/* The few macros that every folder may use. */

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))
#define MUST_CHECK __attribute__((warn_unused_result))

/* Marks a parameter that the function's type demands but the function does not use. */
#define UNUSED __attribute__((unused))

/* Marks a large local variable that is always written before it is read, so that hardened builds do
 * not spend time zeroing it. */
#define FILLED_LATER __attribute__((uninitialized))

/* Marks a text for translation where it is defined. It is translated where it is shown. */
#define N_(text) text
