// Parses the tool selection in a request's address and headers. It can be in the path, the query and the headers.
// Each place only narrows: none can widen what another has left.

import { Refusal } from '../../kernel/refusal.ts'
import { parseToolset, type Toolset } from '../../kernel/toolsets.ts'
import { presetNames, type Preset } from './presets.ts'

/** Selection requested in one place: path, query or headers. */
export interface ToolSelection {
  /** undefined for all. */
  toolsets: readonly Toolset[] | undefined
  tools: readonly string[]
  exclude: readonly string[]
  readOnly: boolean
  preset: Preset | undefined
  /** Names of the options in that place, for error messages. */
  names: Names
}

type Names = Readonly<Record<'toolsets' | 'tools' | 'exclude' | 'readOnly' | 'preset', string>>

export interface Selection {
  parts: readonly ToolSelection[]
  /** Whether the list has output schemas; undefined for the instance's default. */
  outputSchemas: boolean | undefined
  /** Whether listed tools have titles, icons, search words and all annotations. */
  details: boolean
}

/** Parts of a request that a selection is read from. */
export interface ConnectionRequest {
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

const inPath: Names = {
  toolsets: '/x/ in the address',
  readOnly: '/readonly in the address',
  tools: '',
  exclude: '',
  preset: '/p/ in the address',
}
const inQuery: Names = {
  toolsets: 'toolsets= in the address',
  tools: 'tools= in the address',
  exclude: 'exclude= in the address',
  readOnly: 'readonly= in the address',
  preset: 'preset= in the address',
}
const inHeaders: Names = {
  toolsets: 'X-MCP-Toolsets',
  tools: 'X-MCP-Tools',
  exclude: 'X-MCP-Exclude-Tools',
  readOnly: 'X-MCP-Readonly',
  preset: 'X-MCP-Preset',
}

/**
 * Common misspellings, normalized to lower case, singular and without punctuation, with the intended name. They are
 * refused, because an ignored option would narrow nothing.
 */
const misspellings: Readonly<Record<string, string>> = {
  toolset: 'toolsets',
  tool: 'tools',
  exclude: 'exclude',
  excludetool: 'exclude',
  excludedtool: 'exclude',
  excluded: 'exclude',
  preset: 'preset',
  readonly: 'readonly',
  outputschema: 'output_schemas',
  detail: 'details',
}
const misspelledHeaders = [
  'x-mcp-toolset',
  'x-mcp-tool',
  'x-mcp-exclude',
  'x-mcp-exclude-tool',
  'x-mcp-excluded-tools',
  'x-mcp-read-only',
  'x-mcp-presets',
]

/** The refusal of an invalid value; `name`: its name in that place. */
export function invalidSelection(name: string, message: string, hint: string): Refusal {
  return new Refusal('invalid_argument', `${name}: ${message}`, {
    hint,
    field: name.split(/=| /)[0]!,
  })
}

/** Everything that a request's selection depends on, as one text; empty if nothing is requested. */
export function selectionText({ url, headers }: ConnectionRequest): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const address = start < 0 ? '' : url.slice(start)
  const headerValues = [...Object.values(inHeaders), ...misspelledHeaders].map((name) =>
    headers.get(name),
  )
  const isBare =
    headerValues.every((value) => value === null) &&
    !address.includes('?') &&
    !address.startsWith('/mcp/')
  return isBare ? '' : JSON.stringify([address, ...headerValues])
}

/** @throws Refusal invalid_argument for impossible selections */
export function parseSelection({ url, headers }: ConnectionRequest): Selection {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  refuseMisspelledNames(searchParams, headers)
  const query = (name: string) =>
    searchParams.has(name) ? searchParams.getAll(name).join(',') : null
  const parts = [
    selectionOfParams({ ...parseEndpointPath(pathname), tools: null, exclude: null }, inPath),
    selectionOfParams(
      {
        toolsets: query('toolsets'),
        tools: query('tools'),
        exclude: query('exclude'),
        preset: query('preset'),
        readOnly: query('readonly') === '' ? '1' : query('readonly'),
      },
      inQuery,
    ),
    selectionOfParams(
      {
        toolsets: headers.get(inHeaders.toolsets),
        tools: headers.get(inHeaders.tools),
        exclude: headers.get(inHeaders.exclude),
        preset: headers.get(inHeaders.preset),
        readOnly: headers.get(inHeaders.readOnly),
      },
      inHeaders,
    ),
  ]
  const flag = (name: string) => {
    const value = query(name)
    return value === null ? undefined : flagOf(value || '1', `${name}= in the address`)
  }
  return {
    parts: parts.filter((part) => part !== undefined),
    outputSchemas: flag('output_schemas'),
    details: flag('details') ?? false,
  }
}

function refuseMisspelledNames(
  query: URLSearchParams,
  headers: ConnectionRequest['headers'],
): void {
  for (const name of query.keys()) {
    const plain = name
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .replace(/s$/, '')
    const correctName = Object.hasOwn(misspellings, plain) ? misspellings[plain] : undefined
    if (correctName !== undefined && correctName !== name)
      throw new Refusal(
        'invalid_argument',
        `${JSON.stringify(name.slice(0, 40))} in the address is an unknown parameter.`,
        `Did you mean ${correctName}=?`,
      )
  }
  const misspelled = misspelledHeaders.find((name) => headers.get(name) !== null)
  if (misspelled !== undefined)
    throw new Refusal(
      'invalid_argument',
      `Unknown header ${misspelled}.`,
      `Available: ${Object.values(inHeaders).join(', ')}.`,
    )
}

/** An MCP endpoint address with its selection. */
export const endpointPath = /^\/mcp(?:\/p\/([^/]+))?(?:\/x\/([^/]+))?(\/readonly)?\/?$/

/** `/mcp/p/core/x/tasks,email/readonly`: the selection after /mcp. Other paths select nothing. */
function parseEndpointPath(
  pathname: string,
): Record<'preset' | 'toolsets' | 'readOnly', string | null> {
  const [, preset, toolsets, readOnly] = endpointPath.exec(pathname) ?? []
  return {
    preset: preset === undefined ? null : decodeSelectionPart(preset),
    toolsets: toolsets === undefined ? null : decodeSelectionPart(toolsets),
    readOnly: readOnly === undefined ? null : '1',
  }
}

function decodeSelectionPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal('invalid_argument', 'The address contains an invalid percent encoding.')
  }
}

function selectionOfParams(
  query: Record<keyof Names, string | null>,
  names: Names,
): ToolSelection | undefined {
  const toolsets = toolsetsIn(parseNameList(query.toolsets), names.toolsets)
  const tools = parseNameList(query.tools)
  const exclude = parseNameList(query.exclude)
  const readOnly =
    query.readOnly !== null && query.readOnly !== '' && flagOf(query.readOnly, names.readOnly)
  const preset = presetIn(parseNameList(query.preset), names.preset)
  const isEmpty = !toolsets && tools.length === 0 && exclude.length === 0 && !readOnly && !preset
  return isEmpty ? undefined : { toolsets, tools, exclude, readOnly, preset, names }
}

/** Comma-separated names; none for blank text, which unset variables of a client produce. */
function parseNameList(text: string | null): string[] {
  return [
    ...new Set(
      (text ?? '')
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== ''),
    ),
  ]
}

/** `all` and `default` mean every module; modules listed besides them keep their own access. */
function toolsetsIn(texts: readonly string[], name: string): readonly Toolset[] | undefined {
  if (texts.length === 0) return undefined
  const toolsets = texts.map((text) => {
    const toolset = parseToolset(text)
    if (!toolset)
      throw invalidSelection(
        name,
        `${JSON.stringify(text.slice(0, 60))} is not a toolset.`,
        'Name a module, such as tasks; tasks:ro for read-only access, tasks:rw for full access.',
      )
    return toolset.module === 'default' ? { ...toolset, module: 'all' } : toolset
  })
  return toolsets.length === 1 && toolsets[0]!.module === 'all' && !toolsets[0]!.readOnly
    ? undefined
    : toolsets
}

const flags: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }

function flagOf(text: string, name: string): boolean {
  const values = parseNameList(text).map((item) =>
    Object.hasOwn(flags, item) ? flags[item]! : undefined,
  )
  if (values.length === 0 || values.includes(undefined))
    throw invalidSelection(name, 'is not a flag.', 'Use 1, true, 0 or false.')
  return values.includes(true)
}

function presetIn(texts: readonly string[], name: string): Preset | undefined {
  const [text, ...more] = texts
  if (text === undefined) return undefined
  const preset = presetNames.find((presetName) => presetName === text)
  if (!preset || more.length > 0)
    throw invalidSelection(
      name,
      more.length > 0
        ? 'accepts only one preset.'
        : `unknown preset ${JSON.stringify(text.slice(0, 60))}.`,
      `Available: ${presetNames.join(', ')}.`,
    )
  return preset
}
