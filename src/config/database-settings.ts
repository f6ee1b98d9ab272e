import { z } from 'zod'
import { flagType, setting } from './setting.ts'

/** Where the workspace is kept: what docs/operating.md explains under "On PostgreSQL". */
export const databaseSettings = {
  database: setting({
    env: 'WORKSPACE_DATABASE',
    flag: '--database <url>',
    type: z
      .string()
      .regex(/^postgres(ql)?:\/\/.+$/, 'must be postgres://user:password@host:port/database')
      .or(z.literal('')),
    default: '',
    help: 'PostgreSQL database to keep the workspace in; empty: a SQLite file in the data folder. Commands beside the server need the same setting.',
  }),
  standby: setting({
    env: 'WORKSPACE_STANDBY',
    flag: '--standby [yes|no]',
    type: flagType,
    default: false,
    help: 'With --database: wait while another server uses the database, and take over within seconds once it has ended. Without it, a second server is refused.',
  }),
}
