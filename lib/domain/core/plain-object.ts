/** A schema for JSON objects that rejects arrays: valibot's own `object` accepts an array as an object without fields. */
import * as v from 'valibot'

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `described` is what the JSON Schema is generated from; the custom check would hide it. */
export const plainObject = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(Object.assign(v.custom<v.InferInput<Schema>>(isPlain, 'must be an object'), { described: schema }), schema)
