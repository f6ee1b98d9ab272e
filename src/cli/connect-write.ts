// Puts a connection into the configuration file of an assistant's program.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { ClientSetup, ConfigFile } from '../assistants/client.ts'
import { mergeConfig, UnmergeableConfig } from '../assistants/merge.ts'
import { currentPlatform } from '../assistants/show.ts'
import { placeholder, type Target } from '../assistants/target.ts'
import { CliError } from './exit.ts'

export interface WrittenConfig {
  client: string
  file: string
  changed: boolean
  /** Backup of the previous file; undefined if there was none. */
  backup?: string
  /** Remaining steps. */
  next: readonly string[]
}

/** @throws Stop if there is no file to write, no key, or the file cannot be edited; nothing was changed then */
export function writeSetup(
  setup: ClientSetup,
  { key }: Target,
  path: string | undefined,
): WrittenConfig {
  const [config, steps] = configOf(setup)
  if (config.text.includes(placeholder)) throw new CliError('refused', missingKeyMessage(setup))
  const file = realPath(path === undefined ? configPathOf(config) : resolve(path))
  const old = readConfigText(file)
  const text = mergedText(file, old ?? '', config)
  const isSecret = 'text' in key && config.text.includes(key.text)
  const next = stepsAfterWriting(steps)
  if (text === old) return { client: setup.id, file, changed: false, next }
  const defaultMode = old === undefined ? 0o644 : statSync(file).mode & 0o777
  const mode = isSecret ? 0o600 : defaultMode
  const backup = old === undefined ? undefined : backUp(file, old, mode)
  replace(file, text, mode)
  return { client: setup.id, file, changed: true, ...(backup ? { backup } : {}), next }
}

/** The steps without the sentences that ask for what has been done. */
function stepsAfterWriting(steps: readonly string[]): string[] {
  return steps
    .map((step) => step.replace(/[^.]*\badd this to the file\.\s*/i, ''))
    .filter((step) => step !== '')
}

function configOf({ title, ways }: ClientSetup): [ConfigFile, readonly string[]] {
  for (const { contents, steps } of ways)
    for (const content of contents)
      if (content.kind === 'file' && content.paths.linux.includes('/')) return [content, steps]
  throw new CliError(
    'refused',
    `The configuration file of ${title} is not known. Run without --write to see the steps.`,
  )
}

function missingKeyMessage({ title }: ClientSetup): string {
  return `There is no key to write to the configuration of ${title}. Pass one with --key or in WORKSPACE_KEY. (--key env writes a reference to the variable, where the program supports that.)`
}

/** Path of the program's configuration on this machine. */
function configPathOf({ paths, moved }: ConfigFile): string {
  const folder = moved && process.env[moved.variable]
  if (moved && folder) return join(folder, moved.file)
  const { XDG_CONFIG_HOME: config, APPDATA = join(homedir(), 'AppData', 'Roaming') } = process.env
  const path = paths[currentPlatform()]
  if (config && path.startsWith('~/.config/')) return join(config, path.slice('~/.config/'.length))
  return path
    .replace(/^~(?=\/)/, homedir)
    .replace('%APPDATA%', () => APPDATA)
    .replace('%USERPROFILE%', homedir)
}

/** Resolves symbolic links: some people link to a configuration file kept elsewhere. */
function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : file
}

function readConfigText(file: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw new CliError(
      'refused',
      `Cannot read ${file}: ${(error as Error).message}. Nothing was changed.`,
    )
  }
}

function mergedText(file: string, old: string, config: ConfigFile): string {
  try {
    return mergeConfig(old, config)
  } catch (error) {
    if (error instanceof UnmergeableConfig)
      throw new CliError(
        'refused',
        `Cannot add to ${file}: ${error.message}. Nothing was changed; run without --write to see what to add.`,
      )
    throw error
  }
}

function backUp(file: string, text: string, mode: number): string {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const copies = [
    `${file}.${stamp}.bak`,
    ...Array.from({ length: 99 }, (_, i) => `${file}.${stamp}-${i + 2}.bak`),
  ]
  const copy = copies.find((name) => !existsSync(name))!
  withWriteErrors(copy, () => writeFileSync(copy, text, { mode, flag: 'wx' }))
  return copy
}

/** Atomic, even if this process ends halfway. */
function replace(file: string, text: string, mode: number): void {
  withWriteErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const staged = `${file}.${process.pid}.tmp`
    writeFileSync(staged, text, { mode, flag: 'wx' })
    chmodSync(staged, mode) // the umask may have narrowed the mode given above
    renameSync(staged, file)
  })
}

function withWriteErrors(file: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new CliError(
      'refused',
      `Cannot write ${file}: ${(error as Error).message}. Nothing was changed.`,
    )
  }
}
