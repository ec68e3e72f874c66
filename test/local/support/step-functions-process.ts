// A process that runs one state machine and is then killed by its test: `node states-child.ts <directory> <port>`.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { startStepFunctions } from '../../../local/emulators/step-functions.ts'

const [, , directory = '', port = ''] = process.argv
const note = (line: string) => appendFileSync(join(directory, 'journal'), `${line}\n`)
const call = (FunctionName: string) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName, Payload: { 'state.$': '$', 'execution.$': '$$.Execution.Input' } },
  ResultSelector: { 'result.$': '$.Payload' },
})

const service = await startStepFunctions({
  directory,
  port: Number(port),
  timeScale: 1,
  log: console.log,
  machines: {
    flow: {
      StartAt: 'Prepare',
      States: {
        Prepare: { ...call('prepare'), Next: 'Render' },
        Render: {
          Type: 'Task',
          Resource: 'arn:aws:states:::ecs:runTask.sync',
          Parameters: { TaskDefinition: 'render' },
          ResultPath: null,
          Next: 'Complete',
        },
        Complete: { ...call('complete'), End: true },
      },
    },
  },
  work: {
    invoke: async (name, payload) => {
      note(`${name} ${JSON.stringify(payload)}`)
      return `${name} done`
    },
    command: () => ({
      command: [
        'sh',
        '-c',
        `echo "render $$" >> ${directory}/journal; while ! [ -e ${directory}/go ]; do sleep 0.01; done`,
      ],
    }),
  },
})
service.resume()
console.log('ready')
