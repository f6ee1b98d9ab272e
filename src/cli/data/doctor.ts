import { existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type Database from 'better-sqlite3'
import { nearest } from '../../kernel/text/nearest.ts'
import { readSettings, settingList, type Settings } from '../../config/settings.ts'
import { databasePath } from '../../db/open.ts'
import { checkAccounts } from '../../ops/doctor/accounts.ts'
import { checkContents } from '../../ops/doctor/contents.ts'
import { checkDatabase, restore, unreadable } from '../../ops/doctor/database.ts'
import { checkFiles, checkSpace } from '../../ops/doctor/files.ts'
import type { DoctorFinding } from '../../ops/doctor/finding.ts'
import {
  checkBackups,
  checkCallLog,
  checkJobs,
  checkRevocations,
  checkSecrets,
  checkSpill,
} from '../../ops/doctor/log.ts'
import { checkClock, checkRuntime } from '../../ops/doctor/machine.ts'
import { publicView } from '../../oauth/public-view.ts'
import { checkDiscovery } from '../../ops/doctor/oauth.ts'
import { checkReranking, checkSearch } from '../../ops/doctor/search.ts'
import { checkSignIn } from '../../ops/doctor/sign-in.ts'
import { checkServer } from '../../ops/doctor/server.ts'
import { checkTls } from '../../ops/doctor/tls.ts'
import { rerankerOf } from '../../search/reranker.ts'
import { inspectIssuer } from '../../sso/inspection.ts'
import { outboundOf } from '../../start.ts'
import { certificateFiles, trustOwnCertificate } from '../server/certificate.ts'
import { command, print, type Common } from '../command.ts'
import { exits, Stop } from '../exit.ts'
import { findingLine } from '../findings.ts'
import { runningServer } from '../server/running-server.ts'

const prefix = 'WORKSPACE_'
/** What other commands and the launcher read. */
const otherVariables = [
  'WORKSPACE_KEY',
  'WORKSPACE_URL',
  'WORKSPACE_MASTER_KEY',
  'WORKSPACE_EMBEDDINGS_KEY',
  'WORKSPACE_RERANK_KEY',
  'WORKSPACE_PRESET',
  'WORKSPACE_READONLY',
  'WORKSPACE_ALLOW_HTTP',
  'WORKSPACE_LAUNCHER',
]

const checks = [
  'settings',
  'files',
  'space',
  'runtime',
  'clock',
  'tls',
  'server',
  'oauth',
  'database',
  'search',
  'call log',
  'keys',
  'secrets',
  'backups',
  'jobs',
  'accounts',
  'sign-in',
  'contents',
]

export function registerDoctorCommand(program: Command): void {
  command(
    program,
    'doctor',
    'Check configuration, files, database, call log and machine, and suggest fixes. Read-only; works while the server runs. Exit code 1 if something is wrong, 74 if the database is damaged.',
    ['workspace doctor', 'workspace doctor --json', 'workspace doctor --only database'],
  )
    .option('--only <check>', `run only this check: ${checks.join(', ')}`)
    .action(doctor)
}

async function doctor(given: Common & { only?: string }): Promise<void> {
  if (given.only !== undefined && !checks.includes(given.only))
    throw new Stop('usage', `--only: use one of ${checks.join(', ')}.`)
  const all = await findings(given)
  const shown = all.filter(
    (doctorFinding) =>
      given.only === undefined ||
      doctorFinding.check === given.only ||
      (doctorFinding.check === 'settings' && doctorFinding.state === 'fail'),
  ) // a wrong setting ends all checks
  const ok = shown.every((doctorFinding) => doctorFinding.state !== 'fail') && shown.length > 0
  print(given.json, { ok, findings: shown }, () =>
    [...shown.map(findingLine), '', summary(shown)].join('\n'),
  )
  if (!ok)
    process.exitCode = shown.some((doctorFinding) => doctorFinding.damaged)
      ? exits.damaged
      : exits.refused
}

async function findings(given: Common & { only?: string }): Promise<DoctorFinding[]> {
  const wanted = (...checks: string[]) => given.only === undefined || checks.includes(given.only)
  const { settings, wrong } = settingsFound(given)
  if (!settings) return wrong
  const now = Date.now()
  const running = runningServer(settings.data)
  if (running) trustOwnCertificate(settings.data)
  const about = [
    ...wrong,
    ...checkFiles(settings.data),
    ...checkSpace(settings.data),
    ...checkRuntime(),
    ...tlsFindings(settings, now),
    ...(wanted('server') ? await checkServer(running, settings.base_url) : []),
    ...(wanted('oauth') ? await checkDiscovery(running, settings, publicView) : []),
  ]
  return [
    ...about,
    ...(await withDatabase(settings, (db) =>
      inDatabase(db, settings, now, running !== undefined, wanted),
    )),
  ]
}

type CheckFilter = (...checks: string[]) => boolean

/** Where pages cannot be read, that is all there is to say; the other checks read them, too. */
async function inDatabase(
  db: Database.Database,
  settings: Settings,
  now: number,
  isServed: boolean,
  wanted: CheckFilter,
): Promise<DoctorFinding[]> {
  const whole = wanted('database') ? checkDatabase(db) : []
  if (
    whole.some((doctorFinding) =>
      /^It (cannot be read|could not be checked)/.test(doctorFinding.says),
    )
  )
    return whole
  const each: Record<string, () => DoctorFinding[] | Promise<DoctorFinding[]>> = {
    search: async () => [...checkSearch(db, isServed), ...(await checkReranker(settings))],
    clock: () => checkClock(db, now),
    'call log': async () => [
      ...(await checkCallLog(db, settings.data, settings.audit_anchor, isServed)),
      ...checkSpill(settings.data),
    ],
    keys: () => checkRevocations(db, settings.data),
    secrets: () => checkSecrets(db, settings.master_key_file),
    backups: () => checkBackups(db, now),
    jobs: () => checkJobs(db, now, isServed),
    accounts: () => checkAccounts(db, now),
    'sign-in': () => checkSignIn(db, now, inspectorOf(settings)),
    contents: () => checkContents(db, settings.data, !wanted('database')),
  }
  const found = [...whole]
  for (const [check, work] of Object.entries(each))
    if (wanted(check)) found.push(...(await attempted(check, work)))
  return found
}

function checkReranker(settings: Settings): Promise<DoctorFinding[]> {
  const reranker = rerankerOf(settings, guarded(settings), () => Date.now(), {})
  return checkReranking(reranker, settings.rerank_timeout)
}

function inspectorOf(settings: Settings): (issuer: string) => Promise<void> {
  const outbound = guarded(settings)
  return (issuer) => inspectIssuer(outbound, issuer)
}

/** The same guarded way out as the server's. */
const guarded = (settings: Settings) => outboundOf(settings, { warn() {} }, () => [])

async function attempted(
  check: string,
  work: () => DoctorFinding[] | Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    return await work()
  } catch (error) {
    return [
      {
        check,
        state: 'fail',
        says: `Could not run this check: ${(error as Error).message}.`,
        fix: 'fix the database first',
      },
    ]
  }
}

async function withDatabase(
  settings: Settings,
  work: (db: Database.Database) => Promise<DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  if (settings.database !== '')
    return [
      {
        check: 'database',
        state: 'warn',
        says: 'The workspace is in a PostgreSQL database, which this command does not check.',
        fix: 'workspace audit verify, and the tools of PostgreSQL',
      },
    ]
  const path = databasePath(settings.data)
  if (!existsSync(path))
    return [
      {
        check: 'database',
        state: 'warn',
        says: `There is no workspace in ${settings.data} yet.`,
        fix: 'workspace serve',
      },
    ]
  if (statSync(path).size === 0)
    return [
      {
        check: 'database',
        state: 'fail',
        says: `${path} is empty, although it was a database.`,
        fix: restore,
        damaged: true,
      },
    ]
  const { default: Sqlite } = await import('better-sqlite3')
  try {
    const db = new Sqlite(path, { readonly: true, timeout: 2000 })
    try {
      return await work(db)
    } finally {
      db.close()
    }
  } catch (error) {
    return unreadable(error as Error)
  }
}

/** The settings as a server would read them here; a wrong one is a finding and no end of the checks. */
function settingsFound(given: Common): { settings?: Settings; wrong: DoctorFinding[] } {
  try {
    const settings = readSettings({ data: given.data })
    const unknown = unknownVariables(process.env)
    return {
      settings,
      wrong:
        unknown.length > 0
          ? unknown
          : [{ check: 'settings', state: 'ok', says: 'No setting in the environment is wrong.' }],
    }
  } catch (error) {
    return {
      wrong: [
        {
          check: 'settings',
          state: 'fail',
          says: (error as Error).message,
          fix: 'see docs/reference/settings.md',
        },
      ],
    }
  }
}

/** Variables that look like settings and are none: slips, which nothing else would notice. */
function unknownVariables(env: NodeJS.ProcessEnv): DoctorFinding[] {
  const known = [...Object.values(settingList).map((item) => item.env), ...otherVariables]
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && !known.includes(name),
  )
  return unknown.map((name) => {
    const [meant] = nearest(
      name.slice(prefix.length),
      known.map((item) => item.slice(prefix.length).toLowerCase()),
      1,
    )
    return {
      check: 'settings',
      state: 'warn',
      says: `${name} is not a setting and has no effect.${meant ? ` Was ${prefix}${meant.toUpperCase()} meant?` : ''}`,
      fix: 'see docs/reference/settings.md',
    }
  })
}

function tlsFindings(settings: Settings, now: number): DoctorFinding[] {
  const files = certificateFiles(settings)
  return files
    ? checkTls(files, settings.base_url ? new URL(settings.base_url).hostname : undefined, now)
    : []
}

function summary(all: readonly DoctorFinding[]): string {
  const count = (state: DoctorFinding['state']) =>
    all.filter((doctorFinding) => doctorFinding.state === state).length
  if (count('fail') > 0) return `Wrong: ${count('fail')}. Worth a look: ${count('warn')}.`
  return count('warn') > 0 ? `Nothing is wrong. Worth a look: ${count('warn')}.` : 'All is well.'
}
