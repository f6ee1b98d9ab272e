import { lineLog } from '../kernel/log.ts'

/** Log for everything that is not the answer to a command. */
export const errorLog = lineLog((line) => process.stderr.write(line))
