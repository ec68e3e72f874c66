/**
 * Amounts of money written as two words: the currency comes first in writing ("€ 20", "£1.2 million") and last in
 * speech.
 */

const amountPattern = /^([\d.,]*\d) (euros?|pounds?|yen|rupees?|reais)(?: (\d\d))?$/
const unit = /^(?:dollars|euros|pounds|yen|rupees|reais)$/
const large = /^(?:hundred|thousand|million|billion|trillion|mil|milhão|milhões|bilhão|bilhões)$/iu

const withPreposition = (amount: string, name: string) => (/ões$|ão$/u.test(amount) ? `de ${name}` : name)

/** Two consecutive words in spoken order; null where they are not an amount. */
export function moveUnitLast(spoken: string, next: string): [spoken: string, next: string] | null {
  if (unit.test(spoken) && /^[\d.,]*\d$/.test(next)) return [next, spoken]
  if (unit.test(spoken) && large.test(next)) return [next, withPreposition(next, spoken)]
  const [, value, name = '', hundredths] = amountPattern.exec(spoken) ?? []
  if (!value || !large.test(next)) return null
  const many = /s$|yen/.test(name) ? name : `${name}s`
  return [hundredths ? `${value}.${hundredths}` : value, `${next} ${withPreposition(next, many)}`]
}
