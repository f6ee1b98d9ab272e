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
import { kidOf, masterLength } from './seal.ts'

export interface MasterKey {
  readonly kid: string
  readonly key: Buffer
}

/** Thrown if the master key is unavailable, with what to do about it. */
export class NoMaster extends Error {}

/** Source of master keys: the environment if it names any, else the file. */
export interface MasterPlace {
  file: string
  /** Keys separated by commas, the current one first. */
  env?: string | undefined
}

/**
 * The keys that decrypt all secrets. The first one encrypts; the others decrypt secrets from before a rotation. The
 * file is reread after a change, so that a server notices a rotation by a command.
 */
export class Master {
  readonly place: MasterPlace
  #cached: { keys: MasterKey[]; stamp: string } | undefined

  constructor(place: MasterPlace) {
    this.place = place
  }

  get isFromEnvironment(): boolean {
    return Boolean(this.place.env)
  }

  /** Location of the keys, for messages. */
  get where(): string {
    return this.isFromEnvironment ? 'WORKSPACE_MASTER_KEY' : this.place.file
  }

  /**
   * All keys, the current one first; empty if there are none yet. @throws NoMaster where what is there cannot be used
   */
  keys(): readonly MasterKey[] {
    const { file, env } = this.place
    if (env)
      return (this.#cached ??= {
        keys: parseMasterKeys(env.split(','), 'WORKSPACE_MASTER_KEY'),
        stamp: '',
      }).keys
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return []
    const stamp = `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    if (this.#cached?.stamp !== stamp) this.#cached = { keys: readKeys(file, stat.mode), stamp }
    return this.#cached.keys
  }

  find(kid: string): MasterKey | undefined {
    return this.keys().find((key) => key.kid === kid)
  }

  /** The key used for encryption; undefined if there is none yet. */
  get present(): MasterKey | undefined {
    return this.keys()[0]
  }

  /** Creates the first key, in its file, readable only by this user. If another process was faster, uses its key. */
  create(): MasterKey {
    const { file } = this.place
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const draft = written(file, [newKey()])
    try {
      linkSync(draft, file) // whole, or not at all, and never over another one
      syncFolder(file)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
    return this.present!
  }

  /** Adds a new first key. @throws NoMaster where they come from the environment */
  add(): MasterKey {
    if (this.isFromEnvironment)
      throw new NoMaster(
        'The master key comes from WORKSPACE_MASTER_KEY: add a new one before it, separated by a comma, and rotate again.',
      )
    this.#replace([newKey(), ...this.keys().map((key) => key.key)])
    return this.present!
  }

  /** Keeps only these keys of the file. */
  keep(kids: ReadonlySet<string>): void {
    this.#replace(
      this.keys()
        .filter((key) => kids.has(key.kid))
        .map((key) => key.key),
    )
  }

  #replace(keys: readonly Buffer[]): void {
    if (this.isFromEnvironment)
      throw new NoMaster(
        'The master keys come from WORKSPACE_MASTER_KEY: remove the older ones there.',
      )
    const { file } = this.place
    if (isCredential(file)) throw new NoMaster(byHand)
    renameSync(written(file, keys), file)
    syncFolder(file)
  }
}

const byHand =
  'systemd provides the master keys (LoadCredential), read-only. Put a new key at the top of the file it reads, /etc/workspace/master.key unless changed, restart the server, and rotate again; remove older keys there, too.'

const newKey = () => randomBytes(masterLength)

/** A new key in text form. */
export function mintMaster(): string {
  return newKey().toString('base64')
}

function readKeys(file: string, mode: number): MasterKey[] {
  if ((mode & 0o077) !== 0 && !isCredential(file))
    throw new NoMaster(
      `Other users of this machine can read the master key. Restrict it: chmod 600 ${file}`,
    )
  const lines = readMasterKeyFile(file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0)
    throw new NoMaster(`The master key is missing from ${file}. Restore it from your copy.`)
  return parseMasterKeys(lines, file)
}

/**
 * True for a file passed by systemd: its folder is accessible to this service only, so group bits may be those of an
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
    throw new NoMaster(`The master key cannot be read: ${(error as Error).message}.`)
  }
}

function parseMasterKeys(texts: readonly string[], where: string): MasterKey[] {
  return texts.map((text, i) => {
    const key = Buffer.from(text.trim(), /^[0-9a-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64')
    if (key.length !== masterLength)
      throw new NoMaster(`Key ${i + 1} of ${where} is not ${masterLength} bytes in base64.`)
    return { kid: kidOf(key), key }
  })
}

const heading =
  '# Master key of Workspace: decrypts the secrets in its database. Keep a copy, apart from the backups.\n# The first one encrypts; the others decrypt older secrets.\n'

/** Writes keys to a temporary file in the same folder; returns its path. */
function written(file: string, keys: readonly Buffer[]): string {
  const draft = `${file}.${randomUUID()}`
  const out = openSync(draft, 'wx', 0o600)
  writeSync(out, heading + keys.map((key) => `${key.toString('base64')}\n`).join(''))
  fsyncSync(out)
  closeSync(out)
  return draft
}

function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
