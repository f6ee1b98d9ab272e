import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import type { SqlText } from '../../db/connection.ts'
import { contentsQuery } from '../backup/contents.ts'
import { blobPath, blobSize } from '../../files/blobs.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'
import { quantity } from '../../kernel/text/quantity.ts'

/** Checks file contents against the database. `readsBytes`: also reads every byte. */
export async function checkContents(
  read: SqlText,
  dataDir: string,
  readsBytes: boolean,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('contents')
  const contents = await read.all<{ sha256: string; size: number }>(contentsQuery)
  const missing = contents.filter(({ sha256 }) => blobSize(dataDir, sha256) === undefined)
  const wrongSize = contents.filter(
    ({ sha256, size }) => ![size, undefined].includes(blobSize(dataDir, sha256)),
  )
  const damaged = readsBytes
    ? contents.filter(
        (item) =>
          !missing.includes(item) &&
          !wrongSize.includes(item) &&
          hashOf(blobPath(dataDir, item.sha256)) !== item.sha256,
      )
    : []
  const reportFiles = (files: readonly { sha256: string }[], problem: string) => {
    if (files.length > 0)
      findings.fail(
        `The contents of ${files.length} of ${quantity(contents.length, 'file')} ${problem}, the first of them blobs/${files[0]!.sha256.slice(0, 2)}/${files[0]!.sha256.slice(2)}.`,
        'restore a backup and copy its blobs folder: workspace restore <backup> --data <empty folder>',
      )
  }
  reportFiles(missing, 'are missing')
  reportFiles(wrongSize, 'have the wrong size')
  reportFiles(damaged, 'were changed on disk')
  if (findings.all.length === 0)
    findings.ok(
      `The contents of all files are there (${contents.length}${readsBytes ? ', every byte read' : '; workspace doctor --only contents reads every byte'}).`,
    )
  return findings.all
}

function hashOf(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(2 ** 20)
  const file = openSync(path, 'r')
  try {
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece))
      hash.update(piece.subarray(0, size))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
