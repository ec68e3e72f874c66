/** The generated files of both clients and of the command line, as part of `npm run docs`; a test fails where the committed ones differ. */
import { openApiDocument } from '../lib/contract/openapi/document.ts'
import { clientCopies, operationsFile } from './clients/command-line.ts'
import { clientModel } from './clients/model.ts'
import { pythonOperations, pythonTypes } from './clients/python.ts'
import { operationTable, operationTypes } from './clients/typescript.ts'

/** The text of each generated file, by its path in the repository. */
export function clientFiles(): Record<string, string> {
  const document = openApiDocument()
  const model = clientModel(document)
  const table = operationTable(model)
  return {
    'packages/client/table.js': table,
    'packages/client/types.d.ts': operationTypes(model),
    'packages/python/src/reelsmith/types.py': pythonTypes(model),
    'packages/python/src/reelsmith/operations.py': pythonOperations(model),
    'packages/cli/operations.json': operationsFile(document),
    ...clientCopies(table),
  }
}
