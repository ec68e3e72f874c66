/** What drawing needs besides a composition. Files in a container, downloads in a browser: the caller hands them in. */
export interface DrawingAssets {
  /** The bytes of a font; `file` is that of a `FontFile`. The same bytes, if returned again, keep their parsed face. */
  readFont(file: string): Promise<Uint8Array>
  /** The SVG drawing of an emoji, by its name in Twemoji; undefined for others. */
  readEmoji(name: string): Promise<string | undefined>
  /** Converts the texts of an SVG document to paths with this font. */
  textToPaths(svg: string, font: { file: string; bytes: Uint8Array }): string
  /** Returns the value that was made for a key before, where a caller plans the same video again and again. */
  remember?<Value>(key: string, make: () => Value): Value
  /** In lower-case hex. */
  sha256(bytes: Uint8Array): string | Promise<string>
}
