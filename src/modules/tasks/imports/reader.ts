import { importers } from '../../import-sandbox.ts'
import type { ParseInput } from './formats.ts'
import type { ParsedTasks } from './records.ts'

/** Reads an export file in a separate process. @throws Refusal where it is no such file */
export function readTaskFile(input: ParseInput, owner: string): Promise<ParsedTasks> {
  return importers.run('parseTaskFile', input, { owner })
}
