import type { JsonSchema } from '../src/operations/schemas.ts'

const LINE_LENGTH = 160

/**
 * A JSON schema as diff-friendly text, one line per property, without omissions: `name?: string maxLength=80`. An
 * object accepts no other properties unless it says `additionalProperties`; a reference is the name of its target.
 */
export function schemaText(schema: JsonSchema | boolean, indent: string): string {
  if (typeof schema === 'boolean') return String(schema)
  const { $ref, type, properties, required, additionalProperties, items, ...rest } = schema
  const { anyOf, oneOf, allOf, prefixItems, ...keywords } = rest
  const fields = properties as Record<string, JsonSchema> | undefined
  const marked = marksOf(fields, required as string[] | undefined)
  const head = [
    $ref === undefined ? undefined : String($ref).split('/').at(-1),
    type === undefined ? undefined : String(type),
    ...(marked ? [] : keywordText('required', required)),
    ...Object.entries(keywords).flatMap(([name, value]) => keywordText(name, value)),
    ...(typeof items === 'boolean' ? keywordText('items', items) : []),
    ...(type === 'object' ? openness(additionalProperties, fields !== undefined) : []),
  ].filter((word) => word !== undefined)
  return [
    ...(head.length > 0 ? [wrapped(head, indent)] : []),
    ...Object.entries({ anyOf, oneOf, allOf, prefixItems }).flatMap(([name, choices]) =>
      choices === undefined ? [] : [choiceText(name, choices as JsonSchema[], indent)],
    ),
    ...[items, additionalProperties].flatMap((element) =>
      isSchema(element) ? [`of ${schemaText(element, indent)}`] : [],
    ),
    ...(fields ? [fieldsText(fields, marked, indent)] : []),
  ].join(' ')
}

/** The required properties, if question marks at the others are equivalent to the list. */
function marksOf(
  fields: Record<string, JsonSchema> = {},
  required: string[] = [],
): Set<string> | undefined {
  const marked = new Set(required)
  const inOrder = Object.keys(fields).filter((name) => marked.has(name))
  return inOrder.join() === required.join() ? marked : undefined
}

function fieldsText(
  fields: Record<string, JsonSchema>,
  required: Set<string> | undefined,
  indent: string,
): string {
  const inner = `${indent}  `
  const lines = Object.entries(fields).map(
    ([name, schema]) =>
      `${inner}${name}${required?.has(name) ? '' : '?'}: ${schemaText(schema, inner)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

function choiceText(name: string, choices: JsonSchema[], indent: string): string {
  const texts = choices.map((choice) => schemaText(choice, `${indent}  `))
  const line = texts.join(' | ')
  const isShort = !line.includes('\n') && indent.length + line.length < LINE_LENGTH / 2
  return isShort
    ? `${name} (${line})`
    : `${name} (\n${texts.map((text) => `${indent}  | ${text}\n`).join('')}${indent})`
}

function openness(additional: unknown, hasFields: boolean): string[] {
  if (isSchema(additional) || (additional === false && hasFields)) return []
  return [`additionalProperties=${additional === undefined ? 'any' : String(additional)}`]
}

/** `name=value`; for a list, one word per element, so that a long one can be wrapped. */
function keywordText(name: string, value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length === 0) return [`${name}=${JSON.stringify(value)}`]
  const words = value.map(
    (element, i) => JSON.stringify(element) + (i === value.length - 1 ? ']' : ','),
  )
  return [`${name}=[${words[0]}`, ...words.slice(1)]
}

function wrapped(words: readonly string[], indent: string): string {
  let text = ''
  let length = indent.length + 40
  for (const word of words) {
    const isFull = length + word.length > LINE_LENGTH
    const separator = isFull ? `\n${indent}    ` : ' '
    text += text === '' ? word : separator + word
    length = (isFull ? indent.length + 4 : length) + word.length + 1
  }
  return text
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}
