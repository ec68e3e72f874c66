/*
 * Preloaded into init and Node, which hold the credentials of the task. Other processes of the same user, such as
 * ffmpeg, can then not read their memory and environment under /proc, nor attach to them. A new program that they start
 * is not affected: it resets this.
 */
#include <sys/prctl.h>

__attribute__((constructor)) static void hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
