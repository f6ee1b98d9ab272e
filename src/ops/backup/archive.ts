// A backup is one file: a tar of the manifest and the files that it lists, compressed with Zstandard.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, closeSync, fsyncSync, openSync } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { create, Parser, type ReadEntry } from 'tar'
import { Refusal } from '../../kernel/refusal.ts'
import { type BackedUpFile, Manifest, manifestName } from './manifest.ts'

/** Packs a folder's files into an archive readable by its owner only, manifest first. Resolves once it is on disk. */
export async function pack(
  folder: string,
  names: readonly string[],
  archive: string,
): Promise<void> {
  const tar = create({ cwd: folder, portable: true, strict: true, mtime: new Date() }, [
    manifestName,
    ...names,
  ])
  await pipeline(
    tar as unknown as NodeJS.ReadableStream,
    createZstdCompress(),
    createWriteStream(archive, { flags: 'wx', mode: 0o600 }),
  )
  const file = openSync(archive, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/**
 * Reads an archive to its end, verifies every file against the manifest, and extracts them to `into`, if set.
 * @throws Refusal if it is not a backup, or was altered
 */
export async function unpack(archive: string, into?: string): Promise<Manifest> {
  const reading = new ArchiveReader(into)
  const plain = createReadStream(archive)
    .on('error', (error) => plain.destroy(error))
    .pipe(createZstdDecompress())
  try {
    for await (const chunk of plain) await reading.write(chunk as Buffer)
    return await reading.end()
  } catch (error) {
    if (isSystemError(error)) throw error
    throw new Refusal(
      'invalid_argument',
      `${archive} cannot be used as a backup: ${(error as Error).message}.`,
      'Nothing was restored. Use another backup.',
    )
  } finally {
    plain.destroy()
    await reading.close()
  }
}

/** An archive being read. A failure in one of its files fails the whole. */
class ArchiveReader {
  readonly #into: string | undefined
  readonly #parser = new Parser({ strict: true })
  readonly #filesRead = new Map<string, BackedUpFile>()
  readonly #pending: Promise<void>[] = []
  readonly #open = new Set<FileHandle>()
  readonly #failure = Promise.withResolvers<never>()
  /** Manifest, read from the first entry. */
  #manifest: Promise<Manifest> | undefined

  constructor(into: string | undefined) {
    this.#into = into
    this.#failure.promise.catch(() => {}) // handled where the next chunk is awaited
    this.#parser.on('error', (error) => this.#failure.reject(error))
    this.#parser.on('entry', (entry) =>
      this.#pending.push(
        this.#extract(entry).catch((error: unknown) => this.#failure.reject(error)),
      ),
    )
  }

  async write(chunk: Buffer): Promise<void> {
    const drained = new Promise<void>((resolve) => this.#parser.once('drain', resolve))
    if (!this.#parser.write(chunk)) await Promise.race([drained, this.#failure.promise])
  }

  /** The manifest, once every listed file was read and verified. */
  async end(): Promise<Manifest> {
    const ended = new Promise<void>((resolve) => this.#parser.once('end', resolve))
    this.#parser.end()
    await Promise.race([ended, this.#failure.promise])
    await Promise.race([Promise.all(this.#pending), this.#failure.promise])
    if (!this.#manifest) throw new Error('it has no manifest')
    const manifest = await this.#manifest
    const missing = manifest.files.find(
      ({ name, sha256 }) => this.#filesRead.get(name)?.sha256 !== sha256,
    )
    if (missing)
      throw new Error(
        `${missing.name} is ${this.#filesRead.has(missing.name) ? 'not as it was backed up' : 'missing'}`,
      )
    return manifest
  }

  /** Closes files that were being written at a failure. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((file) => file.close()))
  }

  async #extract(entry: ReadEntry): Promise<void> {
    if (entry.path === manifestName && !this.#manifest)
      return void (await (this.#manifest = manifestIn(entry)))
    const file = (await this.#manifest)?.files.find((item) => item.name === entry.path)
    if (
      !file ||
      entry.type !== 'File' ||
      entry.size !== file.bytes ||
      this.#filesRead.has(file.name)
    )
      throw new Error(`${entry.path} is not what the manifest says`)
    this.#filesRead.set(file.name, file) // a second entry of the same name is refused
    this.#filesRead.set(file.name, { ...file, sha256: await this.#writeAndHash(entry, file.name) })
  }

  /** Writes the file to the folder, if set, and returns its SHA-256. */
  async #writeAndHash(entry: ReadEntry, name: string): Promise<string> {
    const hash = createHash('sha256')
    const file = this.#into === undefined ? undefined : await openNew(join(this.#into, name))
    if (file) this.#open.add(file)
    for await (const chunk of entry) {
      hash.update(chunk)
      await file?.writeFile(chunk)
    }
    await file?.sync()
    await file?.close()
    if (file) this.#open.delete(file)
    return hash.digest('hex')
  }
}

async function openNew(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return open(path, 'wx', 0o600)
}

const maxManifestBytes = 2 ** 24

async function manifestIn(entry: ReadEntry): Promise<Manifest> {
  if (entry.size > maxManifestBytes) throw new Error('the manifest is too long')
  return Manifest.parse(JSON.parse((await entry.concat()).toString('utf8')))
}

function isSystemError(error: unknown): boolean {
  return (
    /^E[A-Z]+$/.test(String((error as { code?: unknown } | null)?.code)) &&
    (error as { syscall?: string }).syscall !== undefined
  )
}
