/** What the operator and the client read of a failed render. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { publicRenderError } from '../../../containers/media/render/public-render-error.ts'
import { RenderFailure } from '../../../containers/media/render-failure.ts'
import { log } from '../../../lib/log.ts'

afterEach(() => void vi.restoreAllMocks())

describe('a render that fails for good', () => {
  it.each([
    ['warn', 'bad-media', 'A picture, a clip or the narration of this video cannot be used.'],
    ['error', 'bad-composition', 'The timelines of this video cannot be rendered.'],
  ] as const)('is logged at level %s where it is %s, and names no path to the client', (level, code, message) => {
    const written = { warn: vi.spyOn(log, 'warn'), error: vi.spyOn(log, 'error') }
    const failure = new RenderFailure(code, '/scratch/still-0.png is no picture')
    expect(publicRenderError(failure, 'free')).toMatchObject({ name: 'JobFailure', code: 'render-failed', message })
    expect(written[level]).toHaveBeenCalledExactlyOnceWith('render.failed', { error: failure })
    expect(written[level === 'warn' ? 'error' : 'warn']).not.toHaveBeenCalled()
  })
})
