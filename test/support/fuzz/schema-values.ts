/** Values for every place of a valibot schema: a valid one, those at its bounds and beside them, and wrong ones of every kind. */
import * as v from 'valibot'
import type { Schema } from '../../../lib/contract/route.ts'

/** What the schemas in use have, as far as it is asked here. */
interface Node extends Schema {
  wrapped?: Node
  pipe?: (Node | Action)[]
  entries?: Record<string, Node>
  item?: Node
  /** Of a picklist its values, of a union its schemas. */
  options?: readonly unknown[]
  literal?: unknown
}
interface Action {
  kind: 'validation' | 'transformation' | 'metadata'
  type: string
  requirement?: unknown
}
type Path = (string | number)[]

export interface SchemaPath {
  path: Path
  schema: Schema
}

/** The schema behind optional, nullable and the like, and everything that its pipes ask of a value. */
function bare(schema: Schema): { node: Node; actions: Action[] } {
  let node = schema as Node
  const actions: Action[] = []
  for (;;) {
    if (node.pipe) {
      const [first, ...rest] = node.pipe as [Node, ...(Node | Action)[]]
      actions.push(...rest.filter((part): part is Action => part.kind !== 'schema'))
      node = rest.find((part): part is Node => part.kind === 'schema') ?? first
    } else if (node.wrapped) node = node.wrapped
    else return { node, actions }
  }
}

const isSchema = (value: unknown): value is Node => (value as Node | undefined)?.kind === 'schema'

/** Every place in a schema, the first item standing for all items of an array. */
export function schemaPaths(schema: Schema, path: Path = []): SchemaPath[] {
  const { node } = bare(schema)
  const inner = [
    ...Object.entries(node.entries ?? {}).flatMap(([name, entry]) => schemaPaths(entry, [...path, name])),
    ...(node.item ? schemaPaths(node.item, [...path, 0]) : []),
    ...(node.options ?? []).filter(isSchema).flatMap((option) => schemaPaths(option, path)),
  ]
  return path.length > 0 ? [{ path, schema }, ...inner] : inner
}

const texts = [
  'x',
  'https://example.com/a',
  '#fff',
  '5',
  '09:00',
  'monday',
  'Europe/Berlin',
  'video/mp4',
  '2027-01-01T00:00:00.000Z',
]
const mayBeAbsent = ({ type }: Schema) => ['optional', 'nullish', 'exact_optional', 'undefinedable'].includes(type)

/** A small value that the schema takes; undefined where none is known. */
export function sampleValue(schema: Schema): unknown {
  const { node, actions } = bare(schema)
  const bound = (type: string) => actions.find((action) => action.type === type)?.requirement
  const candidates: Record<string, () => unknown[]> = {
    string: () => [...texts, ...texts.map((text) => text.padEnd(Number(bound('min_length') ?? 0), 'a'))],
    number: () => [1, 5, 0, bound('min_value'), bound('max_value')],
    boolean: () => [true],
    picklist: () => [...(node.options ?? [])],
    literal: () => [node.literal],
    array: () => [Array.from({ length: Number(bound('min_length') ?? 1) }, () => sampleValue(node.item!)), []],
  }
  const entries = Object.entries(node.entries ?? {})
  const objectOf = (names: typeof entries) =>
    Object.fromEntries(names.map(([name, entry]) => [name, sampleValue(entry)]))
  const found = node.entries
    ? [objectOf(entries.filter(([, entry]) => !mayBeAbsent(entry))), objectOf(entries)]
    : (candidates[node.type]?.() ?? (node.options ?? []).filter(isSchema).map(sampleValue))
  return found.find((value) => v.safeParse(schema, value).success) ?? found[0]
}

const around = (count: number) => [count - 1, count, count + 1]
const numbersIn = (requirement: unknown) =>
  requirement instanceof RegExp
    ? [...requirement.source.matchAll(/\{(\d+)(?:,(\d+))?\}/g)]
        .flatMap(([, ...counts]) => counts)
        .filter(Boolean)
        .map(Number)
    : []

/** The limits of a schema: the values on them, one below and one above. */
export function boundaryValues(schema: Schema): unknown[] {
  const { node, actions } = bare(schema)
  const sizes = actions.flatMap(({ type, requirement }) =>
    /^(min|max)_length$|^length$/.test(type) ? [Number(requirement)] : numbersIn(requirement),
  )
  const limits = actions
    .filter(({ type }) => /^(min|max)_value$/.test(type))
    .map(({ requirement }) => Number(requirement))
  const lengths = [...new Set(sizes.flatMap(around))].filter((length) => length >= 0)
  const sample = sampleValue(schema)
  const stem = typeof sample === 'string' ? sample : 'x'
  return [
    ...limits.flatMap(around),
    ...limits.map((limit) => limit + 0.5),
    ...(node.type === 'string' ? lengths.flatMap((length) => [stem.padEnd(length, 'a').slice(0, length)]) : []),
    ...(node.type === 'string' ? sizes.flatMap((size) => ['é'.repeat(size), '😀'.repeat(size / 2 + 1)]) : []),
    ...(node.type === 'array' ? lengths.map((length) => Array.from({ length }, () => sampleValue(node.item!))) : []),
    ...(node.type === 'picklist'
      ? [node.options?.at(0), node.options?.at(-1), ...nearMisses(String(node.options?.[0]))]
      : []),
  ]
}

const nearMisses = (option: string) => [option.toUpperCase(), `${option} `, `${option}x`, ['toString', option]]

/** JSON that has no JavaScript value is represented by a mark until the text is written. */
const marks: Record<string, string> = {
  '@number-too-large@': '1e999',
  '@deep-array@': '['.repeat(20_000) + ']'.repeat(20_000),
  '@deep-object@': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
}

/** Whether a value stands for JSON that is very deep or no number of JavaScript. */
export const isPlaceholder = (value: unknown): boolean => typeof value === 'string' && Object.hasOwn(marks, value)

export const asJson = (value: unknown) =>
  Object.entries(marks).reduce((text, [mark, json]) => text.replaceAll(`"${mark}"`, json), JSON.stringify(value))

/** An object with an own key of this name: a literal would set its prototype. */
const withOwn = (name: string, value: unknown) => Object.fromEntries([[name, value]])

/** Invalid almost everywhere, and never a reason to crash. */
export const wrongValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  'x',
  '5',
  'NaN',
  'Infinity',
  '1e3',
  'null',
  '__proto__',
  'constructor',
  '\ud800',
  'a\u0000b',
  [],
  [null],
  [[]],
  {},
  withOwn('__proto__', { polluted: true }),
  { constructor: { prototype: { polluted: true } } },
  { length: 1, 0: 'x' },
  { toString: 1, valueOf: 1, toJSON: 1 },
  ...Object.keys(marks),
]

/** A copy of a value with another one at a path; what is missing on the way is filled by what the schema takes there. */
export function withValueAt(schema: Schema, base: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  const { node } = bare(schema)
  const inner =
    node.entries?.[step] ??
    node.item ??
    (node.options ?? []).filter(isSchema).find((option) => bare(option).node.entries?.[step])
  const holder = base ?? sampleValue(schema)
  const next = inner ? withValueAt(inner, (holder as Record<string | number, unknown>)?.[step], rest, value) : value
  if (!Array.isArray(holder)) return { ...(holder as object), ...withOwn(String(step), next) }
  return holder.length > 0 ? holder.with(Number(step), next) : [next]
}
