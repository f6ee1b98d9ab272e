import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { kidOf, masterKeyLength } from './seal.ts'

export interface MasterKey {
  readonly kid: string
  readonly key: Buffer
}

/** Thrown if the master key is unavailable, with what to do about it. */
export class MasterKeyUnavailable extends Error {}

/** Source of the master keys: the environment if it is set, otherwise the file. */
export interface MasterKeySource {
  file: string
  /** Keys separated by commas, the current one first. */
  env?: string | undefined
}

/**
 * The keys that decrypt all secrets. The first one encrypts; the others decrypt secrets from before a rotation. The
 * file is reread after a change, so that a server notices a rotation by a command.
 */
export class MasterKeys {
  readonly source: MasterKeySource
  #cached: { keys: MasterKey[]; fileState: string } | undefined

  constructor(source: MasterKeySource) {
    this.source = source
  }

  get isFromEnvironment(): boolean {
    return Boolean(this.source.env)
  }

  /** Location of the keys, for messages. */
  get location(): string {
    return this.isFromEnvironment ? 'WORKSPACE_MASTER_KEY' : this.source.file
  }

  /**
   * All keys, the current one first; empty if there are none yet. @throws MasterKeyUnavailable if the existing keys cannot be used
   */
  keys(): readonly MasterKey[] {
    const { file, env } = this.source
    if (env)
      return (this.#cached ??= {
        keys: parseMasterKeys(env.split(','), 'WORKSPACE_MASTER_KEY'),
        fileState: '',
      }).keys
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return []
    const fileState = `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (this.#cached?.fileState !== fileState)
      this.#cached = { keys: readKeys(file, stat.mode), fileState }
    return this.#cached.keys
  }

  find(kid: string): MasterKey | undefined {
    return this.keys().find((key) => key.kid === kid)
  }

  /** The key used for encryption; undefined if there is none yet. */
  get current(): MasterKey | undefined {
    return this.keys()[0]
  }

  /** Creates the first key, in its file, readable only by this user. If another process was faster, uses its key. */
  create(): MasterKey {
    const { file } = this.source
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const draft = writeDraft(file, [newKey()])
    try {
      linkSync(draft, file) // atomic, and never replaces another key
      syncFolder(file)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    return this.current!
  }

  /** Adds a new first key. @throws MasterKeyUnavailable if the keys come from the environment */
  add(): MasterKey {
    if (this.isFromEnvironment)
      throw new MasterKeyUnavailable(
        'The master key comes from WORKSPACE_MASTER_KEY: add a new one before it, separated by a comma, and rotate again.',
      )
    this.#replace([newKey(), ...this.keys().map((key) => key.key)])
    return this.current!
  }

  /** Keeps only these keys of the file. */
  retainOnly(kids: ReadonlySet<string>): void {
    this.#replace(
      this.keys()
        .filter((key) => kids.has(key.kid))
        .map((key) => key.key),
    )
  }

  #replace(keys: readonly Buffer[]): void {
    if (this.isFromEnvironment)
      throw new MasterKeyUnavailable(
        'The master keys come from WORKSPACE_MASTER_KEY: remove the older ones there.',
      )
    const { file } = this.source
    if (isCredential(file)) throw new MasterKeyUnavailable(systemdRotationHint)
    renameSync(writeDraft(file, keys), file)
    syncFolder(file)
  }
}

const systemdRotationHint =
  'systemd provides the master keys (LoadCredential), read-only. Put a new key at the top of the file it reads, /etc/workspace/master.key unless changed, restart the server, and rotate again; remove older keys there, too.'

const newKey = () => randomBytes(masterKeyLength)

/** A new key in text form. */
export function mintMaster(): string {
  return newKey().toString('base64')
}

function readKeys(file: string, mode: number): MasterKey[] {
  if ((mode & 0o077) !== 0 && !isCredential(file))
    throw new MasterKeyUnavailable(
      `Other users of this machine can read the master key. Restrict it: chmod 600 ${file}`,
    )
  const lines = readMasterKeyFile(file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0)
    throw new MasterKeyUnavailable(
      `The master key is missing from ${file}. Restore it from your copy.`,
    )
  return parseMasterKeys(lines, file)
}

/**
 * True for a file passed by systemd: its folder is accessible to this service only, and its group bits may come from an
 * access list.
 */
function isCredential(file: string): boolean {
  const folder = process.env.CREDENTIALS_DIRECTORY
  return folder !== undefined && dirname(file) === folder
}

function readMasterKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new MasterKeyUnavailable(`The master key cannot be read: ${(error as Error).message}.`)
  }
}

function parseMasterKeys(texts: readonly string[], where: string): MasterKey[] {
  return texts.map((text, i) => {
    const key = Buffer.from(text.trim(), /^[0-9a-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64')
    if (key.length !== masterKeyLength)
      throw new MasterKeyUnavailable(
        `Key ${i + 1} of ${where} is not ${masterKeyLength} bytes in base64.`,
      )
    return { kid: kidOf(key), key }
  })
}

const fileHeader =
  '# Master key of Workspace: decrypts the secrets in its database. Keep a copy, apart from the backups.\n# The first one encrypts; the others decrypt older secrets.\n'

/** Writes keys to a temporary file in the same folder; returns its path. */
function writeDraft(file: string, keys: readonly Buffer[]): string {
  const draft = `${file}.${randomUUID()}`
  const descriptor = openSync(draft, 'wx', 0o600)
  writeSync(descriptor, fileHeader + keys.map((key) => `${key.toString('base64')}\n`).join(''))
  fsyncSync(descriptor)
  closeSync(descriptor)
  return draft
}

function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
