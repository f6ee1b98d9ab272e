// The table of docs/web-api.md, generated from the endpoint definitions.

import { z } from 'zod'
import { endpointsWith } from '../src/http/web/endpoints.ts'
import type { ServerEndpoint } from '../src/http/web/endpoint.ts'
import type { Module } from '../src/operations/module.ts'
import { cell } from './cells.ts'

interface FieldSchema {
  description?: string
  enum?: unknown[]
  default?: unknown
}

/** One row per endpoint: its input and its effect. */
export function endpointTable(modules: readonly Module[]): string {
  return [
    '| request | takes | what it does |',
    '| --- | --- | --- |',
    ...endpointsWith(modules).map(rowOf),
  ].join('\n')
}

function rowOf(endpoint: ServerEndpoint): string {
  const { method, path, about } = endpoint
  const request = `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\`${audienceMarks[endpoint.for]}`
  return `| ${request} | ${cell(inputText(endpoint))} | ${cell(about)} |`
}

const audienceMarks = { person: '', 'recent-person': ' ●', anyone: ' ○' }

/** The names of the input; optional ones with a question mark, as in the reference. */
function inputText({ input }: ServerEndpoint): string {
  return Object.entries(input)
    .map(([name, type]) => fieldText(name, type as z.ZodType))
    .join(', ')
}

function fieldText(name: string, type: z.ZodType): string {
  const schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as FieldSchema
  const isOptional = type.safeParse(undefined).success
  const notes = [
    schema.enum?.map((value) => `\`${value}\``).join(', '),
    schema.description,
    schema.default === undefined || Array.isArray(schema.default)
      ? undefined
      : `default \`${schema.default}\``,
  ].filter((note) => note !== undefined)
  return `\`${name}\`${isOptional ? '?' : ''}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}

/** The document with its table replaced. */
export function withEndpointTable(text: string, table: string): string {
  const markers = /(<!-- endpoints[^>]*-->\n)[^]*?(<!-- \/endpoints -->)/
  if (!markers.test(text))
    throw new Error(
      'docs/web-api.md has lost its markers, <!-- endpoints --> and <!-- /endpoints -->.',
    )
  return text.replace(markers, (_, before: string, after: string) => `${before}${table}\n${after}`)
}
