/** The bundled objects: flat drawings by id (see assets/objects/README.md), read on first use. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { round } from '../drawing.ts'

/** Side of the square that an object is drawn in. */
const box = 32

let bodies: ReadonlyMap<string, string> | undefined

function bodyOf(id: string): string | undefined {
  bodies ??= new Map(
    Object.entries<string>(
      JSON.parse(readFileSync(createRequire(import.meta.url).resolve('#objects/objects.json'), 'utf8')),
    ),
  )
  return bodies.get(id)
}

export const hasObject = (id: string): boolean => bodyOf(id) !== undefined

/** An object in a square of `size`, centred on `x`, its lower edge at `bottom`; nothing for an unknown id. */
export function objectMarkup(id: string, x: number, bottom: number, size: number, turn = 0): string {
  const body = bodyOf(id)
  if (!body) return ''
  const scale = size / box
  const rotation = turn === 0 ? '' : ` rotate(${round(turn)} ${box / 2} ${box / 2})`
  return `<g transform="translate(${round(x - size / 2)} ${round(bottom - size)}) scale(${scale.toFixed(3)})${rotation}">${body}</g>`
}
