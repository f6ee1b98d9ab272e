import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from './refusal.ts'
import { inWords } from './words.ts'

/** One setting: the flag of `serve`, the environment variable, the default and the documentation all come from here. */
export interface Setting<T> {
  env: string
  flag: string
  type: z.ZodType<T>
  default: () => T
  help: string
}

function setting<T>(of: Omit<Setting<T>, 'default'> & { default: T | (() => T) }): Setting<T> {
  const value = of.default
  return { ...of, default: typeof value === 'function' ? (value as () => T) : () => value }
}

const whole = z.coerce.number().int()
const flagType = z.union([z.boolean(), z.stringbool()])

/** Every setting, once. */
export const settingList = {
  data: setting({
    env: 'WORKSPACE_DATA',
    flag: '--data <dir>',
    type: z.string().min(1),
    default: () => join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'workspace'),
    help: 'Folder of the database and everything else that is kept.',
  }),
  host: setting({ env: 'WORKSPACE_HOST', flag: '--host <address>', type: z.string().min(1), default: '127.0.0.1', help: 'Address to listen on.' }),
  port: setting({ env: 'WORKSPACE_PORT', flag: '--port <number>', type: whole.min(0).max(65535), default: 8787, help: 'Port to listen on; 0 takes a free one.' }),
  base_url: setting({
    env: 'WORKSPACE_BASE_URL',
    flag: '--base-url <url>',
    type: z.string().regex(/^https?:\/\/[^\s/]+$/, 'must be http(s)://host[:port] without a path').or(z.literal('')),
    default: '',
    help: 'Where people and assistants reach this instance; empty: the address it listens on.',
  }),
  trash_purge: setting({ env: 'WORKSPACE_TRASH_PURGE', flag: '--trash-purge <yes|no>', type: flagType, default: true, help: 'Whether trashed items are erased once their days are over.' }),
  key_idle_days: setting({ env: 'WORKSPACE_KEY_IDLE_DAYS', flag: '--key-idle-days <days>', type: whole.min(0).max(36500), default: 365, help: 'Keys that nobody uses for so many days expire; 0: never.' }),
  check_answers: setting({
    env: 'WORKSPACE_CHECK_ANSWERS',
    flag: '--check-answers <yes|no>',
    type: flagType,
    default: false,
    help: 'Hold every answer against its schema before it leaves; for development and tests.',
  }),
} satisfies Record<string, Setting<never> | Setting<string> | Setting<number> | Setting<boolean>>

export type Settings = { readonly [K in keyof typeof settingList]: ReturnType<(typeof settingList)[K]['default']> }

/**
 * The settings: flags win over the environment, the environment over defaults.
 * @throws Refusal invalid_argument naming the flag or variable that is wrong
 */
export function readSettings(flags: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = process.env): Settings {
  const read = Object.entries(settingList).map(([name, one]) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const given = flags[camel] ?? flags[name] ?? (env[one.env] === '' ? undefined : env[one.env])
    if (given === undefined) return [name, one.default()]
    const parsed = one.type.safeParse(given, { error: inWords })
    if (!parsed.success) throw new Refusal('invalid_argument', `${one.flag.split(' ')[0]} (${one.env}): ${parsed.error.issues[0]!.message}.`)
    return [name, parsed.data]
  })
  return Object.fromEntries(read) as Settings
}
