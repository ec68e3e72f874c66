/** Converts valibot schemas to the JSON schemas of the OpenAPI document. */
import type { ConversionConfig } from '@valibot/to-json-schema'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { boundedText, listOf, nameLengthMax } from '../../domain/core/bounded.ts'
import { refusalCodes } from '../../domain/core/refusal.ts'
import { bRoll } from '../../domain/generation/b-rolls.ts'
import { captionPage, captionWord } from '../../domain/generation/captions/captions.ts'
import { presentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import { scene } from '../../domain/generation/scenes/scenes.ts'
import { brief, presentationAsset, presenter } from '../../domain/records/brief.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { themeConfig } from '../../domain/records/theme.ts'
import { voicesMax } from '../../domain/videos/voices.ts'
import { errorLengthsMax } from '../errors.ts'
import * as automationResources from '../resources/automations.ts'
import { eventEnvelopes, testEventEnvelope } from '../resources/events.ts'
import * as resources from '../resources/index.ts'
import * as keyResources from '../resources/keys.ts'
import * as ledgerResources from '../resources/ledger.ts'
import * as profileResources from '../resources/profiles.ts'
import * as quoteResources from '../resources/quotes.ts'
import * as webhookResources from '../resources/webhooks.ts'
import type { Schema } from '../route.ts'

/** A part of the document. */
export type OpenApiObject = Record<string, unknown>

const error = v.object({
  error: v.object({
    status: v.number(),
    code: v.picklist([...refusalCodes, 'internal-error']),
    message: boundedText(errorLengthsMax.message),
    requestId: boundedText(errorLengthsMax.requestId),
    details: v.optional(
      listOf(
        v.object({
          path: boundedText(errorLengthsMax.path),
          message: boundedText(errorLengthsMax.message),
          // The longest list is that of the voices.
          allowed: v.optional(listOf(v.union([boundedText(nameLengthMax), v.number()]), voicesMax)),
        }),
        errorLengthsMax.details,
      ),
    ),
    blockers: v.optional(automationResources.automationItem.entries.health.entries.blockers),
    validEvents: v.optional(listOf(v.picklist(eventTypes), eventTypes.length)),
    action: v.optional(v.picklist(['upgrade', 'credits', 'connect'])),
    blocked: v.optional(v.boolean()),
  }),
})
const warning = v.object({
  path: boundedText(errorLengthsMax.path),
  message: boundedText(errorLengthsMax.message),
  didYouMean: v.optional(boundedText(errorLengthsMax.path)),
})
const paging = v.object({ limit: v.number(), offset: v.number(), total: v.number() })
const eventPaging = v.object({
  limit: v.number(),
  nextAfter: v.number(),
  lastSequence: v.number(),
  missed: v.boolean(),
})

export const pascalCase = (name: string) =>
  name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())

/** `VideoRenderCompletedEvent` for `video.render_completed`. */
export const eventSchemaName = (type: string) => `${pascalCase(type.replace(/[._]/g, '-'))}Event`

/** The schemas in `components`, sorted by name: every exported resource, and the parts that several resources share. */
export const namedSchemas = Object.fromEntries<Schema>(
  Object.entries<Schema>({
    ...Object.fromEntries(
      Object.entries<Schema>({
        ...resources,
        ...automationResources,
        ...keyResources,
        ...ledgerResources,
        ...profileResources,
        ...quoteResources,
        ...webhookResources,
      }).map(([name, schema]) => [pascalCase(name), schema]),
    ),
    ...Object.fromEntries(eventTypes.map((type) => [eventSchemaName(type), eventEnvelopes[type]])),
    [eventSchemaName('webhook.test')]: testEventEnvelope,
    Brief: brief,
    BriefItem: resources.videoItem.entries.brief,
    PresentationAsset: presentationAsset,
    Presenter: presenter,
    ThemeConfig: themeConfig,
    CaptionWord: captionWord,
    CaptionPage: captionPage,
    BRoll: bRoll,
    PresentationScene: presentationScene,
    Scene: scene,
    Paging: paging,
    EventPaging: eventPaging,
    Warning: warning,
    Error: error,
  }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
)

/** A check on a string becomes a description. Any other valibot action without a JSON-schema form throws. */
export const conversionConfig = {
  target: 'draft-2020-12' as const,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { type, message, requirement } = valibotAction as { type: string; message?: string; requirement?: unknown }
    if (type === 'trim' || 'keepsSchema' in valibotAction) return jsonSchema
    if ('maxLength' in valibotAction) return { ...jsonSchema, maxLength: valibotAction.maxLength as number }
    if (type === 'check' || type === 'raw_check')
      return jsonSchema.type === 'string' ? { ...jsonSchema, description: `A value ${message}.` } : jsonSchema
    return type === 'regex' && requirement instanceof RegExp
      ? { ...jsonSchema, pattern: requirement.source }
      : undefined
  },
  // A custom check in front of a schema names that schema as `described`.
  overrideSchema: ({ valibotSchema }) => {
    if (!('described' in valibotSchema)) return undefined
    const { $schema: _, ...described } = toJsonSchema(valibotSchema.described as Schema, {
      ...conversionConfig,
      typeMode: 'input',
    })
    return described
  },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} satisfies ConversionConfig

/** The schema of a request. It has no `$ref`s: the named schemas describe responses. */
export function inputJsonSchema(schema: Schema): OpenApiObject {
  const { $schema: _, ...converted } = toJsonSchema(schema, { ...conversionConfig, typeMode: 'input' })
  return converted
}

/** The schema of a response. */
export function outputJsonSchema(schema: Schema): OpenApiObject {
  const {
    $schema: _,
    $defs: _defs,
    ...converted
  } = toJsonSchema(schema, { ...conversionConfig, typeMode: 'output', definitions: namedSchemas })
  return converted
}

export const componentRef = (kind: string, name: string): OpenApiObject => ({ $ref: `#/components/${kind}/${name}` })

export const jsonContent = (schema: OpenApiObject, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
