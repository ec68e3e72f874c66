/** LinkedIn's own notation for the text of posts, in which some characters mean something unless a backslash stands before them. */

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format */
const reserved = /[\\|{}@[\]()<>#*_~]/g

const hashtag = /(?<![\p{L}\p{N}_&/])[#＃](?=[\p{L}\p{N}_]*\p{L})([\p{L}\p{M}\p{N}_]+)/gu

/** A caption in little text: hashtags stay hashtags, everything else means only itself. */
export function littleText(caption: string): string {
  const parts: string[] = []
  let done = 0
  for (const found of caption.matchAll(hashtag)) {
    parts.push(escaped(caption.slice(done, found.index)), `{hashtag|\\${found[0][0]}|${escaped(found[1]!)}}`)
    done = found.index + found[0].length
  }
  return parts.join('') + escaped(caption.slice(done))
}

const escaped = (text: string) => text.replace(reserved, '\\$&')
