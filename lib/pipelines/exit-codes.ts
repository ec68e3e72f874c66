/** Exit codes with which a container reports a failed task to its state machine, after sysexits.h. */
export const exitCodes = {
  /** A vendor stayed busy through all retries (EX_UNAVAILABLE). */
  providerBusy: 69,
  /** Any other failure that may be temporary (EX_TEMPFAIL). */
  failed: 75,
} as const
