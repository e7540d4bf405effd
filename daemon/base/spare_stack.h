#pragma once

/* Gives the memory of the stack below the caller's frame back to the system: a call that once went
 * deep, or had large variables, leaves pages that the process may never need again. They are zero
 * when they are next used. Does nothing in builds with sanitizers, which track the stack. */
void spare_stack_release(void);
