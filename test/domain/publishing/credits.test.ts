/** The lines that name authors and sources, and how they are added to the text of a post. */
import { describe, expect, it } from 'vitest'
import { creditsOf, mediaCredit, textCredit, withCredits } from '../../../lib/domain/records/attribution.ts'

const author = { id: 'commons-1', author: 'Ann', url: 'https://commons.wikimedia.org/?curid=1', title: 'Sea' }
const text = { title: 'Sea', url: 'https://en.wikipedia.org/wiki/Sea', licence: 'CC-BY-SA-4.0' }

describe('a credit', () => {
  it('names title, author, licence and page', () => {
    expect(mediaCredit('still', { ...author, licence: 'CC BY 4.0' })).toBe(
      'Picture: “Sea” by Ann, CC BY 4.0, https://commons.wikimedia.org/?curid=1',
    )
    expect(mediaCredit('clip', { id: 'pexels-1', author: 'Ben', url: 'https://www.pexels.com/video/1/' })).toBe(
      'Footage: Ben, https://www.pexels.com/video/1/',
    )
    expect(textCredit(text)).toBe(
      'Text: adapted from “Sea”, Wikipedia, CC BY-SA 4.0, https://en.wikipedia.org/wiki/Sea',
    )
  })

  it('is not owed for the public domain, nor for facts without a licence', () => {
    expect(mediaCredit('still', { ...author, licence: 'CC0' })).toBeNull()
    expect(mediaCredit('still', { ...author, licence: 'Public domain' })).toBeNull()
    expect(creditsOf([{ ...text, licence: null }], [{ media: null }])).toEqual([])
  })

  it('is short, whatever the title is', () => {
    const line = mediaCredit('still', { ...author, title: 'a'.repeat(300), author: 'b'.repeat(300) })!
    expect(line.length).toBeLessThan(200)
  })

  it('has names of at most 60 characters', () => {
    const lineOf = (name: string) => mediaCredit('clip', { id: '1', author: name, url: 'u' })
    expect(lineOf('a'.repeat(60))).toBe(`Footage: ${'a'.repeat(60)}, u`)
    expect(lineOf('a'.repeat(61))).toBe(`Footage: ${'a'.repeat(59)}…, u`)
    expect(lineOf(`${'a'.repeat(58)} bcd`)).toBe(`Footage: ${'a'.repeat(58)}…, u`)
  })

  it('names the site of a text, and its licence as people write it', () => {
    const own = { title: 'Sea', url: 'https://sea.example/a', licence: 'CC-BY-3.0' }
    expect(textCredit(own)).toBe('Text: adapted from “Sea”, sea.example, CC BY 3.0, https://sea.example/a')
    expect(textCredit({ ...own, licence: null })).toBeNull()
    expect(textCredit({ ...own, url: 'https://wikipedia.org.example/' })).toContain('wikipedia.org.example')
  })

  it('is listed once, that of the text first', () => {
    const media = { credit: 'Picture: Ann' }
    expect(creditsOf([text], [{ media }, { media }, { media: {} }])).toEqual([textCredit(text), 'Picture: Ann'])
  })
})

describe('the text of a post', () => {
  const within = (max: number) => (caption: string) => caption.length <= max

  it('is unchanged without credits', () => {
    expect(withCredits('A caption \n', [], within(5))).toBe('A caption \n')
  })

  it('ends with the credits, also if it is empty', () => {
    expect(withCredits('A caption', ['One', 'Two'], within(99))).toBe('A caption\n\nOne\nTwo')
    expect(withCredits('', ['One', 'Two'], within(99))).toBe('One\nTwo')
  })

  it('has each credit once, and those that fit', () => {
    expect(withCredits('A caption\n\nOne\nTwo', ['One', 'Two'], within(99))).toBe('A caption\n\nOne\nTwo')
    expect(withCredits('A caption\n\nOne\nTwo', ['One', 'Two'], within(15))).toBe('A caption\n\nOne')
    expect(withCredits('A caption', ['A longer one', 'Two'], within(15))).toBe('A caption\n\nTwo')
  })
})
