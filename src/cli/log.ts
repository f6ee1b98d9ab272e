import { lineLog } from '../kernel/log.ts'

/** Where everything is said that is no answer to the one who ran a command. */
export const errorLog = lineLog((line) => process.stderr.write(line))
