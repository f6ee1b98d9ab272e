// Append-only line files that are durable before anything relies on them.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Appends lines to a file readable by its owner alone. Durable when this returns; uses one write, so that processes
 * do not mix their lines.
 */
export function appendLines(path: string, ...lines: readonly string[]): void {
  if (lines.length === 0) return
  const isNew = !existsSync(path)
  const file = openSync(path, 'a+', 0o600)
  try {
    writeSync(file, `${endsWithPartialLine(file) ? '\n' : ''}${lines.join('\n')}\n`) // a line that a crash cut short must not swallow the next one
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (isNew) syncDirectory(dirname(path))
}

/** The lines of a file; empty if there is no file. */
export function readLines(path: string): string[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

/** Creates a file with these contents atomically, readable by its owner alone. An existing file is left as it is. */
export function createFileAtomically(path: string, contents: string): void {
  const temporaryPath = `${path}.${process.pid}`
  try {
    const file = openSync(temporaryPath, 'w', 0o600)
    writeFileSync(file, contents)
    fsyncSync(file)
    closeSync(file)
    linkSync(temporaryPath, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporaryPath, { force: true })
  }
  syncDirectory(dirname(path))
}

/** Makes a new file's name durable; otherwise it may be lost in a power failure although its contents are safe. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return // cannot open a directory
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function endsWithPartialLine(file: number): boolean {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
}
