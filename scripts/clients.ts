/** The generated files of both clients, as part of `npm run docs`; a test fails where the committed ones differ. */
import { openApiDocument } from '../lib/contract/openapi/document.ts'
import { clientModel } from './clients/model.ts'
import { pythonOperations, pythonTypes } from './clients/python.ts'
import { operationTable, operationTypes } from './clients/typescript.ts'

/** The text of each generated file, by its path in the repository. */
export function clientFiles(): Record<string, string> {
  const model = clientModel(openApiDocument())
  return {
    'packages/client/table.js': operationTable(model),
    'packages/client/types.d.ts': operationTypes(model),
    'packages/python/src/reelsmith/types.py': pythonTypes(model),
    'packages/python/src/reelsmith/operations.py': pythonOperations(model),
  }
}
