import { existsSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { Settings } from '../../config/settings.ts'
import type { Connection } from '../../db/connection.ts'
import { sqliteConnection } from '../../db/dialect.ts'
import { isUpgradeDue } from '../../db/migrate.ts'
import { databasePath, OlderSchema } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { checkAccounts } from '../../ops/doctor/accounts.ts'
import { checkContents } from '../../ops/doctor/contents.ts'
import { checkDatabase, restoreCommand, readErrorFindings } from '../../ops/doctor/database.ts'
import type { DoctorFinding } from '../../ops/doctor/finding.ts'
import {
  checkBackups,
  checkCallLog,
  checkJobs,
  checkRevocations,
  checkSecrets,
  checkSpill,
} from '../../ops/doctor/log.ts'
import { checkClock } from '../../ops/doctor/machine.ts'
import { checkPostgres } from '../../ops/doctor/postgres.ts'
import { checkReranking, checkSearch } from '../../ops/doctor/search.ts'
import { checkSignIn } from '../../ops/doctor/sign-in.ts'
import { rerankerOf } from '../../search/reranker.ts'
import { inspectIssuer } from '../../sso/inspection.ts'
import { outboundOf } from '../../start.ts'
import type { CommonOptions } from '../command.ts'
import { withStore } from '../open.ts'

export interface DatabaseExamination {
  settings: Settings
  now: number
  /** Whether a server is running on the database. */
  isServed: boolean
  /** Whether any of these checks was requested. */
  isSelected: (...checks: string[]) => boolean
}

/** Findings about the database, on either engine. */
export async function databaseFindings(
  options: CommonOptions,
  examination: DatabaseExamination,
): Promise<DoctorFinding[]> {
  const { settings } = examination
  return settings.database === ''
    ? withDatabase(settings, (db) => sqliteFindings(db, examination))
    : postgresFindings(options, examination)
}

/** Checks within the database. Unreadable pages are reported alone, because the other checks read them, too. */
async function sqliteFindings(
  db: Database.Database,
  examination: DatabaseExamination,
): Promise<DoctorFinding[]> {
  const { now, isSelected } = examination
  const databaseIntegrity = isSelected('database') ? checkDatabase(db) : []
  if (
    databaseIntegrity.some((doctorFinding) =>
      /^It (cannot be read|could not be checked)/.test(doctorFinding.says),
    )
  )
    return databaseIntegrity
  const read = sqliteConnection<Tables>(db)
  return [
    ...databaseIntegrity,
    ...(await findingsOf(
      isSelected,
      { ...checksOfRows({ read, index: db }, examination), backups: () => checkBackups(read, now) },
      isUpgradeDue(db) ? explainBeforeUpgrade : () => undefined,
    )),
  ]
}

/** The same for PostgreSQL. Its backups are made with its own tools, and each server has its own search index file. */
async function postgresFindings(
  options: CommonOptions,
  examination: DatabaseExamination,
): Promise<DoctorFinding[]> {
  const { isSelected } = examination
  try {
    return await withStore(options, ({ store: { read, index } }) =>
      findingsOf(isSelected, {
        database: () => checkPostgres(read),
        ...checksOfRows({ read, index: index.raw.read }, examination),
        backups: () => [backupsElsewhere],
      }),
    )
  } catch (error) {
    if (error instanceof OlderSchema) return [upgradeDueOnPostgres]
    return [
      {
        check: 'database',
        state: 'fail',
        says: (error as Error).message,
        fix: 'check WORKSPACE_DATABASE, and that PostgreSQL is running',
      },
    ]
  }
}

const upgradeDueOnPostgres: DoctorFinding = {
  check: 'database',
  state: 'warn',
  says: 'It has an older schema version, which this program upgrades at its next start. The rows are checked after that.',
  fix: 'back it up with pg_dump, and copy the data folder; then: workspace serve',
}

const backupsElsewhere: DoctorFinding = {
  check: 'backups',
  state: 'ok',
  says: 'The database is backed up by the tools of PostgreSQL, which are not checked here; the data folder belongs to each backup.',
}

type Checks = Record<string, () => DoctorFinding[] | Promise<DoctorFinding[]>>

/** Checks of the rows, in either database, and of the search index. */
const checksOfRows = (
  { read, index }: { read: Connection; index: Database.Database },
  { settings, now, isServed, isSelected }: DatabaseExamination,
) =>
  ({
    search: async () => [...checkSearch(index, isServed), ...(await checkReranker(settings))],
    clock: () => checkClock(read, now),
    'call log': async () => [
      ...(await checkCallLog(read, settings.data, settings.audit_anchor, isServed)),
      ...checkSpill(settings.data),
    ],
    keys: () => checkRevocations(read, settings.data),
    secrets: () => checkSecrets(read, settings.master_key_file),
    jobs: () => checkJobs(read, now, isServed),
    accounts: () => checkAccounts(read, now),
    'sign-in': () => checkSignIn(read, now, inspectorOf(settings)),
    contents: () => checkContents(read, settings.data, !isSelected('database')),
  }) satisfies Checks

/** `explain`: explains an unexpected error of a check. */
async function findingsOf(
  isSelected: DatabaseExamination['isSelected'],
  checks: Checks,
  explain: (check: string, error: Error) => DoctorFinding | undefined = () => undefined,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const [check, work] of Object.entries(checks))
    if (isSelected(check)) findings.push(...(await runCheck(check, work, explain)))
  return findings
}

/** A database of an older version lacks tables and columns used by checks. */
function explainBeforeUpgrade(check: string, { message }: Error): DoctorFinding | undefined {
  if (!/^no such (table|column)/.test(message)) return undefined
  return {
    check,
    state: 'ok',
    says: 'Checked after the upgrade, which brings tables and columns that this check reads.',
  }
}

function checkReranker(settings: Settings): Promise<DoctorFinding[]> {
  const reranker = rerankerOf(settings, guarded(settings), () => Date.now(), {})
  return checkReranking(reranker, settings.rerank_timeout)
}

function inspectorOf(settings: Settings): (issuer: string) => Promise<void> {
  const outbound = guarded(settings)
  return (issuer) => inspectIssuer(outbound, issuer)
}

/** Outbound access with the same guard as the server's. */
const guarded = (settings: Settings) => outboundOf(settings, { warn() {} }, () => [])

async function runCheck(
  check: string,
  work: () => DoctorFinding[] | Promise<DoctorFinding[]>,
  explain: (check: string, error: Error) => DoctorFinding | undefined,
): Promise<DoctorFinding[]> {
  try {
    return await work()
  } catch (error) {
    const explained = explain(check, error as Error)
    if (explained) return [explained]
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
        fix: restoreCommand,
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
    return readErrorFindings(error as Error)
  }
}
