/**
 * Rich text facets of a Bluesky post: the byte ranges of links and hashtags in its plain text.
 * https://docs.bsky.app/docs/advanced-guides/post-richtext
 */
import { graphemeCount, utf8ByteLength } from '../caption-length.ts'

interface Facet {
  /** Bytes of UTF-8; the end is exclusive. */
  index: { byteStart: number; byteEnd: number }
  features: [
    { $type: 'app.bsky.richtext.facet#link'; uri: string } | { $type: 'app.bsky.richtext.facet#tag'; tag: string },
  ]
}

const link = /(?<=^|[\s(])https?:\/\/[^\s<>"]+/giu
const tag = /(?<=^|\s)[#＃](?!\ufe0f)(?:(?![\u00ad\u2060\u200a-\u200d]|\u20e2)\S)+/gu
/** Punctuation after a link or a tag belongs to the sentence. */
const trailing = /(?<!\p{P})\p{P}+$/u
const tagGraphemesMax = 64
const tagBytesMax = 640

export function facetsOf(text: string): Facet[] {
  const links = [...text.matchAll(link)].flatMap(({ 0: found, index }) => linkFacet(text, linkIn(found), index))
  const tags = [...text.matchAll(tag)].flatMap(({ 0: found, index }) =>
    tagFacet(text, found.slice(1).replace(trailing, ''), index),
  )
  return [...links, ...tags].toSorted((a, b) => a.index.byteStart - b.index.byteStart)
}

/** A closing bracket belongs to the link only if the link opens it: https://en.wikipedia.org/wiki/Ada_(name). */
function linkIn(found: string): string {
  const plain = found.replace(/(?<![.,;:!?'"])[.,;:!?'"]+$/, '')
  return plain.endsWith(')') && !plain.includes('(') ? plain.slice(0, -1) : plain
}

function linkFacet(text: string, uri: string, at: number): Facet[] {
  if (!URL.canParse(uri)) return []
  return [{ index: bytesOf(text, at, uri.length), features: [{ $type: 'app.bsky.richtext.facet#link', uri }] }]
}

function tagFacet(text: string, name: string, at: number): Facet[] {
  const isTag =
    /[^\d\p{P}\s]/u.test(name) && graphemeCount(name) <= tagGraphemesMax && utf8ByteLength(name) <= tagBytesMax
  if (!isTag) return []
  const index = bytesOf(text, at, name.length + 1)
  return [{ index, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: name }] }]
}

function bytesOf(text: string, at: number, length: number) {
  const byteStart = utf8ByteLength(text.slice(0, at))
  return { byteStart, byteEnd: byteStart + utf8ByteLength(text.slice(at, at + length)) }
}
