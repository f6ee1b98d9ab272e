import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import Database from 'better-sqlite3'
import type { SqlText } from '../../db/connection.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

const minOpenFiles = 2048
const hourLength = 60 * 60 * 1000

export function checkRuntime(): DoctorFinding[] {
  const findings = new DoctorFindings('runtime')
  const [major] = process.versions.node.split('.').map(Number) as [number]
  if (major < 24)
    findings.fail(
      `Node ${process.versions.node} is too old.`,
      'install Node 24, or start workspace with bin/workspace, which finds one',
    )
  else findings.ok(`Node ${process.versions.node}.`)
  const db = new Database(':memory:')
  const sqlite = db.prepare('SELECT sqlite_version()').pluck().get() as string
  db.close()
  if (isOlder(sqlite, [3, 51, 3]))
    findings.fail(`SQLite ${sqlite} can corrupt a database that two processes have open.`, 'npm ci')
  else findings.ok(`SQLite ${sqlite}.`)
  const files = fileLimit()
  if (files !== undefined && files < minOpenFiles)
    findings.warn(
      `This shell allows ${files} open files, too few for a thousand connections.`,
      `ulimit -n ${minOpenFiles}, or LimitNOFILE= in its systemd unit`,
    )
  return findings.all
}

/** The clock: compared with moments in the database and the machine's uptime, and its time zone data. */
export async function checkClock(read: SqlText, now: number): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('clock')
  const bootedAt = bootTime()
  if (bootedAt !== undefined && Math.abs(bootedAt + uptime() * 1000 - now) > 5 * 60_000)
    findings.warn(
      'The clock was changed, or the machine slept, since it started.',
      'check that NTP is active: timedatectl',
    )
  const newest = (
    await read.one<{ at: number }>('SELECT at FROM changes ORDER BY seq DESC LIMIT 1')
  )?.at
  if (newest !== undefined && newest > now + hourLength)
    findings.fail(
      `It is ${new Date(now).toISOString()}, but the database has changes from ${new Date(newest).toISOString()}: the clock is or was wrong.`,
      'set the clock: timedatectl set-ntp true',
    )
  const timezones = await read.all<{ zone: string }>(
    'SELECT default_timezone AS zone FROM orgs UNION SELECT timezone FROM users',
  )
  const unknown = timezones.map(({ zone }) => zone).filter((zone) => !isTimezone(zone))
  if (unknown.length > 0)
    findings.fail(
      `The time zones ${unknown.join(', ')} are not known here.`,
      'install a newer Node',
    )
  if (findings.all.length === 0)
    findings.ok(
      `${new Date(now).toISOString()}; time zone data ${process.versions.tz ?? 'of unknown age'}.`,
    )
  return findings.all
}

function isOlder(version: string, minVersion: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const i = minVersion.findIndex((part, at) => part !== (parts[at] ?? 0))
  return i >= 0 && (parts[i] ?? 0) < minVersion[i]!
}

function fileLimit(): number | undefined {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readSystemFile('/proc/self/limits'))?.[1]
  return soft === undefined || soft === 'unlimited' ? undefined : Number(soft)
}

function bootTime(): number | undefined {
  const seconds = /^btime (\d+)/m.exec(readSystemFile('/proc/stat'))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** A system file; empty on systems without it. */
function readSystemFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isTimezone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined
  } catch {
    return false
  }
}
