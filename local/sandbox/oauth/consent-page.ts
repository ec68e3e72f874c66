// HTML of the consent page of the sandbox.

import { type PlatformId, platforms } from '../../../lib/domain/core/platform.ts'
import type { SandboxUser } from '../server/access-tokens.ts'
import { escapeHtml } from '../server/escape-html.ts'

interface ConsentView {
  platform: PlatformId
  name: string
  /** Hidden fields that the form submits again. */
  parameters: Readonly<Record<string, string>>
  scopes: readonly string[]
  people: readonly SandboxUser[]
}

export function consentPage({ platform, name, parameters, scopes, people }: ConsentView): string {
  const hiddenInputs = Object.entries(parameters).map(
    ([field, value]) => `<input type="hidden" name="${escapeHtml(field)}" value="${escapeHtml(value)}">`,
  )
  return layout(
    name,
    colorOf(platform),
    `<h1>Reelsmith wants to use your ${escapeHtml(name)} account</h1>
<form method="post" action="?">
${hiddenInputs.join('\n')}
<fieldset><legend>Continue as</legend>${people.map(person).join('')}</fieldset>
<fieldset><legend>It may</legend>${scopes.map(permission).join('')}</fieldset>
<div class="buttons">
<button name="decision" value="deny">Cancel</button>
<button name="decision" value="allow" class="main">Allow</button>
</div>
</form>
<footer>You return to ${escapeHtml(new URL(parameters.redirect_uri ?? 'http://nowhere').host)}</footer>`,
  )
}

export const errorPage = (name: string, message: string) =>
  layout(name, '#b3261e', `<h1>${escapeHtml(name)} does not document this request</h1><p>${escapeHtml(message)}</p>`)

const person = ({ externalId, username }: SandboxUser, index: number) => `
<label class="person"><input type="radio" name="user" value="${escapeHtml(externalId)}"${index === 0 ? ' checked' : ''}>
<i>${escapeHtml(username[0]?.toUpperCase() ?? '')}</i><b>${escapeHtml(username)}</b><small>${escapeHtml(externalId)}</small></label>`

const permission = (scope: string) =>
  `<label class="scope"><input type="checkbox" name="allow" value="${escapeHtml(scope)}" checked>${escapeHtml(scope.replace(/^https:\/\/\S+\//, ''))}</label>`

const layout = (name: string, color: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)} in the sandbox</title>
<style>${style}</style>
</head>
<body style="--brand: ${color}">
<main>
<p class="brand"><i></i>${escapeHtml(name)}<span>sandbox</span></p>
${content}
</main>
</body>
</html>
`

const colorOf = (platform: PlatformId) => platforms.find(({ id }) => id === platform)!.color

const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f4, #131314);
  --card: light-dark(#fff, #1d1d1f);
  --line: light-dark(#e4e4e0, #2c2c30);
  --text: light-dark(#1c1c1e, #ececee);
  --faint: light-dark(#77777c, #8f8f96);
}
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 420px; padding: 28px 32px 24px; background: var(--card); border: 1px solid var(--line);
  border-top: 4px solid var(--brand); border-radius: 16px; }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; }
.brand i { width: 10px; height: 10px; border-radius: 50%; background: var(--brand); outline: 1px solid var(--line); }
.brand span { margin-left: auto; padding: 1px 8px; color: var(--faint); border: 1px solid var(--line); border-radius: 99px;
  font-size: 12px; font-weight: 400; }
h1 { margin: 18px 0 20px; font-size: 21px; font-weight: 650; line-height: 1.3; letter-spacing: -0.01em; text-wrap: balance; }
fieldset { padding: 0; margin-bottom: 20px; border: 0; }
legend { padding: 0; margin-bottom: 6px; color: var(--faint); font-size: 13px; }
label { display: flex; align-items: center; gap: 10px; cursor: pointer; }
.person { padding: 9px 12px; border: 1px solid var(--line); }
.person:first-of-type { border-radius: 12px 12px 0 0; }
.person:last-of-type { border-radius: 0 0 12px 12px; }
.person + .person { border-top: 0; }
.person:has(:checked) { background: color-mix(in srgb, var(--text) 5%, transparent); }
.person i { display: grid; place-items: center; width: 28px; height: 28px; border-radius: 50%; background: var(--text);
  color: var(--card); font-style: normal; font-size: 13px; font-weight: 600; }
.person small { margin-left: auto; overflow: hidden; color: var(--faint); font-size: 12px; text-overflow: ellipsis; }
.scope { padding: 3px 0; font: 13px/1.5 ui-monospace, monospace; }
input { accent-color: var(--text); }
.buttons { display: grid; grid-template-columns: 1fr 1fr; gap: 10px; }
button { padding: 10px 16px; font: inherit; font-weight: 600; color: inherit; background: none; border: 1px solid var(--line);
  border-radius: 10px; cursor: pointer; }
button.main { color: var(--card); background: var(--text); border-color: var(--text); }
button:focus-visible, input:focus-visible { outline: 2px solid #0a84ff; outline-offset: 2px; }
footer { margin-top: 18px; color: var(--faint); font-size: 12px; text-align: center; }
`
