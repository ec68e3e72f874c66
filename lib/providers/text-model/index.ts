/**
 * Capability: a language model that fills in a form. Writer and director use it; vendors differ only in how the form is
 * sent and read. Never follows the material: it is untrusted.
 */
import type * as v from 'valibot'
import { OutcomeUnknown } from '../../domain/core/failures.ts'

/** A JSON schema, shown to the model. */
export type JsonSchema = { [keyword: string]: string | number | string[] | JsonSchema | { [name: string]: JsonSchema } }

export interface OutputForm<Schema extends v.GenericSchema> {
  /** Name of the form: letters and underscores. */
  name: string
  description: string
  /** Nova reads only `type`, `properties` and `required` of the top level, but all keywords of the fields. */
  fields: Record<string, JsonSchema>
  /** Enforces what the fields only describe. Its messages are read by the model. */
  schema: Schema
  /** Faults of valid output. It is returned to the model once; the output with the higher score is used. */
  review?: OutputReview<v.InferOutput<Schema>>
  /** Parses output that fails the schema the second time; left out where nothing of it is usable. */
  salvage?: v.GenericSchema<unknown, v.InferOutput<Schema>>
}

export interface OutputReview<Output> {
  /** Sentences that the model reads; empty for good output. */
  faultsOf(output: Output): string[]
  score(output: Output): number
}

export interface FormRequest<Schema extends v.GenericSchema> {
  /** Instructions: our words only. */
  task: string
  /** Untrusted input: words of clients and of other models, never followed as instructions. */
  material: object
  /** Characters to which the material is shortened for a small context: lists, and texts beyond twice as many; default: none. */
  materialLengthAim?: number
  form: OutputForm<Schema>
  /** The output is cut there. */
  tokensMax: number
  temperature: number
  /** For the whole exchange, which is one request and at most one correction. */
  deadlineMs: number
}

/**
 * A model on the operator's machine did not answer before the deadline. A retry may succeed once it is loaded; output
 * that rules can replace is better replaced.
 */
export class ModelTooSlow extends OutcomeUnknown {}

export interface TextModel {
  /** `writtenBy` of a script, and part of the ids of what the model makes. */
  vendor: 'bedrock' | 'openai'
  /** Name or id at the vendor. */
  name: string
  /**
   * Fills in the form. Throws `ProviderRejected` where the model refuses or gives invalid output twice, and the failures
   * of the vendor.
   */
  request<Schema extends v.GenericSchema>(request: FormRequest<Schema>): Promise<v.InferOutput<Schema>>
}
