#pragma once

/* Prints what `trickhouse --version` tells, one item a line: the version, the commit, and the
 * numbers of the protocol, of histories and of the data. The first line is always "trickhouse
 * VERSION". */
void version_print(void);
