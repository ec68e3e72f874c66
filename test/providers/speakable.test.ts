/** The text that built-in voices get for a script: signs, sums and initials are spelled as a reader would say them. */
import { describe, expect, it } from 'vitest'
import { tokenise } from '../../lib/providers/narrator/tokenise.ts'

const said = (script: string, language = 'en') =>
  tokenise(script, language)
    .filter(({ spoken }) => spoken)
    .map(({ spoken, pause }) => spoken + pause)
    .join(' ')

describe('an English voice says', () => {
  it.each([
    ['£3bn', '3 billion pounds'],
    ['($5M)', '5 million dollars'],
    ['$500 and $1.50', '$500 and $1.50'],
    ['£1.2 million,', '1.2 million pounds,'],
    ['€1.25 billion', '1.25 billion euros'],
    ['€24.99.', '24 euros 99.'],
    ['€1 and £0.50', '1 euro and 50 pence'],
    ['20€ or 20 € or € 20', '20 euros or 20 euros or 20 euros'],
    ['₹500', '500 rupees'],
    ['€5mil', '5 euros mil'],
    ['$9/month', '$9 per month'],
  ])('the sum %s as "%s"', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it.each([
    ['½ cup', 'one half cup'],
    ['1½ cups', '1 and a half cups'],
    ['1/2 cup', 'one half cup'],
    ['3/4/2025', '3 4 2025'],
    ['-5°C', 'minus 5 degrees Celsius'],
    ['at 100 km/h', 'at 100 kilometers per hour'],
    ['10-20% in 2024–2025', '10 to 20% in 2024 to 2025'],
    ['555-1234', '555 1234'],
    ['24/7', 'twenty four seven'],
    ['in dollars 10 times, 20 lbs 5 times', 'in dollars 10 times, 20 pounds 5 times'],
    ['see https://www.US-tax.com/1/2', 'see US tax dot com'],
    ['a constructor', 'a constructor'],
  ])('the figure %s as "%s"', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it.each([
    ['The CEO and two CEOs', "The C E O and two C E O's"],
    ['An API-first EU', 'An A P I first E U'],
    ['In 476 AD.', 'In 476 A D.'],
    ['Do NOT panic, NASA', 'Do NOT panic, NASA'],
    ['TELL US ABOUT IT', 'TELL US ABOUT IT'],
  ])('initials letter by letter, and capitalised words as words: %s', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it('a full stop after "no" and "I" as one, and none after "No. 5" and "J. Smith"', () => {
    expect(said('Just say no. Then go. So do I. But No. 5 is J. Smith')).toBe(
      'Just say no. Then go. So do I. But No 5 is J Smith',
    )
  })
})

describe('other voices say', () => {
  it.each([
    ['de', 'Es kostet 20 €.', 'Es kostet 20 €.'],
    ['de', '-5 °C', 'minus 5 Grad'],
    ['de', 'Die USA und die EU.', 'Die U S A und die E U.'],
    ['es', '½ taza', 'medio taza'],
    ['es', 'El Sr. López', 'El Sr López'],
    ['pt', 'R$20 ou R$ 20', '20 reais ou 20 reais'],
    ['pt', 'R$ 5 milhões', '5 milhões de reais'],
    ['hi', '₹500', '500 रुपये'],
    ['ko', '고양이가 우는 이유. 그리고', '고양이가 우는 이유. 그리고'],
  ])('in %s %s as "%s"', (language, script, words) => {
    expect(said(script, language)).toBe(words)
  })
})
