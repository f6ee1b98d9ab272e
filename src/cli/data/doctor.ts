import { existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import type Database from 'better-sqlite3'
import type { Settings } from '../../config/settings.ts'
import { kyselyOver } from '../../db/dialect.ts'
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
import { findingLine, summary } from '../findings.ts'
import { withStore } from '../open.ts'
import { runningServer } from '../server/running-server.ts'
import { settingsFound } from './doctor-settings.ts'

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
    ...(settings.database === ''
      ? await withDatabase(settings, (db) =>
          inDatabase(db, settings, now, running !== undefined, wanted),
        )
      : await inPostgres(given, now, wanted)),
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
    'sign-in': () => checkSignIn(kyselyOver(db), now, inspectorOf(settings)),
    contents: () => checkContents(db, settings.data, !wanted('database')),
  }
  const found = [...whole]
  for (const [check, work] of Object.entries(each))
    if (wanted(check)) found.push(...(await attempted(check, work)))
  return found
}

/** What is checked in a PostgreSQL database: what people need to sign in. Its pages, indexes and backups are for its own tools. */
async function inPostgres(
  given: Common,
  now: number,
  wanted: CheckFilter,
): Promise<DoctorFinding[]> {
  const other: DoctorFinding = {
    check: 'database',
    state: 'warn',
    says: 'The workspace is in a PostgreSQL database, of which this command checks the sign-in only.',
    fix: 'workspace audit verify, and the tools of PostgreSQL',
  }
  if (!wanted('sign-in')) return [other]
  const found = await attempted('sign-in', () =>
    withStore(given, ({ store, settings }) => checkSignIn(store.read, now, inspectorOf(settings))),
  )
  return [other, ...found]
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

function tlsFindings(settings: Settings, now: number): DoctorFinding[] {
  const files = certificateFiles(settings)
  return files
    ? checkTls(files, settings.base_url ? new URL(settings.base_url).hostname : undefined, now)
    : []
}
