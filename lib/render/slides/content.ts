/** Reads the content fields of a slide. Clients can store any JSON there, so every value is checked. */
import type { Slide } from './slide.ts'

export interface ListItem {
  title: string
  detail: string
}

/** More items would be illegible. */
const itemsMax = 8

/** A word for comparison: letters, digits, currency signs and %, in lower case. */
export const normaliseWord = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Sc}%]+/gu, '')

/** The first of the named fields that holds text. */
export function textField({ content }: Pick<Slide, 'content'>, ...names: string[]): string {
  for (const name of names) {
    const value = content[name]
    if (typeof value === 'string' && value.trim()) return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return ''
}

/** The first of the named fields that holds a list, otherwise the sentences or clauses of the text. */
export function listItems(slide: Slide, ...names: string[]): ListItem[] {
  for (const name of names) {
    const value = slide.content[name]
    const listed = Array.isArray(value) ? value.map(itemOf).filter(({ title, detail }) => title || detail) : []
    if (listed.length > 0) return listed.slice(0, itemsMax)
  }
  const sentences = slide.text.split(/(?<=[.!?。！？।])\s+/u).filter(Boolean)
  const parts = sentences.length > 1 ? sentences : slide.text.split(/[,;:、，；：]\s*/u).filter(Boolean)
  return parts.slice(0, itemsMax).map((title) => ({ title: bare(title), detail: '' }))
}

const bare = (text: string) => text.trim().replace(/(?<![.,;:])[.,;:]+$/u, '')

function itemOf(value: unknown): ListItem {
  if (typeof value === 'string') return { title: value.trim(), detail: '' }
  if (typeof value !== 'object' || value === null)
    return { title: typeof value === 'number' ? String(value) : '', detail: '' }
  const content = Object.fromEntries(Object.entries(value))
  const title = textField({ content }, 'title', 'label', 'name', 'date', 'text')
  const detail = textField({ content }, 'detail', 'description', 'text', 'value')
  return { title, detail: detail === title ? '' : detail }
}
