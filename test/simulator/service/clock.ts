/** `lib/clock.ts` in virtual time, which stands still while code runs. */
let last = { at: Number.NaN, text: '' }

export function now(): string {
  const at = simulator.now()
  if (at !== last.at) last = { at, text: new Date(at).toISOString() }
  return last.text
}
