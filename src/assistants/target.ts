// Target of an assistant's connection, and its key. This folder depends on nothing else of ours: the command line, the
// pages and the bundle for Claude Desktop are all built on it.

/** Variable that holds a key if the key itself must not be written down. */
export const keyVariable = 'WORKSPACE_KEY'

/** Placeholder displayed instead of a missing key. */
export const placeholder = 'svc_YOUR_KEY'

/** Named selections of tools. */
export const presets = ['core', 'daily', 'all', 'compact', 'research'] as const

/** Tools that a connection requests; the key's own policy remains the upper bound. */
export interface Selection {
  preset?: string | undefined
  /** Modules, each optionally with `:ro` or `:rw`. */
  toolsets?: readonly string[] | undefined
  readonly?: boolean | undefined
  /** Other query fields, unchanged. */
  others?: string | undefined
}

/** A key in a configuration: literal, or the name of a variable that holds it. */
export type KeyText = { text: string } | { variable: string }

/** Connection details for a program. */
export interface Target {
  /** Without a trailing slash. */
  baseUrl: string
  selection: Selection
  key: KeyText
  /** Name of this connection in the assistant's program. */
  name: string
  /** The command that starts the bridge over stdio, with its first arguments. */
  bridge: readonly string[]
}

/** An invalid address or selection, explained to the person who typed it. */
export class InvalidTarget extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** A typed address: of the instance, or of its MCP endpoint with the selection in the query. */
export interface EndpointAddress {
  baseUrl: string
  /** Path of the endpoint: /mcp, or a path below it that narrows the tools. */
  path: string
  selection: Selection
}

/** @throws InvalidTarget if it is not the address of an instance */
export function parseEndpoint(text: string): EndpointAddress {
  const url = parseTargetUrl(text)
  const [, before, path = '/mcp'] = /^(.*?)(\/mcp(?:\/.*)?)?$/.exec(
    url.pathname.replace(/\/+$/, ''),
  )!
  const { searchParams: query } = url
  const selection = selectionOf({
    preset: query.get('preset'),
    toolsets: query.get('toolsets'),
    readonly: query.get('readonly'),
  })
  const others = url.search
    .slice(1)
    .split('&')
    .filter((field) => field !== '' && !/^(preset|toolsets|readonly)(=|$)/.test(field))
    .join('&')
  return {
    baseUrl: url.origin + before!,
    path,
    selection: { ...selection, others: others || undefined },
  }
}

function parseTargetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidTarget(
      'url',
      `${text.slice(0, 200)} is not a web address. Use one such as https://work.example.org`,
    )
  if (url.username || url.password)
    throw new InvalidTarget(
      'url',
      'The address contains a user name or password. Remove them; the key is enough.',
    )
  return url
}

/** Parses a selection from query or flag values. @throws InvalidTarget */
export function selectionOf(input: {
  preset?: string | null | undefined
  toolsets?: string | null | undefined
  readonly?: string | boolean | null | undefined
}): Selection {
  const toolsets = input.toolsets
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const invalidName = toolsets?.find((name) => !/^[a-z][a-z_]*(:r[ow])?$/.test(name))
  if (invalidName !== undefined)
    throw new InvalidTarget(
      'toolsets',
      `${invalidName.slice(0, 80)} is not a toolset. Use module names separated by commas, such as tasks,projects or tasks:ro,chat:rw.`,
    )
  if (input.preset && !(presets as readonly string[]).includes(input.preset))
    throw new InvalidTarget(
      'preset',
      `There is no preset ${input.preset.slice(0, 80)}. Available: ${presets.join(', ')}.`,
    )
  return {
    preset: input.preset || undefined,
    toolsets: toolsets?.length ? toolsets : undefined,
    readonly: isYes(input.readonly) || undefined,
  }
}

function isYes(value: string | boolean | null | undefined): boolean {
  if (typeof value !== 'string') return value === true
  if (/^(1|true|yes|)$/i.test(value)) return true
  if (/^(0|false|no)$/i.test(value)) return false
  throw new InvalidTarget('readonly', `readonly is 1 or 0, not ${value.slice(0, 80)}.`)
}

/** The first selection overridden by the second. */
export function overrideSelection(selection: Selection, overrides: Selection): Selection {
  return {
    preset: overrides.preset ?? selection.preset,
    toolsets: overrides.toolsets ?? selection.toolsets,
    readonly: overrides.readonly ?? selection.readonly,
    others: selection.others,
  }
}

/** The address of the endpoint. Commas and colons are not encoded, for readability. */
export function mcpUrl(
  baseUrl: string,
  { preset, toolsets, readonly, others }: Selection,
  path = '/mcp',
): string {
  const fields = [
    preset && `preset=${preset}`,
    toolsets && `toolsets=${toolsets.join(',')}`,
    readonly && 'readonly=1',
    others,
  ].filter(Boolean)
  return `${baseUrl}${path}${fields.length > 0 ? `?${fields.join('&')}` : ''}`
}

/** Endpoint for the oldest clients. */
export function sseUrl(baseUrl: string, selection: Selection): string {
  return mcpUrl(baseUrl, selection, '/sse')
}

/** Whether a key sent there could be intercepted. */
export function isExposed(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return (
    protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  )
}
