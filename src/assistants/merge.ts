// Adds a connection to the text of a configuration file and leaves the rest unchanged, comments included. The result is
// parsed again and compared, so that nothing is lost silently.

import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch'
import * as jsonc from 'jsonc-parser'
import type { FormattingOptions, ParseError } from 'jsonc-parser'
import type { ConfigFile, ConfigEntry } from './client.ts'
import { tomlText } from './toml.ts'

/** A file that cannot be edited; the message gives the reason. */
export class UnmergeableConfig extends Error {}

type Table = Record<string, unknown>

/**
 * Properties that describe how to reach a server: these are removed from an existing entry, and everything else
 * stays.
 */
const transportProperties = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'bearer_token',
  'bearer_token_env_var',
  'http_headers',
  'env_http_headers',
]

/**
 * The text of a file with the entries added. @throws UnmergeableConfig if the text is not valid in its language or cannot
 * be edited for another reason
 */
export function mergeConfig(
  text: string,
  { language, puts }: Pick<ConfigFile, 'language' | 'puts'>,
): string {
  const byteOrderMark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const old = text.slice(byteOrderMark.length)
  const [read, write] = language === 'toml' ? [readToml, addTomlEntry] : [readJson, addJsonEntry]
  const before = read(old)
  const after = puts.reduce(withEntry, before)
  if (isSameValue(before, after) && old.trim() !== '') return text
  const result = puts.reduce(write, old)
  if (!isSameValue(read(result), after))
    throw new UnmergeableConfig('its layout cannot be extended without losing content')
  return byteOrderMark + result
}

/** Whether two values are equal regardless of the parser's types. */
function isSameValue(item: unknown, other: unknown): boolean {
  const normalized = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value ?? null, (_, part: unknown) =>
        typeof part === 'bigint' ? String(part) : part,
      ),
    )
  return isDeepStrictEqual(normalized(item), normalized(other))
}

function readToml(text: string): Table {
  try {
    return parseToml(text) as Table
  } catch (error) {
    throw new UnmergeableConfig(
      `it is not valid TOML: ${(error as Error).message.split('\n', 1)[0]}`,
    )
  }
}

function readJson(text: string): Table {
  if (text.trim() === '') return {}
  const errors: ParseError[] = []
  const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first)
    throw new UnmergeableConfig(
      `it is not valid JSON: ${jsonc.printParseErrorCode(first.error)} in line ${text.slice(0, first.offset).split('\n').length}`,
    )
  return tableOf(value, [])
}

function tableOf(value: unknown, path: readonly string[]): Table {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table
  throw new UnmergeableConfig(
    path.length === 0
      ? 'it contains something other than an object'
      : `${path.join('.')} is not ${path.length === 1 ? 'an object' : 'a table'}`,
  )
}

function withEntry(root: Table, put: ConfigEntry): Table {
  return insert(root, put.path, (old) => newValue(old, put), [])
}

function insert(
  table: Table,
  [key, ...rest]: readonly string[],
  newValueOf: (old: unknown) => unknown,
  parentPath: readonly string[],
): Table {
  const path = [...parentPath, key!]
  const old = table[key!]
  return {
    ...table,
    [key!]:
      rest.length === 0
        ? newValueOf(old)
        : insert(old === undefined ? {} : tableOf(old, path), rest, newValueOf, path),
  }
}

function newValue(old: unknown, { path, value, intoList }: ConfigEntry): unknown {
  if (!intoList)
    return { ...(old === undefined ? {} : withoutTransport(tableOf(old, path))), ...value }
  if (old !== undefined && !Array.isArray(old))
    throw new UnmergeableConfig(`${path.join('.')} is not a list`)
  const list = (old ?? []) as Table[]
  return list.some((item) => item.id === value.id)
    ? list.map((item) => (item.id === value.id ? value : item))
    : [...list, value]
}

function withoutTransport(old: Table): Table {
  return Object.fromEntries(
    Object.entries(old).filter(([name]) => !transportProperties.includes(name)),
  )
}

/** A new table goes at the end, which is always valid; an existing table is edited in place. */
function addTomlEntry(text: string, put: ConfigEntry): string {
  const before = readToml(text)
  const parent = valueAt(before, put.path.slice(0, -1))
  const appended = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text.trim() === '' ? '' : '\n'}${tomlText([put])}\n`
  if (
    valueAt(before, put.path) === undefined &&
    (parent === undefined || isSameValue(readTomlOrUndefined(appended), withEntry(before, put)))
  )
    return appended
  return patchToml(text, withEntry(before, put))
}

function readTomlOrUndefined(text: string): Table | undefined {
  try {
    return readToml(text)
  } catch {
    return undefined // an inline table above cannot be added to from below
  }
}

function addJsonEntry(text: string, put: ConfigEntry): string {
  if (text.trim() === '') return `${JSON.stringify(withEntry({}, put), null, 2)}\n`
  const old = valueAt(readJson(text), put.path)
  if (put.intoList || old === undefined) return setJson(text, put.path, newValue(old, put))
  const wanted = newValue(old, put) as Table
  const names = [...new Set([...Object.keys(old as Table), ...Object.keys(wanted)])]
  return names
    .filter((name) => !isSameValue((old as Table)[name], wanted[name]))
    .reduce((done, name) => setJson(done, [...put.path, name], wanted[name]), text)
}

function valueAt(root: Table, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Table | undefined)?.[key], root)
}

function setJson(text: string, path: readonly string[], value: unknown): string {
  return (
    appendProperty(text, path, value) ??
    jsonc.applyEdits(
      text,
      jsonc.modify(text, [...path], value, { formattingOptions: layoutOf(text) }),
    )
  )
}

/**
 * Adds a property at the end of an object that spans several lines. The library would reformat the surroundings and
 * move comments. @returns undefined in other cases
 */
function appendProperty(text: string, path: readonly string[], value: unknown): string | undefined {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true })!
  const depth = path.findIndex((_, i) => !jsonc.findNodeAtLocation(root, path.slice(0, i + 1)))
  const parent = depth === -1 ? undefined : jsonc.findNodeAtLocation(root, path.slice(0, depth))
  const last = parent?.children?.at(-1)
  if (
    value === undefined ||
    parent?.type !== 'object' ||
    !last ||
    !text.slice(parent.offset, parent.offset + parent.length).includes('\n')
  )
    return undefined
  const end = last.offset + last.length
  const brace = parent.offset + parent.length - 1
  const behind = text.slice(end, brace)
  const hasComma = jsonc.stripComments(behind).includes(',')
  const rest = behind.trimEnd()
  const { eol = '\n' } = layoutOf(text)
  const indent = /(?:^|\n)([^\S\n]*)[^\n]*$/.exec(text.slice(0, last.offset))![1]!
  const step = layoutOf(text).insertSpaces ? ' '.repeat(layoutOf(text).tabSize!) : '\t'
  const inner = path
    .slice(depth + 1)
    .reduceRight<unknown>((nested, key) => ({ [key]: nested }), value)
  const property = `${JSON.stringify(path[depth])}: ${JSON.stringify(inner, null, step).replaceAll('\n', eol + indent)}`
  return `${text.slice(0, end)}${hasComma ? '' : ','}${rest}${eol}${indent}${property}${hasComma ? ',' : ''}${behind.slice(rest.length)}${text.slice(brace)}`
}

/** Formatting already used in the file. */
function layoutOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)["}\]]/m.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 4 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}
