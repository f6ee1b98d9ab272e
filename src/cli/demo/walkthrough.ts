// `workspace demo --serve`: a filled workspace to explore, which leaves nothing behind.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientOf, setupOf } from '../../assistants/clients.ts'
import { brief, platformHere } from '../../assistants/show.ts'
import type { App } from '../../operations/app.ts'
import { systemClock } from '../../kernel/time/clock.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { hashPassword } from '../../keys/argon.ts'
import { requirePerson, setPasswordHash } from '../../identity/people.ts'
import type { Common } from '../command.ts'
import { Stop } from '../exit.ts'
import { requireSqlite, withAppOf } from '../open.ts'
import { runningServer } from '../server/running-server.ts'
import { serveUntilStopped, whereLines, whereOf, type Greeting } from '../server/server-run.ts'
import { hireAssistants, startBusy, type HiredAssistant } from './busy.ts'
import type { Studio } from '../../demo/seeder.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface WalkthroughOptions extends Common {
  port?: number
  keep?: true
  busy?: true
  seed?: number
  pace?: number
}

interface WalkthroughFiles {
  data: string
  masterKey?: string
  /** Temporary folder removed at the end. */
  removed?: string
}

interface Tour {
  people: Awaited<ReturnType<Studio['summary']>>['people']
  password: string
  /** Assistants that work in it; none without --busy. */
  assistants: readonly HiredAssistant[]
}

/** Fills a workspace and serves it until stopped. Ends the process. */
export async function serveTour(
  options: WalkthroughOptions,
  fill: (app: App) => Promise<Studio>,
): Promise<never> {
  const place = options.data === undefined ? temporaryPlace(options) : { data: options.data }
  const settings = settingsFor(place, options.port)
  requireSqlite(
    settings,
    'workspace demo --serve',
    'Unset it, or use `workspace demo` and `workspace serve`.',
  )
  const other = runningServer(settings.data)
  if (other)
    throw new Stop(
      'inUse',
      `A server runs on ${settings.data}, at ${other.url}. Without --serve, the sample is put in beside it.`,
    )
  const tour = await orLeave(() =>
    withAppOf(settings, async (app) => openDoors(app, await fill(app), options.busy), 'begin'),
  )
  return serveUntilStopped(settings, options.json, (app) => {
    const { seed = 1, pace = 6 } = options
    if (options.busy)
      startBusy(`${app.baseUrl}/mcp`, tour.assistants, { seed, paceMs: pace * 1000 })
    return greetingOf(app, tour, place)
  })
}

/** Ignores the environment: it would be meant for another workspace, and a tour is for this machine alone. */
function settingsFor({ data, masterKey }: WalkthroughFiles, port = 0): Settings {
  return readSettings(
    { data, port, log_level: 'warn', ...(masterKey && { master_key_file: masterKey }) },
    {},
  )
}

function temporaryPlace({ keep, json }: WalkthroughOptions): WalkthroughFiles {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-demo-'))
  const place = { data: join(folder, 'data'), masterKey: join(folder, 'master.key') }
  if (keep) return place
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true })
    if (!json) process.stderr.write(`Removed ${folder}.\n`)
  })
  return { ...place, removed: folder }
}

/**
 * Runs work until a server handles signals. Until then signals exit the process, and the exit handler removes the
 * folder.
 */
async function orLeave<T>(work: () => Promise<T>): Promise<T> {
  const leave = () => process.exit(130)
  for (const signal of signals) process.on(signal, leave)
  const done = await work()
  for (const signal of signals) process.off(signal, leave)
  return done
}

/** Access to the tour: a key for each person, and one password for all. */
async function openDoors(app: App, studio: Studio, busy: true | undefined): Promise<Tour> {
  const { store } = app
  const { people } = await studio.summary(true)
  const password = randomBytes(12).toString('base64url')
  const hash = await hashPassword(password)
  for (const { email } of people)
    await setPasswordHash(store, systemClock, await requirePerson(store, email), hash)
  return { people, password, assistants: busy ? await hireAssistants(app, studio) : [] }
}

function greetingOf(
  app: App,
  { people, password, assistants }: Tour,
  { removed }: WalkthroughFiles,
): Greeting {
  const key = people[0]!.key!
  const target = {
    baseUrl: app.baseUrl,
    selection: {},
    key: { text: key },
    name: 'workspace',
    bridge: ['workspace', 'mcp'],
  }
  const connect = ['claude-code', 'generic'].map((id) =>
    brief(setupOf(clientOf(id)!, target), platformHere()),
  )
  const value = {
    ...whereOf(app),
    sign_in_url: `${app.baseUrl}/sign-in`,
    password,
    people,
    key,
    assistants: assistants.map(({ name, of, key_id }) => ({ name, of, key_id })),
    connect,
    removed_at_end: removed ?? null,
  }
  const words = [
    whereLines(app),
    `Sign in at ${value.sign_in_url} as any of them, with the password ${password}\n`,
    `${people.map((person) => `  ${person.email.padEnd(26)} ${person.role.padEnd(7)} sees ${person.projects.join(', ')}`).join('\n')}\n`,
    ...assistants.map(
      ({ name, of }) =>
        `${name} works now with a key of ${of}: look at /assistants and #website.\n`,
    ),
    `A key of ${people[0]!.email}:\n\n  ${key}\n`,
    `${connect.map(({ client, how, text }) => `${client}. ${how}\n${text.replace(/^/gm, '  ')}`).join('\n\n')}\n`,
    removed === undefined
      ? `Ctrl-C ends it. The files stay: workspace serve --data ${app.settings.data}`
      : 'Ctrl-C ends it, and removes the folder. --keep leaves it.',
  ]
  return { value, words: words.join('\n') }
}
