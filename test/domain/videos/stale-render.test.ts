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
it('is not stale while another one runs', () =>
  expect(rendered({ contentVersion: 5 }, { status: 'QUEUED' })).toBe(false))
