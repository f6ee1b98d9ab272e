// Stores call log entries in a preallocated file while the database cannot take them (its disk is full, or fails), so
// that reads are still answered. They are added to the log as soon as it can be written again. If this file is full,
// too, or cannot be written either, all calls are refused.

import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CallEntry } from './entry.ts'

const defaultCapacity = 16 * 2 ** 20 // about 25,000 entries

/** The reserved space for entries is used up. */
class SpillFullError extends Error {}

export class Spill {
  readonly #file: number
  readonly #room: number
  #used = 0
  #waiting: CallEntry[]

  /** Reserves the space at once and reads entries left by an earlier process. */
  constructor(dataDir: string, capacity = defaultCapacity) {
    this.#room = capacity
    this.#file = openSpill(join(dataDir, 'audit-spill'), capacity)
    const text = readContents(this.#file)
    this.#waiting = text.split('\n').flatMap(parseEntry)
    this.#used = Buffer.byteLength(text)
  }

  /** Number of entries waiting to be added to the log. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Keeps an entry; durable when this returns. @throws SpillFullError, or the error of the disk */
  keep(entry: CallEntry): void {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    if (this.#used + line.length > this.#room)
      throw new SpillFullError('There is no space left for entries of the call log.')
    writeAll(this.#file, line, this.#used)
    fdatasyncSync(this.#file)
    this.#used += line.length
    this.#waiting.push(entry)
  }

  /**
   * Moves kept entries to the log through a function that receives a batch at a time and makes it durable. Returns
   * their number.
   */
  async drain(append: (entries: readonly CallEntry[]) => Promise<void>): Promise<number> {
    let drainedCount = 0
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, 200)
      await append(batch)
      this.#waiting.splice(0, batch.length)
      drainedCount += batch.length
    }
    if (this.#used > 0) this.#clear()
    return drainedCount
  }

  close(): void {
    closeSync(this.#file)
  }

  #clear(): void {
    writeAll(this.#file, Buffer.alloc(this.#used), 0)
    fdatasyncSync(this.#file)
    this.#used = 0
  }
}

function openSpill(path: string, capacity: number): number {
  const file = openSync(path, openMode(path), 0o600)
  const { size } = fstatSync(file)
  if (size < capacity) {
    writeAll(file, Buffer.alloc(capacity - size), size) // written zeros: a sparse file would reserve no space
    fsyncSync(file)
  }
  return file
}

/** `r+` keeps existing contents; a file is created only if there is none. */
function openMode(path: string): string {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  return 'r+'
}

function writeAll(file: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, at + written)
}

/** Contents of the file up to the trailing zeros. */
function readContents(file: number): string {
  const bytes = Buffer.alloc(fstatSync(file).size)
  readSync(file, bytes, 0, bytes.length, 0)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

function parseEntry(line: string): CallEntry[] {
  try {
    return [JSON.parse(line) as CallEntry]
  } catch {
    return [] // the end, or a line that a crash cut short: its caller was not answered
  }
}
