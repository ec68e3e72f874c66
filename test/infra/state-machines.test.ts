import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import validate from 'asl-validator'
import { describe, expect, it } from 'vitest'
import { root } from '../../lib/infra/function-files.ts'
import { stateOf } from '../../lib/infra/pipeline.ts'
import { machines } from '../../lib/infra/shared.ts'

interface Definition {
  TimeoutSeconds?: number
  States: Record<string, State>
}

interface State {
  Type: string
  Comment?: string
  TimeoutSeconds?: number
  Retry?: object[]
  Catch?: object[]
  ItemProcessor?: Definition
}

/** At any depth. */
const statesIn = ({ States }: Definition): [name: string, state: State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    [name, state],
    ...(state.ItemProcessor ? statesIn(state.ItemProcessor) : []),
  ])

/** What the render task fills in; everything else is a function. */
const infrastructure = ['Cluster', 'SecurityGroup', 'SubnetA', 'SubnetB', 'TaskDefinition']

const files = globSync('*.asl.json', { cwd: join(root, 'state-machines') }).map((file) => basename(file, '.asl.json'))

it('every ASL file is deployed, under its name', () => {
  expect(files.toSorted()).toEqual([...machines].toSorted())
})

describe.each(files)('the state machine %s', (machine) => {
  const text = readFileSync(join(root, 'state-machines', `${machine}.asl.json`), 'utf8')
  const definition: Definition = JSON.parse(text)

  it('is valid Amazon States Language', () => {
    const { isValid, errorsText } = validate(JSON.parse(text))
    expect(isValid, errorsText('\n')).toBe(true)
  })

  it('names one function for each file of its folder', () => {
    const named = new Set(Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name]) => name!))
    const steps = globSync('*.ts', { cwd: join(root, 'functions/pipelines', machine) })
    const states = steps.map((file) => stateOf(basename(file, '.ts')))
    expect([...named].filter((name) => !infrastructure.includes(name)).toSorted()).toEqual(states.toSorted())
  })

  it('ends by itself: it and all of its tasks have a time limit', () => {
    expect(definition.TimeoutSeconds).toBeGreaterThan(0)
    for (const [name, { Type, TimeoutSeconds }] of statesIn(definition)) {
      if (Type === 'Task') expect(TimeoutSeconds, name).toBeLessThan(definition.TimeoutSeconds!)
    }
  })

  it('retries and catches in every task, and every state says what it is for', () => {
    for (const [name, { Type, Comment, Retry, Catch }] of statesIn(definition)) {
      expect(Comment, name).toBeTruthy()
      if (Type !== 'Task') continue
      expect(Retry?.length, name).toBeGreaterThan(0)
      expect(Catch?.length, name).toBeGreaterThan(0)
    }
  })
})
