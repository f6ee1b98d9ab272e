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

/** An entry for a configuration file: at a path of keys, or in a list there, replacing the item with the same id. */
export type ConfigEntry = {
  path: readonly string[]
  value: Readonly<Record<string, unknown>>
  intoList?: true
}

/** A configuration file and its new entries. */
export interface ConfigFile {
  kind: 'file'
  /** `jsonc`: the program accepts comments and trailing commas. */
  language: 'json' | 'jsonc' | 'toml'
  /** Location of the program's file; `~` and `%APPDATA%` as people write them. */
  paths: Record<Platform, string>
  /** A variable that names another folder for the file, and the file's name there. */
  moved?: { variable: string; file: string }
  /** Path for a single project, relative to its root. */
  project?: string
  puts: readonly ConfigEntry[]
  /** Contents of the file if it has no other entries. */
  text: string
}

/** Values filled in by hand or through the program's own interface. */
interface Values {
  kind: 'values'
  values: readonly { label: string; text: string }[]
}

export interface SetupMethod {
  title: string
  steps: readonly string[]
  contents: readonly (Command | ConfigFile | Values)[]
  /** Opens the program and asks the person whether to add the connection. */
  link?: string
}

export interface ClientSetup {
  id: string
  title: string
  /** The first is the default choice. */
  ways: readonly SetupMethod[]
  /** Notes on the location of the key, limits, and pitfalls. */
  notes: readonly string[]
}

/** A program and how it connects to a target. */
export interface Client {
  id: string
  title: string
  /** Default selection for programs that drop tools beyond their own limit. */
  preset?: 'core'
  /** Set if the program asks for the key itself, so that its file needs none. */
  asksForKey?: true
  setup(target: Target): Omit<ClientSetup, 'id' | 'title'>
}

/** The lines of a command for both kinds of shell; one line if they are the same. */
export function commandsForShells(
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

/** A JSON configuration file with these entries. */
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
export function buildConfig(puts: readonly ConfigEntry[]): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const { path, value, intoList } of puts) {
    const parent = path
      .slice(0, -1)
      .reduce((table, key) => (table[key] ??= {}) as Record<string, unknown>, root)
    parent[path.at(-1)!] = intoList ? [value] : value
  }
  return root
}

/** The header with the key. `reference`: this program's syntax for the value of a variable. */
export function bearerHeader(target: Target, reference: (variable: string) => string): string {
  return `Bearer ${'text' in target.key ? target.key.text : reference(target.key.variable)}`
}

/** The same path for macOS and Linux, another for Windows. */
export function pathsByPlatform(posix: string, windows: string): Record<Platform, string> {
  return { macos: posix, linux: posix, windows }
}
