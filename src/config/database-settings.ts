import { z } from 'zod'
import { yesNoType, setting } from './setting.ts'

/** Characters that end a password in an address, with their encoded forms. */
const reservedCharactersHint =
  'In a user name or password write # as %23, / as %2F, ? as %3F, @ as %40, : as %3A and % as %25'

/**
 * Whether the address is unambiguous: a # begins a fragment, which is ignored. Without a host, the address names a
 * socket.
 */
function isDatabaseAddress(text: string): boolean {
  return !text.includes('#') && URL.canParse(text.replace('@/', '@localhost/'))
}

/** Settings for the database; docs/operating.md explains them under "On PostgreSQL". */
export const databaseSettings = {
  database: setting({
    env: 'WORKSPACE_DATABASE',
    flag: '--database <url>',
    type: z
      .string()
      .regex(/^postgres(ql)?:\/\/.+$/, 'must be postgres://user:password@host:port/database')
      .refine(
        isDatabaseAddress,
        `must be an address such as postgres://user:password@host:port/database. ${reservedCharactersHint}`,
      )
      .or(z.literal('')),
    default: '',
    help: 'PostgreSQL database to keep the workspace in; empty: a SQLite file in the data folder. Commands beside the server need the same setting.',
  }),
  standby: setting({
    env: 'WORKSPACE_STANDBY',
    flag: '--standby [yes|no]',
    type: yesNoType,
    default: false,
    help: 'With --database: wait while another server uses the database, and take over within seconds once it has ended. Without it, a second server is refused.',
  }),
}
