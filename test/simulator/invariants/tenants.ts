/** Workspaces are apart, and secrets are hidden. */
import { type Facts, workspaceOf } from './facts.ts'

export function tenantsApart({ items, workspaces }: Facts): string[] {
  return items.flatMap((item) => {
    const owner = workspaceOf(String(item.pk))
    const others = workspaces.filter(({ id }) => id !== owner)
    if (!owner || others.length === 0) return []
    const text = JSON.stringify(item)
    return others
      .filter(({ id }) => text.includes(id))
      .map(({ id }) => `${item.pk}/${item.sk} names the workspace ${id}.`)
  })
}

/** A request that names a record of another workspace finds nothing. */
export function foreignersRefused({ sent, world: { monitor } }: Facts): string[] {
  return sent.flatMap(({ route, path, workspaceId, answers }) => {
    const [, id = ''] = /^\/(?:videos|automations|webhooks)\/([^/]+)/.exec(path) ?? []
    const owner = (monitor.videos.get(id) ?? monitor.webhooks.get(id))?.workspaceId
    const isAnswered = answers.some((answer) => answer && answer.status !== 404 && answer.status < 500)
    return owner !== undefined && owner !== workspaceId && isAnswered
      ? [`${route} of the workspace ${workspaceId} found ${id} of ${owner}.`]
      : []
  })
}

export function secretsHidden({
  world: { logs, received },
  workspaces,
  secrets,
  keys,
  records,
  items,
}: Facts): string[] {
  const hidden = [
    ...workspaces.map(({ apiKey }) => apiKey),
    ...keys,
    ...secrets.values(),
    ...[...secrets.values()].map((secret) => secret.slice('whsec_'.length)),
    ...[...records.values()].map(({ mediaSecret }) => mediaSecret),
    'client-secret-of-the-deployment',
    'access-0.',
    'refresh-0.',
  ]
  const output = [...logs, ...received.map(({ body }) => body)].join('\n')
  const leaked = hidden
    .filter((secret) => output.includes(secret))
    .map((secret) => `${secret.slice(0, 10)}… is in a log or a body.`)
  const rows = JSON.stringify(items.filter(({ pk }) => !String(pk).endsWith('/META')))
  const stored = [...workspaces.map(({ apiKey }) => apiKey), ...keys, ...secrets.values()].filter((secret) =>
    rows.includes(secret),
  )
  return [...leaked, ...stored.map((secret) => `${secret.slice(0, 10)}… is in the table in clear text.`)]
}
