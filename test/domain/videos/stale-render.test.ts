/** When a render is shown as out of date. The lifecycle is in `test/model`, which found that later edits were not. */
import { expect, it } from 'vitest'
import { isRenderStale } from '../../../lib/domain/videos/stale-render.ts'

const rendered = (fields: object = {}, render: object = {}) =>
  isRenderStale({
    contentVersion: 4,
    media: { renderKey: 'renders/a.mp4' },
    render: { status: 'COMPLETED', stale: false, inputVersion: 4, ...render },
    ...fields,
  } as Parameters<typeof isRenderStale>[0])

it('is current until its content changes', () => expect(rendered()).toBe(false))
it('is stale after a later edit', () => expect(rendered({ contentVersion: 5, shownVersion: 5 })).toBe(true))
it('is stale after a later edit in the row of an older release', () =>
  expect(rendered({ contentVersion: 5 })).toBe(true))
it('is current after an edit that no render shows', () =>
  expect(rendered({ contentVersion: 5, shownVersion: 4 })).toBe(false))
it('is stale where it was edited while it ran', () => expect(rendered({}, { stale: true })).toBe(true))
it('is not stale where nothing is shown', () =>
  expect(rendered({ contentVersion: 5, media: { renderKey: null } })).toBe(false))

const shown = { renderKey: 'renders/a.mp4', renderedVersion: 4 }
it.each(['QUEUED', 'PROCESSING', 'FAILED'])(
  'is stale after an edit while the next one is %s, since it is still shown',
  (status) => {
    const next = { status, inputVersion: status === 'QUEUED' ? null : 5 }
    expect(rendered({ contentVersion: 5, media: shown }, next)).toBe(true)
    expect(rendered({ contentVersion: 4, media: shown }, next)).toBe(false)
  },
)
it('of an older release is not stale while another one runs: nothing tells which content it shows', () =>
  expect(rendered({ contentVersion: 5 }, { status: 'QUEUED' })).toBe(false))
