/** Mutants of a source file: one changed node of its syntax tree each. Types and texts for people stay as they are. */
import { parseAst } from 'vitest/node'

export interface Mutant {
  file: string
  line: number
  /** The replaced text, from `start` on. */
  start: number
  from: string
  to: string
}

interface Node {
  type: string
  start: number
  end: number
  [name: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}

const methods: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  find: 'findLast',
  findLast: 'find',
}
/** Calls that can be left out: `a.filter(f)` becomes `a`. */
const filters = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'trim', 'toLowerCase', 'flat'])

const isText = (node: unknown) =>
  isNode(node) && (node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string'))

export function mutantsOf(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const replace = (start: number, end: number, to: string) =>
    mutants.push({ file, line: source.slice(0, start).split('\n').length, start, from: source.slice(start, end), to })
  const replaceNode = (node: Node, to: string) => replace(node.start, node.end, to)

  /** The operator between two operands. */
  function replaceOperator(left: Node, right: Node, from: string, to: string): void {
    const between = source.slice(left.end, right.start)
    const start = left.end + between.indexOf(from)
    replace(start, start + from.length, to)
  }

  function mutate(node: Node): void {
    const { left, right, operator, test, argument } = node as Node & { operator: string }
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        if (!isNode(left) || !isNode(right)) return
        if (operator === '??') replaceNode(node, textOf(left))
        else if (operators[operator] && !(operator === '+' && (isText(left) || isText(right))))
          replaceOperator(left, right, operator, operators[operator])
        return
      case 'ConditionalExpression':
      case 'IfStatement':
        for (const value of ['true', 'false']) replaceNode(test as Node, value)
        return
      case 'UnaryExpression':
        if (operator === '!' || operator === '-') replaceNode(node, textOf(argument as Node))
        return
      case 'Literal':
        if (typeof node.value === 'boolean') replaceNode(node, String(!node.value))
        if (typeof node.value === 'number') replaceNode(node, String(node.value + 1))
        return
      case 'SpreadElement':
        replace(node.start, source[node.end] === ',' ? node.end + 1 : node.end, '')
        return
      case 'ExpressionStatement':
        replaceNode(node, ';')
        return
      case 'CallExpression':
        mutateCall(node)
    }
  }

  function mutateCall(node: Node): void {
    const callee = node.callee as Node
    if (callee.type !== 'MemberExpression' || callee.computed) return
    const property = callee.property as Node
    const name = textOf(property)
    if (methods[name]) replaceNode(property, methods[name])
    if (filters.has(name)) replaceNode(node, textOf(callee.object as Node))
  }

  function walk(node: Node): void {
    const isExpression = /^TS(As|Satisfies|NonNull)Expression$/.test(node.type)
    if (node.type.startsWith('TS') && !isExpression) return
    mutate(node)
    for (const [name, child] of Object.entries(node)) {
      if (name === 'key' && !node.computed) continue
      if (name === 'typeAnnotation' || name === 'source') continue
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) walk(one)
    }
  }
  walk(parseAst(source, { lang: 'ts' }) as unknown as Node)
  return mutants
}

export const applied = (source: string, { start, from, to }: Mutant): string =>
  source.slice(0, start) + to + source.slice(start + from.length)
