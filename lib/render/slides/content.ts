/** Reads what stands on a slide. Clients may write anything into a scene's content, so that nothing is taken for granted here. */
import type { Slide } from './slide.ts'

export interface ListItem {
  title: string
  detail: string
}

/** More would be too small to be read. */
const itemsMax = 8

/** A word as it is compared with another one: its letters and figures, without case and punctuation. */
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

/** The list under the first of the names that holds one; else the sentences or clauses of the text. */
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

const bare = (text: string) => text.trim().replace(/[.,;:]+$/u, '')

function itemOf(value: unknown): ListItem {
  if (typeof value === 'string') return { title: value.trim(), detail: '' }
  if (typeof value !== 'object' || value === null)
    return { title: typeof value === 'number' ? String(value) : '', detail: '' }
  const content = Object.fromEntries(Object.entries(value))
  const title = textField({ content }, 'title', 'label', 'name', 'date', 'text')
  const detail = textField({ content }, 'detail', 'description', 'text', 'value')
  return { title, detail: detail === title ? '' : detail }
}
