/** The header `If-Match` (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1), read strictly. It must not compare revisions. */
import { headerLengthsMax } from '../contract/header-lengths.ts'
import { Refusal } from '../domain/core/refusal.ts'

/** One element of the list, which may be empty, and the comma after it, with the spaces behind both. */
const element = /(?:((?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*")[ \t]*)?(,[ \t]*|$)/y

/**
 * The strong tags of the header; undefined without it, and for `*`, which any video matches. Weak tags match nothing.
 * @throws Refusal `invalid-request` where it is neither `*` nor a list of entity tags, or is too long.
 */
export function strongTagsOf(headers: Record<string, string | undefined>): string[] | undefined {
  const header = headers['if-match']?.replace(/^[ \t]+/, '')
  if (header === undefined || header.trim() === '*') return undefined
  if (header.length > headerLengthsMax.ifMatch)
    throw invalid(`must be at most ${headerLengthsMax.ifMatch} characters long`)
  const tags: string[] = []
  let comma: string | undefined = ','
  for (element.lastIndex = 0; comma; ) {
    const match = element.exec(header)
    if (!match) throw invalid(malformed)
    if (match[1]) tags.push(match[1])
    comma = match[2]
  }
  if (tags.length === 0) throw invalid(malformed)
  return tags.filter((tag) => !tag.startsWith('W/'))
}

const malformed = 'must be `*`, or the `ETag` of a response with its quotes'

function invalid(message: string): Refusal {
  const detail = { path: 'headers.If-Match', message }
  return new Refusal('invalid-request', `${detail.path} ${detail.message}.`, { details: [detail] })
}
