import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import { findFaults } from '../../db/whole.ts'
import { walSizeLimit, walSize } from '../../db/checkpoint.ts'
import { schemaStructure } from '../../db/schema-shape.ts'
import { baseline, isEmpty, isUpgradeDue, migrate, newestVersion } from '../../db/migrate.ts'
import { isDamageCode } from '../../db/open.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'
import { quantity } from '../../kernel/text/quantity.ts'

/** Command that repairs a damaged database. */
export const restoreCommand = 'workspace restore <backup> --data <empty folder>'

/** Reads the whole database, first to last page. `db`: a read-only connection. */
export function checkDatabase(db: Database.Database): DoctorFinding[] {
  const findings = new DoctorFindings('database')
  try {
    const faults = findFaults(db)
    for (const fault of faults) findings.damaged(`Damaged: ${fault}.`, restoreCommand)
    if (faults.length > 0) return findings.all
    findings.ok('Every page, index and reference is intact.')
    if (!isUpgradeDue(db)) checkKeywordIndex(db, findings)
    checkSchema(db, findings)
    checkSize(db, findings)
  } catch (error) {
    return readErrorFindings(error as Error)
  }
  return findings.all
}

/** The finding for an error while reading the database: it is damaged, or something prevented the check. */
export function readErrorFindings({ code, message }: Error & { code?: string }): DoctorFinding[] {
  const findings = new DoctorFindings('database')
  if (isDamageCode(code)) findings.damaged(`It cannot be read: ${message}.`, restoreCommand)
  else
    findings.fail(
      `It could not be checked: ${message}.`,
      'fix that, then: workspace doctor --only database',
    )
  return findings.all
}

/** Checks that the keyword index has exactly one row per text. */
function checkKeywordIndex(db: Database.Database, findings: DoctorFindings): void {
  const texts = db.prepare('SELECT count(*) FROM search_docs').pluck().get() as number
  const missing = db
    .prepare(
      'SELECT count(*) FROM search_docs d WHERE NOT EXISTS (SELECT 1 FROM search_fts_docsize f WHERE f.id = d.rowid_)',
    )
    .pluck()
    .get() as number
  const rows = db.prepare('SELECT count(*) FROM search_fts_docsize').pluck().get() as number
  if (missing === 0 && rows === texts)
    findings.ok(`The keyword index has every one of ${quantity(texts, 'text')}.`)
  else
    findings.fail(
      `The keyword index lacks ${missing} of ${quantity(texts, 'text')} and has ${quantity(rows - (texts - missing), 'deleted one')}: search does not find everything.`,
      'workspace backup, and report this',
    )
}

function checkSchema(db: Database.Database, doctorFindings: DoctorFindings): void {
  const version = db.pragma('user_version', { simple: true }) as number
  const supportedVersion = newestVersion()
  if (version > supportedVersion)
    return doctorFindings.fail(
      `It has schema version ${version}, and this program knows ${supportedVersion}.`,
      'start the newer version of workspace',
    )
  if (version < baseline && !isEmpty(db))
    return doctorFindings.fail(
      `It has schema version ${version}, from before release 0.1.0, and cannot be upgraded.`,
      'start a new workspace in an empty folder',
    )
  if (isUpgradeDue(db))
    return doctorFindings.warn(
      `It has schema version ${version}; this program upgrades it to ${supportedVersion} at its next start.`,
      'workspace backup, then workspace serve',
    )
  const fresh = new Database(':memory:')
  migrate(fresh)
  const [actual, expected] = [schemaStructure(db), schemaStructure(fresh)]
  fresh.close()
  const differing = Object.keys({ ...actual, ...expected }).filter(
    (name) =>
      !/^(table )?search_fts_|^sqlite_|^_litestream_/.test(name) &&
      !isDeepStrictEqual(actual[name], expected[name]),
  )
  if (differing.length === 0) doctorFindings.ok(`The schema matches version ${version} exactly.`)
  else
    doctorFindings.fail(`The schema was changed by hand: ${differing.join(', ')}.`, restoreCommand)
}

function checkSize(db: Database.Database, findings: DoctorFindings): void {
  const pragma = (name: string) => db.pragma(name, { simple: true }) as number
  const [pages, free, size] = [pragma('page_count'), pragma('freelist_count'), pragma('page_size')]
  const megabytes = (bytes: number) => Math.ceil(bytes / 10 ** 6)
  findings.ok(
    `${megabytes(pages * size)} MB, of which ${Math.round((100 * free) / Math.max(1, pages))} % are free for new data.`,
  )
  const log = walSize(db.name)
  if (log > 4 * walSizeLimit)
    findings.warn(
      `Its write-ahead log has ${megabytes(log)} MB: something has been reading for a long time, or a server crashed.`,
      'stop the reader (a backup, another program), or restart the server',
    )
}
