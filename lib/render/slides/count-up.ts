/** Counts up to a figure as it is written: "3,500 %", "$1.2 million". */

/** Values that lead up to the figure, quick at first; none where there is nothing to count. */
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

/** Another number with the marks of this one at their places. */
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
