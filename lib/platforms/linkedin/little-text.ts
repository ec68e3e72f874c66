/** LinkedIn's little text format for post texts, in which reserved characters need a backslash. */

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format */
const reserved = /[\\|{}@[\]()<>#*_~]/g

const hashtag = /(?<![\p{L}\p{N}_&/])[#＃](?=[\p{L}\p{N}_]*\p{L})([\p{L}\p{M}\p{N}_]+)/gu

/** A caption in little text: hashtags as templates, everything else escaped. */
export function littleText(caption: string): string {
  const parts: string[] = []
  let end = 0
  for (const found of caption.matchAll(hashtag)) {
    parts.push(escapeText(caption.slice(end, found.index)), `{hashtag|\\${found[0][0]}|${escapeText(found[1]!)}}`)
    end = found.index + found[0].length
  }
  return parts.join('') + escapeText(caption.slice(end))
}

const escapeText = (text: string) => text.replace(reserved, '\\$&')
