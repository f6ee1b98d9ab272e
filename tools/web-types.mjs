// Writes src/web/api/operations.ts, the types of the operations for the web app. Run it after a change of an operation.
import { writeFileSync } from 'node:fs'
import { modules } from '../src/modules/index.ts'
import { operationTypes } from './operation-types.ts'

writeFileSync(new URL('../src/web/api/operations.ts', import.meta.url), operationTypes(modules))
