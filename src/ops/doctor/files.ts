import { accessSync, constants, existsSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { freeSpace, spaceLevelOf } from '../../db/space.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

const megabytes = (bytes: number) => `${Math.floor(bytes / 10 ** 6)} MB`

/** The data directory: access, owner, and leftover files. */
export function checkFiles(dataDir: string): DoctorFinding[] {
  const findings = new DoctorFindings('files')
  const folder = statSync(dataDir, { throwIfNoEntry: false })
  if (!folder)
    findings.fail(
      `There is no folder ${dataDir}.`,
      'workspace serve, or name another folder with --data',
    )
  else if (!folder.isDirectory()) findings.fail(`${dataDir} is not a folder.`)
  else checkFolder(findings, dataDir, folder)
  return findings.all
}

function checkFolder(findings: DoctorFindings, dataDir: string, folder: Stats): void {
  if (!isWritable(dataDir))
    findings.fail(`This user may not write to ${dataDir}.`, `chown -R $(id -un) ${dataDir}`)
  if ((folder.mode & 0o077) !== 0)
    findings.warn(`Other users of this machine can read ${dataDir}.`, `chmod 700 ${dataDir}`)
  const names = readdirSync(dataDir)
  const readableByOthers = names.filter(
    (name) => (statSync(join(dataDir, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
  )
  if (readableByOthers.length > 0)
    findings.warn(
      `Other users of this machine can read ${readableByOthers.join(', ')}.`,
      `chmod -R go-rwx ${dataDir}`,
    )
  const foreign = names.filter(
    (name) =>
      (statSync(join(dataDir, name), { throwIfNoEntry: false })?.uid ?? folder.uid) !== folder.uid,
  )
  if (foreign.length > 0)
    findings.warn(
      `${foreign.join(', ')} belong to another user than the folder, as after running a command as root.`,
      `chown -R --reference=${dataDir} ${dataDir}`,
    )
  const copies = names.filter((name) => /-before-\d+$/.test(name))
  if (copies.length > 0)
    findings.ok(
      `${copies.join(', ')}: the database as it was before the last upgrade (${megabytes(copies.reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0))}). You can delete it once this version works for you.`,
    )
  if (findings.all.every((doctorFinding) => doctorFinding.state === 'ok'))
    findings.ok(`${dataDir} is private to its owner.`)
}

/** Free space on the disk of the data directory. */
export function checkSpace(dataDir: string): DoctorFinding[] {
  const findings = new DoctorFindings('space')
  if (!existsSync(dataDir)) return []
  const free = freeSpace(dataDir)
  const says = `${megabytes(free)} are free where the data is.`
  if (spaceLevelOf(free) === 'ok') findings.ok(says)
  else if (spaceLevelOf(free) === 'low')
    findings.warn(`${says} When the disk is full, writes are refused.`, 'free space on this disk')
  else findings.fail(`${says} Writes are about to be refused.`, 'free space on this disk now')
  return findings.all
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
