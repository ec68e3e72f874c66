/** How a container tells its state machine what to think of a task that failed; names are those of sysexits.h. */
export const exitCodes = {
  /** A vendor was busy to the end (EX_UNAVAILABLE). */
  providerBusy: 69,
  /** Any other failure that may pass (EX_TEMPFAIL). */
  failed: 75,
} as const
