import { createHash } from 'node:crypto'
import type { Tool } from '@modelcontextprotocol/server'

/**
 * A hash for detecting changes of the tools: SHA-256, in hexadecimal, of their names, descriptions, input schemas and
 * annotations as JSON without spaces, sorted by tool name and member name.
 */
export function toolListHash(tools: readonly Tool[]): string {
  const plain = tools.map(({ name, description, inputSchema, annotations }) => ({
    name,
    description,
    inputSchema,
    annotations,
  }))
  return createHash('sha256')
    .update(
      JSON.stringify(
        plain.sort((a, b) => (a.name < b.name ? -1 : 1)),
        sortObjectKeys,
      ),
    )
    .digest('hex')
}

function sortObjectKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
