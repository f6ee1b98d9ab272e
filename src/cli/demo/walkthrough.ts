// `workspace demo --serve`: a filled workspace to explore, which leaves nothing behind.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientOf, setupOf } from '../../assistants/clients.ts'
import { briefSetup, currentPlatform } from '../../assistants/show.ts'
import type { App } from '../../operations/app.ts'
import { systemClock } from '../../kernel/time/clock.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { hashPassword } from '../../keys/argon.ts'
import { requirePerson, setPasswordHash } from '../../identity/people.ts'
import type { CommonOptions } from '../command.ts'
import { CliError } from '../exit.ts'
import { requireSqlite, withAppOf } from '../open.ts'
import { runningServer } from '../server/running-server.ts'
import {
  serveUntilStopped,
  serverInfoText,
  serverInfo,
  type Greeting,
} from '../server/server-run.ts'
import { createAssistants, startBusy, type DemoAssistant } from './busy.ts'
import type { Studio } from '../../demo/seeder.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface TourOptions extends CommonOptions {
  port?: number
  keep?: true
  busy?: true
  seed?: number
  pace?: number
}

interface TourFiles {
  data: string
  masterKey?: string
  /** Temporary folder removed at the end. */
  temporaryFolder?: string
}

interface Tour {
  people: Awaited<ReturnType<Studio['summary']>>['people']
  password: string
  /** Assistants that work in it; none without --busy. */
  assistants: readonly DemoAssistant[]
}

/** Fills a workspace and serves it until stopped. Ends the process. */
export async function serveTour(
  options: TourOptions,
  fill: (app: App) => Promise<Studio>,
): Promise<never> {
  const files = options.data === undefined ? temporaryFiles(options) : { data: options.data }
  const settings = settingsFor(files, options.port)
  requireSqlite(
    settings,
    'workspace demo --serve',
    'Unset it, or use `workspace demo` and `workspace serve`.',
  )
  const running = runningServer(settings.data)
  if (running)
    throw new CliError(
      'inUse',
      `A server runs on ${settings.data}, at ${running.url}. Without --serve, the sample is put in beside it.`,
    )
  const tour = await exitOnSignals(() =>
    withAppOf(settings, async (app) => createAccess(app, await fill(app), options.busy), 'begin'),
  )
  return serveUntilStopped(settings, options.json, (app) => {
    const { seed = 1, pace = 6 } = options
    if (options.busy)
      startBusy(`${app.baseUrl}/mcp`, tour.assistants, { seed, paceMs: pace * 1000 })
    return greetingOf(app, tour, files)
  })
}

/** Ignores the environment, which is meant for another workspace; a tour is only for this machine. */
function settingsFor({ data, masterKey }: TourFiles, port = 0): Settings {
  return readSettings(
    { data, port, log_level: 'warn', ...(masterKey && { master_key_file: masterKey }) },
    {},
  )
}

function temporaryFiles({ keep, json }: TourOptions): TourFiles {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-demo-'))
  const files = { data: join(folder, 'data'), masterKey: join(folder, 'master.key') }
  if (keep) return files
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true })
    if (!json) process.stderr.write(`Removed ${folder}.\n`)
  })
  return { ...files, temporaryFolder: folder }
}

/**
 * Runs work before a server handles signals. Meanwhile, signals exit the process, and the exit handler removes the
 * folder.
 */
async function exitOnSignals<T>(work: () => Promise<T>): Promise<T> {
  const exitProcess = () => process.exit(130)
  for (const signal of signals) process.on(signal, exitProcess)
  const result = await work()
  for (const signal of signals) process.off(signal, exitProcess)
  return result
}

/** Access to the tour: a key for each person, and one password for all. */
async function createAccess(app: App, studio: Studio, busy: true | undefined): Promise<Tour> {
  const { store } = app
  const { people } = await studio.summary(true)
  const password = randomBytes(12).toString('base64url')
  const hash = await hashPassword(password)
  for (const { email } of people)
    await setPasswordHash(store, systemClock, await requirePerson(store, email), hash)
  return { people, password, assistants: busy ? await createAssistants(app, studio) : [] }
}

function greetingOf(
  app: App,
  { people, password, assistants }: Tour,
  { temporaryFolder }: TourFiles,
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
    briefSetup(setupOf(clientOf(id)!, target), currentPlatform()),
  )
  const value = {
    ...serverInfo(app),
    sign_in_url: `${app.baseUrl}/sign-in`,
    password,
    people,
    key,
    assistants: assistants.map(({ name, of, key_id }) => ({ name, of, key_id })),
    connect,
    removed_at_end: temporaryFolder ?? null,
  }
  const paragraphs = [
    serverInfoText(app),
    `Sign in at ${value.sign_in_url} as any of them, with the password ${password}\n`,
    `${people.map((person) => `  ${person.email.padEnd(26)} ${person.role.padEnd(7)} sees ${person.projects.join(', ')}`).join('\n')}\n`,
    ...assistants.map(
      ({ name, of }) =>
        `${name} works now with a key of ${of}: look at /assistants and #website.\n`,
    ),
    `A key of ${people[0]!.email}:\n\n  ${key}\n`,
    `${connect.map(({ client, how, text }) => `${client}. ${how}\n${text.replace(/^/gm, '  ')}`).join('\n\n')}\n`,
    temporaryFolder === undefined
      ? `Ctrl-C ends it. The files stay: workspace serve --data ${app.settings.data}`
      : 'Ctrl-C ends it, and removes the folder. --keep leaves it.',
  ]
  return { value, text: paragraphs.join('\n') }
}
