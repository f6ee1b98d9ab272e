// Connection instructions for one assistant program: the available ways, each with steps and with text to run or to put
// into a file.

import type { Target } from './target.ts'

const platforms = ['macos', 'linux', 'windows'] as const
export type Platform = (typeof platforms)[number]

/** A line for a terminal. */
export interface Command {
  kind: 'command'
  /** `any`: the same in sh, PowerShell and cmd. */
  shell: 'any' | 'posix' | 'windows'
  text: string
}

/** Something that is put into a configuration file: at a path of keys, or into a list there in place of the item of the same id. */
export type Put = {
  path: readonly string[]
  value: Readonly<Record<string, unknown>>
  intoList?: true
}

/** A file of configuration, with what goes into it. */
export interface ConfigFile {
  kind: 'file'
  /** `jsonc`: the program takes comments and commas at the end. */
  language: 'json' | 'jsonc' | 'toml'
  /** Location of the program's file; `~` and `%APPDATA%` as people write them. */
  paths: Record<Platform, string>
  /** A variable that names another folder for it, and what it is called there. */
  moved?: { variable: string; file: string }
  /** The same for one project only, from its root. */
  project?: string
  puts: readonly Put[]
  /** Contents of the file if it has no other entries. */
  text: string
}

/** Something that is filled in by hand, or of which the program is told in its own words. */
interface Values {
  kind: 'values'
  values: readonly { label: string; text: string }[]
}

export interface Way {
  title: string
  steps: readonly string[]
  contents: readonly (Command | ConfigFile | Values)[]
  /** Opens the program and has it ask whether to add the connection. */
  link?: string
}

export interface ClientSetup {
  id: string
  title: string
  /** The first is the one to take unless there is a reason. */
  ways: readonly Way[]
  /** Notes on the location of the key, limits, and pitfalls. */
  notes: readonly string[]
}

/** One program: how it is connected to a target. */
export interface Client {
  id: string
  title: string
  /** The selection for programs that drop tools beyond a limit of their own, unless another one is named. */
  preset?: 'core'
  /** Set where the program asks for the key itself, so that none needs to be in its file. */
  asksForKey?: true
  setup(target: Target): Omit<ClientSetup, 'id' | 'title'>
}

/** The lines of a command for both kinds of shells; one where they are the same. */
export function commands(
  parts: readonly string[],
  quoted: { posix: (text: string) => string; windows: (text: string) => string },
): Command[] {
  const posix = parts.map(quoted.posix).join(' ')
  const windows = parts.map(quoted.windows).join(' ')
  return posix === windows
    ? [{ kind: 'command', shell: 'any', text: posix }]
    : [
        { kind: 'command', shell: 'posix', text: posix },
        { kind: 'command', shell: 'windows', text: windows },
      ]
}

/** A JSON file with these puts. */
export function jsonFile(
  file: Omit<ConfigFile, 'kind' | 'text' | 'language'> & { language?: 'json' | 'jsonc' },
): ConfigFile {
  return {
    kind: 'file',
    language: 'json',
    ...file,
    text: JSON.stringify(buildConfig(file.puts), null, 2),
  }
}

/** Contents of a file with only these entries. */
export function buildConfig(puts: readonly Put[]): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const { path, value, intoList } of puts) {
    const parent = path
      .slice(0, -1)
      .reduce((at, key) => (at[key] ??= {}) as Record<string, unknown>, root)
    parent[path.at(-1)!] = intoList ? [value] : value
  }
  return root
}

/** The header that carries the key. `reference`: how this program has a variable's value put in its place. */
export function bearer(target: Target, reference: (variable: string) => string): string {
  return `Bearer ${'text' in target.key ? target.key.text : reference(target.key.variable)}`
}

/** A path that macOS and Linux share. */
export function everywhere(posix: string, windows: string): Record<Platform, string> {
  return { macos: posix, linux: posix, windows }
}
