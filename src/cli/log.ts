import { lineLog } from '../kernel/log.ts'

/** Log on stderr, for everything that is not the output of a command. */
export const errorLog = lineLog((line) => process.stderr.write(line))
