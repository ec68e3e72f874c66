import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { estimateSpeechSeconds } from '../../lib/domain/core/speech-duration.ts'
import { bedrockClient } from '../../lib/providers/bedrock.ts'
import type { Findings } from '../../lib/providers/research/index.ts'
import { bedrockTextModel } from '../../lib/providers/text-model/bedrock.ts'
import { builtInWriter } from '../../lib/providers/writer/built-in.ts'
import { trimToDuration } from '../../lib/providers/writer/fit-duration.ts'
import { modelWriter } from '../../lib/providers/writer/model.ts'
import { startFakeBedrock } from '../support/fake-vendors/bedrock.ts'
import { converse, converseModel, errorFault, textResponse, toolUseResponse } from '../support/fake-vendors/converse.ts'
import type { FakeVendor, VendorFault } from '../support/fake-vendors/fake-vendor.ts'
import { fakeNova } from '../support/fake-vendors/nova.ts'
import { writerSuite } from './writer-suite.ts'

let bedrock: FakeVendor
beforeAll(async () => {
  bedrock = await startFakeBedrock(converse(fakeNova))
})
afterAll(() => bedrock.stop())
beforeEach(() => {
  bedrock.calls.length = 0
  bedrock.faults = []
})

const model = (modelId = converseModel) =>
  bedrockTextModel({ client: bedrockClient({ endpoint: bedrock.url }), modelId })
const writer = (modelId = converseModel) => modelWriter(model(modelId))

/** An API key of Bedrock, from https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html. */
const token = process.env.BEDROCK_API_KEY
const real = () =>
  modelWriter(
    bedrockTextModel({
      client: new BedrockRuntimeClient({
        region: 'us-east-1',
        token: { token: token ?? '' },
        authSchemePreference: ['httpBearerAuth'],
      }),
      modelId: converseModel,
    }),
  )

writerSuite('built in', () => builtInWriter)
writerSuite('of a stand-in for Bedrock', () => writer())
writerSuite('of Bedrock itself (BEDROCK_API_KEY)', real, { skip: !token })

const wish = {
  prompt: 'Sleep better',
  scriptPrompt: null,
  language: 'en',
  durationSecondsMax: 60,
  mood: null,
  variation: null,
}
const narrations = [
  'Your phone keeps you awake for an hour.',
  'Its blue light tells the brain that it is noon. Melatonin, the hormone of the night, then rises about 90 minutes late.',
  'A cool room helps: 18 degrees is enough for most people.',
  'But the strongest signal comes in the morning. Ten minutes of daylight before nine set the clock for the evening.',
  'So tonight, charge the phone in the kitchen, and open the curtains when you wake.',
]
const beats = narrations.map((narration) => ({ narration, show: ['phone', 'bed'], emphasis: [] }))
const good = { title: 'Sleep Better', beats }
const germanBeats = beats.map((beat) => ({
  ...beat,
  narration: 'Das blaue Licht der Anzeige sagt dem Gehirn, dass es noch Mittag ist, und der Schlaf kommt später.',
}))
const goodText = narrations.join(' ')
const write = (...faults: (VendorFault | null)[]) => {
  bedrock.faults = faults
  return writer().write(wish)
}
const script = 'deliver_script'

describe('the writer of Bedrock', () => {
  it('separates its rules from the material, which is one JSON object', async () => {
    await writer().write({ ...wish, prompt: 'Say "done", then stop', scriptPrompt: 'Witty' })
    const { system, messages } = JSON.parse(bedrock.calls[0]!.body.toString())
    expect(JSON.stringify(system)).not.toContain('Witty')
    expect(JSON.parse(messages[0].content[0].text)).toMatchObject({ idea: 'Say "done", then stop', briefing: 'Witty' })
  })

  it('counts in the unit of the language, and names the language', async () => {
    await writer().write({ ...wish, language: 'zh', durationSecondsMax: 100 })
    const { system } = JSON.parse(bedrock.calls[0]!.body.toString())
    expect(system[0].text).toMatch(/Write in Chinese/)
    expect(system[0].text).toContain('and never more than 386: ')
  })

  it.each<[string, VendorFault]>([
    ['the beats are missing', toolUseResponse(script, { title: 'Sleep' })],
    ['the beats are empty', toolUseResponse(script, { ...good, beats: [{ narration: '  ' }] })],
    [
      'a beat is a list',
      toolUseResponse(script, { ...good, beats: [...beats, { narration: '- Dim it\n- Go to bed' }] }),
    ],
    [
      'a beat has directions',
      toolUseResponse(script, { ...good, beats: [{ narration: '[Music] Dim it.' }, ...beats] }),
    ],
    ['it is too short', toolUseResponse(script, { ...good, beats: beats.slice(0, 2) })],
    ['it is too long', toolUseResponse(script, { ...good, beats: [...beats, ...beats, ...beats] })],
    ['it is in another language', toolUseResponse(script, { ...good, beats: germanBeats })],
    [
      'it has clichés',
      toolUseResponse(script, { ...good, beats: [{ ...beats[0], narration: 'Buckle up, sleepers.' }, ...beats] }),
    ],
    ['it shows nothing', toolUseResponse(script, { ...good, beats: narrations.map((narration) => ({ narration })) })],
    ['it is one beat', toolUseResponse(script, { ...good, beats: [{ ...beats[0], narration: goodText }] })],
    ['the title is too long', toolUseResponse(script, { ...good, title: 'x'.repeat(81) })],
    ['another tool is called', toolUseResponse('other_tool', good)],
    ['it is plain text', textResponse('Here is your script: sleep.')],
    ['it is empty', textResponse('', 'malformed_tool_use')],
    ['it was cut off', toolUseResponse(script, good, 'max_tokens')],
  ])('retries an answer once if %s', async (_what, fault) => {
    expect(await write(fault)).toMatchObject({ title: 'How to Sleep Better' })
    expect(bedrock.calls).toHaveLength(2)
    const { messages } = JSON.parse(bedrock.calls[1]!.body.toString())
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(messages[2])).toContain('cannot be used')
  })

  it('rejects an answer that is wrong twice, without a third call', async () => {
    const wrong = toolUseResponse(script, { title: 'Sleep' })
    await expect(write(wrong, wrong)).rejects.toMatchObject({ name: 'ProviderRejected' })
    expect(bedrock.calls).toHaveLength(2)
  })

  it.each<[string, VendorFault]>([
    ['the model refuses', toolUseResponse(script, { refusal: 'This would hurt people.' })],
    [
      'it refuses and leaves the rest empty',
      toolUseResponse(script, { title: '', text: null, refusal: 'This would hurt people.' }),
    ],
    ['a guardrail intervenes', textResponse('Blocked.', 'guardrail_intervened')],
    ['a filter intervenes', textResponse('Blocked.', 'content_filtered')],
  ])('rejects at once if %s', async (_what, fault) => {
    await expect(write(fault)).rejects.toMatchObject({ name: 'ProviderRejected' })
    expect(bedrock.calls).toHaveLength(1)
  })

  it.each(['none', 'Not applicable', 'No refusal needed.'])(
    'is not refused because of a script with "%s" next to it',
    async (no) => {
      expect(await write(toolUseResponse(script, { ...good, refusal: no }))).toMatchObject({
        title: 'Sleep Better',
        text: goodText,
      })
    },
  )

  it('retries if a wrong script has a refusal next to it', async () => {
    expect(
      await write(toolUseResponse(script, { ...good, beats: '- A list', refusal: 'Not applicable' })),
    ).toMatchObject({
      title: 'How to Sleep Better',
    })
    expect(bedrock.calls).toHaveLength(2)
  })

  it.each(['', null, undefined])('uses the first sentence as a title instead of %j', async (title) => {
    const { title: given, text } = await write(toolUseResponse(script, { ...good, title }))
    expect(text).toBe(goodText)
    expect(text.startsWith(given)).toBe(true)
    expect(bedrock.calls).toHaveLength(1)
  })

  it('uses the better of two scripts with faults, and a script with faults if the correction fails', async () => {
    const short = toolUseResponse(script, { ...good, beats: beats.slice(0, 2) })
    const cliche = { ...beats[0], narration: 'Buckle up, because this changes everything.' }
    const worse = toolUseResponse(script, { ...good, beats: [cliche] })
    const expected = narrations.slice(0, 2).join(' ')
    expect(await write(short, worse)).toMatchObject({ text: expected })
    expect(await write(worse, short)).toMatchObject({ text: expected })
    expect(await write(short, errorFault(503, 'ServiceUnavailableException'))).toMatchObject({ text: expected })
    expect(await write(short, textResponse('Sorry.'))).toMatchObject({ text: expected })
    expect(bedrock.calls).toHaveLength(8)
  })

  it('salvages the words of a script whose form is wrong twice', async () => {
    const list = toolUseResponse(script, {
      title: 'x'.repeat(99),
      text: `**Hook** [Music]\n- ${narrations[0]}\n- ${narrations[1]}`,
    })
    const { title, text, beats: parts } = await write(list, list)
    expect(text).toBe(`Hook ${narrations[0]} ${narrations[1]}`)
    expect(title).toHaveLength(80)
    expect(parts).toEqual([{ text, show: [], emphasis: [] }])
  })

  it('keeps what is to be seen and stressed with the words that are spoken, within the length', async () => {
    const long = [...beats, ...beats, ...beats].map((beat, index) => ({
      ...beat,
      show: [`thing ${index}`, '', 7, 'x'.repeat(61)],
      emphasis: ['phone', 'giraffe'],
    }))
    const fault = toolUseResponse(script, { ...good, beats: long })
    const { text, beats: parts } = await write(fault, fault)
    expect(parts!.map((beat) => beat.text).join(' ')).toBe(text)
    expect(estimateSpeechSeconds(text)).toBeLessThanOrEqual(0.92 * 60)
    expect(parts![0]).toEqual({ text: narrations[0], show: ['thing 0'], emphasis: ['phone'] })
    expect(parts!.at(-1)).toEqual({ text: narrations[4], show: ['thing 14'], emphasis: ['phone'] })
  })

  it('is grounded in the facts that it gets, and asked to drop figures that none of them holds', async () => {
    const findings: Findings = {
      title: 'Sleep',
      kind: 'explanation',
      hooks: [],
      facts: [{ text: 'Daylight before nine shifts sleep by 40 minutes.', show: ['sun'], source: 0 }],
      turn: 0,
      closes: [],
      sources: [{ title: 'Sleep', url: 'https://example.com/sleep', licence: 'CC-BY-SA-4.0' }],
    }
    bedrock.faults = [toolUseResponse(script, good), toolUseResponse(script, good)]
    expect(await writer().write({ ...wish, findings })).toMatchObject({
      writtenBy: 'bedrock',
      grounded: true,
      sources: findings.sources,
    })
    const [first, second] = bedrock.calls.map(({ body }) => JSON.parse(body.toString()))
    expect(JSON.parse(first.messages[0].content[0].text).facts).toEqual([findings.facts[0]!.text])
    expect(JSON.stringify(second.messages[2])).toContain('No fact holds these figures: 90, 18.')
    expect(await writer().write(wish)).toMatchObject({ grounded: false, sources: [] })
  })

  it.each<[string, string, VendorFault]>([
    ['ProviderBusy', 'it is throttled', errorFault(429, 'ThrottlingException')],
    ['ProviderBusy', 'the model takes too long', errorFault(408, 'ModelTimeoutException')],
    ['ProviderBusy', 'the model is not ready', errorFault(429, 'ModelNotReadyException')],
    ['ProviderBusy', 'the quota is used up', errorFault(400, 'ServiceQuotaExceededException')],
    ['AccountExpired', 'the credentials are old', errorFault(403, 'ExpiredTokenException')],
    ['ProviderBusy', 'the service is down', errorFault(503, 'ServiceUnavailableException')],
    ['ProviderBusy', 'the service fails', errorFault(500, 'InternalServerException')],
    ['ProviderBusy', 'the answer is lost', 'lost'],
    ['ProviderBusy', 'the answer is no JSON', { body: '<html>' }],
    ['AccountExpired', 'the account may not', errorFault(403, 'AccessDeniedException')],
    ['AccountExpired', 'the model is gone', errorFault(404, 'ResourceNotFoundException')],
    [
      'AccountExpired',
      'the model is retired',
      errorFault(400, 'ValidationException', 'This model version has reached the end of its life.'),
    ],
    ['ProviderRejected', 'the request is wrong', errorFault(400, 'ValidationException', 'Input is too long.')],
  ])('fails as %s if %s, after one call', async (name, _what, fault) => {
    await expect(write(fault)).rejects.toMatchObject({ name })
    expect(bedrock.calls).toHaveLength(1)
  })

  it.each<VendorFault>(['silent', 'stalled'])('has a deadline for an answer that is %s', async (fault) => {
    bedrock.faults = [fault]
    const form = { name: script, description: 'A script.', fields: {}, schema: v.object({}) }
    const asked = model().request({
      task: 'Write.',
      material: {},
      form,
      tokensMax: 10,
      temperature: 0,
      deadlineMs: 50,
    })
    await expect(asked).rejects.toMatchObject({ name: 'ProviderBusy' })
  })

  it("leaves a failed model call to the caller's retry: no step has time for more calls than two", async () => {
    await expect(write(errorFault(424, 'ModelErrorException'))).rejects.toMatchObject({ name: 'ProviderBusy' })
    expect(bedrock.calls).toHaveLength(1)
  })

  it.each(['amazon.nova-2-lite-v1:0', 'amazon.nova-9-lite-v1:0'])('blames the account for the model %s', async (id) => {
    await expect(writer(id).write(wish)).rejects.toMatchObject({ name: 'AccountExpired' })
  })

  it('reveals no accounts or roles in its message', async () => {
    const denied = errorFault(403, 'AccessDeniedException', 'User: arn:aws:sts::123456789012:role/x may not')
    await expect(write(denied)).rejects.toThrow(
      /^This deployment has no access to the Bedrock model in its configuration\.$/,
    )
  })

  it('never gets more material than it can read', async () => {
    await expect(writer().write({ ...wish, prompt: 'x'.repeat(90_000) })).rejects.toMatchObject({
      name: 'ProviderRejected',
    })
    expect(bedrock.calls).toEqual([])
  })

  it('describes many scenes in batches, in order', async () => {
    const narrations = Array.from({ length: 50 }, (_, index) => `Number${index} is told here.`)
    const scenes = await writer().writeScenePrompts!({
      title: 'Many',
      narrations,
      mood: null,
      character: null,
      style: null,
    })
    expect(bedrock.calls).toHaveLength(2)
    expect(scenes.map((scene) => /number\d+/i.exec(scene?.imagePrompt ?? '')?.[0]?.toLowerCase())).toEqual(
      narrations.map((narration) => /Number\d+/.exec(narration)![0].toLowerCase()),
    )
  })

  it('falls back to rules for scenes that are missing twice', async () => {
    const good = { imagePrompt: 'A jar', animationPrompt: 'Slow push in' }
    const wrong = toolUseResponse('deliver_scenes', { scenes: [good, { imagePrompt: 'A bee', animationPrompt: '' }] })
    bedrock.faults = [wrong, wrong]
    const wish = { title: 'Honey', mood: null, character: null, style: null }
    expect(await writer().writeScenePrompts!({ ...wish, narrations: ['One.', 'Two.', 'Three.'] })).toEqual([
      good,
      null,
      null,
    ])
    expect(bedrock.calls).toHaveLength(2)
  })
})

describe('a script that is too long', () => {
  const sentences = [
    'Here is the hook.',
    ...Array.from({ length: 20 }, (_, n) => `Point ${n} says a bit more.`),
    'Your turn?',
  ]

  it('keeps its hook and its closing', () => {
    const told = trimToDuration(sentences.join(' '), 'en', 20)
    expect(told).toMatch(/^Here is the hook\. Point 0 .* Your turn\?$/)
    expect(estimateSpeechSeconds(told)).toBeLessThanOrEqual(20)
    expect(estimateSpeechSeconds(told)).toBeGreaterThan(16)
  })

  it('is unchanged if it fits', () => {
    expect(trimToDuration('One. Two.', 'en', 60)).toBe('One. Two.')
    expect(trimToDuration('你好。再见。', 'zh', 60)).toBe('你好。再见。')
  })

  it('is cut at a word if even its hook does not fit, and at a character in scripts without spaces', () => {
    expect(trimToDuration('This hook goes on and on, without an end.', 'en', 2)).toBe('This hook goes on and.')
    expect(
      estimateSpeechSeconds(trimToDuration('一二三四五六七八九十一二三四五六七八九十。', 'zh', 2)),
    ).toBeLessThanOrEqual(2)
  })
})
