#pragma once

/* Returns the commit from which the program was built, as 40 hexadecimal digits, followed by " with
 * uncommitted changes" if the files differed from it; or "unknown". The text is constant. */
const char *commit_text(void);
