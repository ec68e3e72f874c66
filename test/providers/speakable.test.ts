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
    ['3/4/2025', 'March 4th 2025'],
    ['-5°C', 'minus 5 degrees Celsius'],
    ['at 100 km/h', 'at 100 kilometers per hour'],
    ['10-20% in 2024–2025', '10 to 20% in 2024 to 2025'],
    ['555-1234', '5 5 5, 1 2 3 4'],
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

  it.each([
    ['Wake at 7:30 a.m. every day.', 'Wake at 7:30 A M every day.'],
    ['Closed by 5pm, open from 7:00 a.m. Then rest.', 'Closed by 5 P M, open from 7 A M. Then rest.'],
    ['I am here.', 'I am here.'],
    ['On 12/25/2024 or 25/12/2024', 'On December 25th 2024 or December 25th 2024'],
    ['since 2024-02-01.', 'since February 1st 2024.'],
    ['99/99/2024', '99 99 2024'],
    ['Dec. 25 and Jan. 3', 'December 25 and January 3'],
    ['the 1990s, the ’90s, the 21st', 'the 1990s, the 90s, the 21st'],
  ])('the date or time %s as "%s"', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it.each([
    ['Call 555-123-4567.', 'Call 5 5 5, 1 2 3, 4 5 6 7.'],
    ['(555) 123-4567', '5 5 5, 1 2 3, 4 5 6 7'],
    ['+1-800-555-0199', '1, 8 0 0, 5 5 5, 0 1 9 9'],
    ['Call 911 now, in 911 homes', 'Call 9 1 1 now, in 911 homes'],
  ])('the telephone number %s in groups of digits', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it.each([
    ['me.too@example.com', 'me dot too at example dot com'],
    ['Follow @janedoe', 'Follow at janedoe'],
    ['Meet @ noon', 'Meet at noon'],
    ['#1 in #MondayMotivation', 'number 1 in Monday Motivation'],
    ['# Heading', 'Heading'],
    ['ChatGPT, CO2 and CO₂.', 'Chat G P T, C O 2 and C O 2.'],
    ['Wi-Fi vs. 5G', 'WiFi versus 5G'],
    ['C# and C++', 'C sharp and C plus plus'],
  ])('the sign or name %s as "%s"', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it.each([
    ['Dr. Smith on Elm Dr. today', 'Doctor Smith on Elm Drive today'],
    ['St. Louis, 5 Main St. today', 'Saint Louis, 5 Main Street today'],
    ['Fruit, e.g. apples, i.e. food', 'Fruit, for example apples, that is food'],
    ['World War II and Part IV', 'World War 2 and Part 4'],
    ['the U.S. economy', 'the U S economy'],
  ])('the abbreviation %s as "%s"', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it.each([
    ['5 kg or 1 kg', '5 kilograms or 1 kilogram'],
    ['330 m tall, 6 ft wide', '330 meters tall, 6 feet wide'],
    ['1 ft', '1 foot'],
    ['30g of 16GB at 3 GHz', '30 grams of 16 gigabytes at 3 gigahertz'],
    ['10m views, I m', '10m views, I m'],
    ['1 km/h', '1 kilometer per hour'],
    ['50 m²', '50 square meters'],
    ['~100, 10x more, 3 × 4', 'about 100, 10 times more, 3 times 4'],
  ])('the unit or sign of %s as "%s"', (script, words) => {
    expect(said(script)).toBe(words)
  })

  it('a full stop after "no" and "I" as one, and none after "No. 5" and "J. Smith"', () => {
    expect(said('Just say no. Then go. So do I. But No. 5 is J. Smith')).toBe(
      'Just say no. Then go. So do I. But number 5 is J Smith',
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
