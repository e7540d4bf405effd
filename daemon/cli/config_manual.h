#pragma once

#include <stdio.h>

/* Prints the manual page of the configuration file, trickhouse.conf(5), as mdoc source. The page
 * describes every setting. deploy/man/trickhouse.conf.5 is a copy of it. */
void config_manual_print(FILE *out);

/* Prints an ASCII text as mdoc: each sentence begins a new line, words in back quotes become
 * literal text, and characters with a meaning in mdoc lose it. */
void config_manual_print_text(FILE *out, const char *text);
