/** Counts up to a formatted number, such as "3,500 %" or "$1.2 million". */

/** The intermediate values, in the same format and with ease-out; empty where there is no number to count to. */
export function countUpValues(value: string, steps: number): string[] {
  const [, before = '', number = '', after = ''] = /^(\D*)(\d+(?:[.,]\d+)*)(.*)$/su.exec(value) ?? []
  const digits = number.replace(/\D/g, '')
  const whole = Number(digits)
  if (digits.length > 12 || whole < 2) return []
  return Array.from({ length: steps }, (_, step) => {
    const share = 1 - (1 - (step + 1) / (steps + 1)) ** 2
    return before + formatLike(number, Math.round(whole * share)) + after
  })
}

/** Formats a number with the separators of the pattern. */
function formatLike(pattern: string, number: number): string {
  const decimals = /[.,](\d{1,2})$/.exec(pattern)?.[1]?.length ?? 0
  const left = [...String(number).padStart(decimals + 1, '0')]
  let text = ''
  for (const mark of [...pattern].reverse()) {
    if (left.length === 0) break
    text = (/\d/.test(mark) ? left.pop()! : mark) + text
  }
  return text
}
