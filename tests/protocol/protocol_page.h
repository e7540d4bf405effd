#pragma once

/* Returns the text of PROTOCOL.md, for the caller to free. */
char *protocol_page_read(void);

/* Returns the text of PROTOCOL.md from after this heading ("### seat row") to the next heading, for
 * the caller to free. Fails the test when the page has no such heading. */
char *protocol_page_read_section(const char *heading);
