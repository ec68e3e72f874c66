/** The layout of the HTML pages: a centred card. No scripts, no external resources, no framing (see `htmlHeaders`). */
import { createHash } from 'node:crypto'

export interface HtmlPage {
  status: number
  html: string
}

export interface Card {
  /** Of the platform, `#rrggbb`. */
  color?: string | undefined
  isSuccess: boolean
  /** Plain text, as are `text` and `small`. */
  title: string
  text: string
  small?: string | undefined
  choices?: Choices | undefined
}

/** A form with one button per option; it sends `name` and the hidden fields to the same URL. */
export interface Choices {
  hiddenFields: Readonly<Record<string, string>>
  name: string
  options: readonly { value: string; label: string; small: string }[]
}

export const cardPage = (
  status: number,
  { color = '#8f8f96', isSuccess, title, text, small, choices }: Card,
): HtmlPage => ({
  status,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 48 48" width="48" height="48" fill="none" stroke="${readableStroke(color)}" stroke-width="3.5" stroke-linecap="round"
stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="21"/>${choices ? dots : isSuccess ? tick : exclamationMark}</svg>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${choices ? choicesForm(choices) : ''}${small ? `<small>${escapeHtml(small)}</small>` : ''}
</main>
</body>
</html>
`,
})

/** GET, because the callback takes only GET. A form, because browsers may prefetch links. */
const choicesForm = ({ hiddenFields, name, options }: Choices) => {
  const hidden = Object.entries(hiddenFields).map(
    ([field, value]) => `<input type="hidden" name="${escapeHtml(field)}" value="${escapeHtml(value)}">`,
  )
  const buttons = options.map(
    ({ value, label, small }) =>
      `<button name="${escapeHtml(name)}" value="${escapeHtml(value)}">${escapeHtml(label)}<small>${escapeHtml(small)}</small></button>`,
  )
  return `<form method="get">${[...hidden, ...buttons].join('\n')}</form>\n`
}

/** Near-black is invisible in dark mode. */
const readableStroke = (color: string) =>
  color.match(/[0-9a-f]{2}/gi)!.every((part) => Number.parseInt(part, 16) < 32) ? 'currentColor' : color

const tick = '<path d="M15 25l6.5 6.5L34 18"/>'
const dots = '<path d="M15 24v.01M24 24v.01M33 24v.01"/>'
const exclamationMark = '<path d="M24 14v12M24 33.5v.01"/>'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter]!)

const style = `
:root { color-scheme: light dark; --page: light-dark(#f6f6f4, #131314); --card: light-dark(#fff, #1d1d1f);
  --line: light-dark(#e4e4e0, #2c2c30); --text: light-dark(#1c1c1e, #ececee); --faint: light-dark(#6c6c72, #98989f); }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 400px; padding: 40px 32px 36px; text-align: center; background: var(--card);
  border: 1px solid var(--line); border-radius: 18px; }
h1 { margin: 18px 0 8px; font-size: 22px; font-weight: 650; line-height: 1.3; letter-spacing: -0.01em; text-wrap: balance; }
p { color: var(--faint); overflow-wrap: anywhere; text-wrap: pretty; }
small { display: block; margin-top: 20px; color: var(--faint); font-size: 12px; overflow-wrap: anywhere; }
form { display: grid; gap: 10px; margin-top: 24px; }
button { padding: 10px 16px; font: inherit; font-weight: 600; color: var(--text); background: none; border: 1px solid var(--line);
  border-radius: 10px; cursor: pointer; overflow-wrap: anywhere; }
button small { margin-top: 0; font-weight: 400; }
button:hover, button:focus-visible { border-color: currentColor; outline: none; }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The URL may hold an authorization code: no referrer, no cache. */
export const htmlHeaders: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}
