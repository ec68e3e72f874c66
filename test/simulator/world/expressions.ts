/** The expressions of DynamoDB that the store uses: conditions, key conditions, filters, updates and projections. */

export type Item = Record<string, unknown>

export interface Substitutions {
  names: Readonly<Record<string, string>>
  values: Readonly<Record<string, unknown>>
}

type Context = Substitutions & { item: Item | undefined }
type Operand = (context: Context) => unknown
type Condition = (context: Context) => boolean
type Path = (string | number)[]

const tokenPattern = /\s*(<>|<=|>=|[=<>(),+\-.[\]]|[#:]?[A-Za-z_][A-Za-z0-9_]*|\d+)/y

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < expression.trimEnd().length) {
    const match = tokenPattern.exec(expression)
    if (!match) throw new Error(`The simulator cannot read the expression ${expression}`)
    tokens.push(match[1]!)
  }
  return tokens
}

class Parser {
  readonly #tokens: string[]
  #position = 0

  constructor(expression: string) {
    this.#tokens = tokensOf(expression)
  }

  get isAtEnd() {
    return this.#position >= this.#tokens.length
  }

  peek = () => this.#tokens[this.#position]

  next(): string {
    const token = this.#tokens[this.#position++]
    if (token === undefined) throw new Error('An expression ends too early.')
    return token
  }

  accept(token: string): boolean {
    if (this.peek()?.toUpperCase() !== token) return false
    this.#position++
    return true
  }

  expect(token: string): void {
    if (!this.accept(token)) throw new Error(`Expected ${token}, found ${this.peek()}.`)
  }

  condition(): Condition {
    const parts = [this.#conjunction()]
    while (this.accept('OR')) parts.push(this.#conjunction())
    return parts.length === 1 ? parts[0]! : (context) => parts.some((part) => part(context))
  }

  #conjunction(): Condition {
    const parts = [this.#negation()]
    while (this.accept('AND')) parts.push(this.#negation())
    return parts.length === 1 ? parts[0]! : (context) => parts.every((part) => part(context))
  }

  #negation(): Condition {
    if (!this.accept('NOT')) return this.#comparison()
    const inner = this.#negation()
    return (context) => !inner(context)
  }

  #comparison(): Condition {
    if (this.accept('(')) {
      const inner = this.condition()
      this.expect(')')
      return inner
    }
    const name = this.peek()!
    if (/^(attribute_exists|attribute_not_exists|begins_with|contains)$/.test(name)) return this.#predicate(this.next())
    const left = this.operand()
    if (this.accept('BETWEEN')) {
      const low = this.operand()
      this.expect('AND')
      const high = this.operand()
      return (context) => compares('>=', left(context), low(context)) && compares('<=', left(context), high(context))
    }
    const operator = this.next()
    const right = this.operand()
    return (context) => compares(operator, left(context), right(context))
  }

  #predicate(name: string): Condition {
    this.expect('(')
    const first = this.operand()
    const second = this.accept(',') ? this.operand() : undefined
    this.expect(')')
    if (name === 'attribute_exists') return (context) => first(context) !== undefined
    if (name === 'attribute_not_exists') return (context) => first(context) === undefined
    if (name === 'begins_with')
      return (context) => String(first(context) ?? '\u0000').startsWith(String(second!(context)))
    return (context) => {
      const [whole, part] = [first(context), second!(context)]
      return whole instanceof Set ? whole.has(part) : typeof whole === 'string' && whole.includes(String(part))
    }
  }

  operand(): Operand {
    if (this.accept('SIZE')) {
      this.expect('(')
      const inner = this.operand()
      this.expect(')')
      return (context) => sizeOf(inner(context))
    }
    if (this.accept('IF_NOT_EXISTS')) {
      this.expect('(')
      const path = this.operand()
      this.expect(',')
      const fallback = this.operand()
      this.expect(')')
      return (context) => path(context) ?? fallback(context)
    }
    if (this.accept('LIST_APPEND')) {
      this.expect('(')
      const head = this.operand()
      this.expect(',')
      const tail = this.operand()
      this.expect(')')
      return (context) => [...(head(context) as unknown[]), ...(tail(context) as unknown[])]
    }
    if (this.peek()!.startsWith(':')) {
      const name = this.next()
      return ({ values }) => {
        if (!(name in values)) throw new Error(`The expression has no value ${name}.`)
        return values[name]
      }
    }
    const path = this.path()
    return ({ item, names }) => readPath(item, resolvePath(path, names))
  }

  path(): Path {
    const path: Path = [this.next()]
    for (;;) {
      if (this.accept('.')) path.push(this.next())
      else if (this.accept('[')) {
        path.push(Number(this.next()))
        this.expect(']')
      } else return path
    }
  }

  sum(): Operand {
    let left = this.operand()
    for (;;) {
      const sign = this.peek()
      if (sign !== '+' && sign !== '-') return left
      this.next()
      const [first, second] = [left, this.operand()]
      left = (context) => {
        const [a, b] = [first(context), second(context)]
        if (typeof a !== 'number' || typeof b !== 'number')
          throw invalid('An operand in the update expression has an incorrect data type.')
        return sign === '+' ? a + b : a - b
      }
    }
  }
}

const invalid = (message: string) => Object.assign(new Error(message), { name: 'ValidationException' })

const resolvePath = (path: Path, names: Substitutions['names']): Path =>
  path.map((part) => {
    if (typeof part === 'number' || !part.startsWith('#')) return part
    const name = names[part]
    if (name === undefined) throw new Error(`The expression has no name ${part}.`)
    return name
  })

function readPath(item: Item | undefined, path: Path): unknown {
  let value: unknown = item
  for (const part of path) {
    if (value === null || typeof value !== 'object') return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

const sizeOf = (value: unknown) =>
  value instanceof Set ? value.size : ((value as { length?: number } | undefined)?.length ?? Number.NaN)

/** Values of different types are never equal, and never ordered. */
function compares(operator: string, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return operator === '<>' && left !== right
  if (operator === '=') return left === right
  if (operator === '<>') return left !== right
  if (typeof left !== typeof right || left === null || right === null) return false
  const order = left < right ? -1 : left > right ? 1 : 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

const conditions = new Map<string, Condition>()

/** True without an expression. */
export function holds(expression: string | undefined, item: Item | undefined, substitutions: Substitutions): boolean {
  if (!expression) return true
  let condition = conditions.get(expression)
  if (!condition) {
    const parser = new Parser(expression)
    condition = parser.condition()
    if (!parser.isAtEnd) throw new Error(`The simulator cannot read the expression ${expression}`)
    conditions.set(expression, condition)
  }
  return condition({ ...substitutions, item })
}

interface Update {
  set: { path: Path; value: Operand }[]
  remove: Path[]
  add: { path: Path; value: Operand }[]
  delete: { path: Path; value: Operand }[]
}
const updates = new Map<string, Update>()

function parseUpdate(expression: string): Update {
  const parser = new Parser(expression)
  const update: Update = { set: [], remove: [], add: [], delete: [] }
  while (!parser.isAtEnd) {
    const clause = parser.next().toLowerCase() as keyof Update
    do {
      const path = parser.path()
      if (clause === 'set') {
        parser.expect('=')
        update.set.push({ path, value: parser.sum() })
      } else if (clause === 'remove') update.remove.push(path)
      else update[clause].push({ path, value: parser.operand() })
    } while (parser.accept(','))
  }
  return update
}

/** The item after an update; `item` is unchanged. Every operand is read before the first write, as in DynamoDB. */
export function updated(expression: string, item: Item, { names, values }: Substitutions): Item {
  const update = updates.get(expression) ?? parseUpdate(expression)
  updates.set(expression, update)
  const context = { item, names, values }
  const resolved = ({ path, value }: { path: Path; value: Operand }) =>
    [resolvePath(path, names), value(context)] as const
  const [set, add, removed] = [update.set.map(resolved), update.add.map(resolved), update.delete.map(resolved)]
  const result = { ...item }
  for (const [path, value] of set) writePath(result, path, value)
  for (const path of update.remove) writePath(result, resolvePath(path, names), undefined)
  for (const [path, value] of add) {
    const before = readPath(item, path)
    const after =
      value instanceof Set
        ? new Set([...((before as Set<unknown>) ?? []), ...value])
        : Number(before ?? 0) + Number(value)
    writePath(result, path, after)
  }
  for (const [path, value] of removed) {
    const rest = new Set(
      [...((readPath(item, path) as Set<unknown>) ?? [])].filter((one) => !(value as Set<unknown>).has(one)),
    )
    writePath(result, path, rest.size > 0 ? rest : undefined)
  }
  return result
}

/** Copies every container on the way, because versions of an item share them. */
function writePath(item: Item, path: Path, value: unknown): void {
  let target = item as Record<string | number, unknown>
  for (const part of path.slice(0, -1)) {
    const inner = target[part]
    if (inner === null || typeof inner !== 'object')
      throw invalid('The document path provided in the update expression is invalid for update')
    const copy = Array.isArray(inner) ? [...inner] : { ...inner }
    target[part] = copy
    target = copy as Record<string | number, unknown>
  }
  const last = path.at(-1)!
  if (value === undefined) delete target[last]
  else target[last] = value
}

/** The item with only the paths of a projection; all of it without one. */
export function projected(expression: string | undefined, item: Item, names: Substitutions['names'] = {}): Item {
  if (!expression) return item
  const result: Item = {}
  for (const text of expression.split(',')) {
    const path = resolvePath(new Parser(text).path(), names)
    const value = readPath(item, path)
    if (value === undefined) continue
    let target: Record<string | number, unknown> = result
    for (const part of path.slice(0, -1)) {
      target[part] ??= {}
      target = target[part] as Record<string | number, unknown>
    }
    target[path.at(-1)!] = value
  }
  return result
}
