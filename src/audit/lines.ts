// Files of lines that only grow, and are on the disk before anything relies on them.

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

/** Adds lines to a file, made for its owner alone. On the disk when this returns; one write, so that processes do not mix their lines. */
export function addLine(path: string, ...lines: readonly string[]): void {
  if (lines.length === 0) return
  const isNew = !existsSync(path)
  const file = openSync(path, 'a+', 0o600)
  try {
    writeSync(file, `${endsInside(file) ? '\n' : ''}${lines.join('\n')}\n`) // a line that a crash cut short must not swallow the next one
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (isNew) syncDirectory(dirname(path))
}

/** The lines of a file; none where there is no file. */
export function readLines(path: string): string[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

/** Makes a file with these contents, whole or not at all, for its owner alone. Where there is one already, that one stays. */
export function createWhole(path: string, contents: string): void {
  const draft = `${path}.${process.pid}`
  try {
    const file = openSync(draft, 'w', 0o600)
    writeFileSync(file, contents)
    fsyncSync(file)
    closeSync(file)
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncDirectory(dirname(path))
}

/** Without this, the name of a new file may be lost in a power cut although its contents are safe. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return // cannot open one
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function endsInside(file: number): boolean {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
}
