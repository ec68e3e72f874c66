/** Edits of the title, the brief and the theme. */
import { describe, expect, it } from 'vitest'
import type { VideoDecision } from '../../../lib/domain/records/decision.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { withPaidTerms } from '../../../lib/domain/videos/create-video.ts'
import { editVideo, mergeConfig, setDescription, type VideoEdit } from '../../../lib/domain/videos/edits.ts'
import { builtInVoices as voices } from '../../../lib/domain/videos/voices.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import { at, briefWith, videoInputWith, videoThatIs } from '../support/videos.ts'

const edit = (video: Video, fields: VideoEdit): VideoDecision => editVideo(video, fields, voices, at(50))
const generated = videoThatIs.generated()
const uploaded: Video = { ...generated, type: 'video', brief: briefWith({ prompt: '', text: null }) }

describe('an edit of the brief', () => {
  it('needs an idea or a text where the prompt is changed, except for an upload', () => {
    expect(refusalCodeOf(() => edit(generated, { prompt: ' ' }))).toBe('invalid-request')
    const withText = { ...generated, brief: briefWith({ text: 'Own words.' }) }
    expect(edit(withText, { prompt: '' }).video.brief.prompt).toBe('')
    expect(edit(uploaded, { prompt: '' }).video.brief.prompt).toBe('')
    expect(edit({ ...uploaded, type: 'faceless' }, { title: 'Other' }).video.title).toBe('Other')
  })

  it('takes the provider of the voice, and refuses another one', () => {
    const voice = voices.find(({ id }) => id !== generated.brief.voiceId)!
    expect(edit(generated, { voiceId: voice.id }).video.brief).toMatchObject({
      voiceId: voice.id,
      voiceProvider: voice.provider,
    })
    const rich = { ...voice, id: 'eleven-1', provider: 'expressive' as const }
    const { brief } = editVideo(generated, { voiceId: 'eleven-1' }, [...voices, rich], at(50)).video
    expect(brief).toMatchObject({ voiceId: 'eleven-1', voiceProvider: 'expressive' })
    const other = voice.provider === 'standard' ? 'expressive' : 'standard'
    expect(refusalCodeOf(() => edit(generated, { voiceId: voice.id, voiceProvider: other }))).toBe('invalid-request')
  })

  it('names the video for good, and keeps what it does not name', () => {
    const working = { ...generated, titleIsWorking: true }
    expect(edit(working, { title: 'Named' }).video).toMatchObject({
      title: 'Named',
      titleIsWorking: false,
      subType: null,
    })
    expect(edit(working, { subType: 'presentation' }).video).toMatchObject({
      title: generated.title,
      titleIsWorking: true,
      subType: 'presentation',
    })
  })

  it('makes renders stale where a render shows it', () => {
    const versions = ({ video }: VideoDecision) => [video.contentVersion, video.shownVersion]
    const { contentVersion } = generated
    expect(versions(edit(generated, { title: 'Named' }))).toEqual([contentVersion + 1, contentVersion + 1])
    expect(versions(edit(generated, { prompt: 'Another idea' }))).toEqual([contentVersion + 1, contentVersion])
  })

  it('wakes the automation of a blueprint, and of nothing else', () => {
    const decision = edit({ ...generated, isAutomation: true }, { prompt: 'Another' })
    expect(decision).toMatchObject({
      changes: [{ after: decision.video }],
      automationWakeUps: [{ automationId: 'vid_1' }],
    })
    expect(edit(generated, { prompt: 'Another' })).not.toHaveProperty('automationWakeUps')
    expect(edit(generated, { prompt: 'Another' })).not.toHaveProperty('slotTimers')
  })
})

it('a description and a theme change nothing else', () => {
  const described = setDescription(generated, 'About it', 'Short', at(50)).video
  expect(described).toEqual({
    ...generated,
    version: generated.version + 1,
    updatedAt: at(50),
    brief: { ...generated.brief, description: 'About it', descriptionPrompt: 'Short' },
  })
  const themed = mergeConfig({ ...generated, config: { captionsFontSize: 40 } }, { captionsAnimation: 'none' }, at(50))
  expect(themed.video.config).toEqual({ captionsFontSize: 40, captionsAnimation: 'none' })
})

it('a generation keeps the terms that were paid for, whatever is edited meanwhile', () => {
  const queued = videoThatIs.queued(videoInputWith())
  const edited = {
    ...queued,
    brief: briefWith({ prompt: 'Another', videoDuration: 'custom', targetDuration: 300 } as never),
  }
  expect(withPaidTerms(edited)).toMatchObject({ id: edited.id, process: edited.process, version: edited.version })
  expect(withPaidTerms(edited).brief).toMatchObject({
    prompt: 'Another',
    videoDuration: 'subminute',
    targetDuration: null,
  })
})
