/** Sums of money whose figure and unit are words of their own: what is written first ("€ 20", "£1.2 million") is said last. */

const sum = /^([\d.,]*\d) (euros?|pounds?|yen|rupees?|reais)(?: (\d\d))?$/
const unit = /^(?:dollars|euros|pounds|yen|rupees|reais)$/
const large = /^(?:hundred|thousand|million|billion|trillion|mil|milhão|milhões|bilhão|bilhões)$/iu

const of = (amount: string, name: string) => (/ões$|ão$/u.test(amount) ? `de ${name}` : name)

/** Two words that follow one another, as they are to be said; null where they are no such sum. */
export function moveUnitLast(spoken: string, next: string): [spoken: string, next: string] | null {
  if (unit.test(spoken) && /^[\d.,]*\d$/.test(next)) return [next, spoken]
  if (unit.test(spoken) && large.test(next)) return [next, of(next, spoken)]
  const [, value, name = '', hundredths] = sum.exec(spoken) ?? []
  if (!value || !large.test(next)) return null
  const many = /s$|yen/.test(name) ? name : `${name}s`
  return [hundredths ? `${value}.${hundredths}` : value, `${next} ${of(next, many)}`]
}
