/** Objects that are no arrays: valibot's own `object` takes an array for an object without any field. */
import * as v from 'valibot'

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `described` tells the JSON Schema of the whole, which the check in front would hide. */
export const plainObject = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(Object.assign(v.custom<v.InferInput<Schema>>(isPlain, 'must be an object'), { described: schema }), schema)
