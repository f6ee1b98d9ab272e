import type { JsonSchema } from './schemas.ts'

/** Alternative names of arguments that have the same meaning in other operations. */
const otherNames: Readonly<Record<string, string>> = {
  from: 'after',
  after: 'from',
  to: 'before',
  before: 'to',
  due_on: 'due_at',
  due_at: 'due_on',
}

/** Matches the bound of a period. Other values are not renamed: in some operations, `from` and `to` are people. */
const periodBound =
  /^(?:\d{4}-\d{2}|now$|today|yesterday|tomorrow|(?:last|next|this|in|on|end of)\s)/i

/**
 * Corrects typical arguments of models, once, before validation: numbers and flags as strings, JSON in a string, a
 * single value for a list, null for "not given", argument names of other operations. Valid values are unchanged.
 * Blanks are also unchanged: treating one as "not given" would turn a filter that matches nothing into one that
 * matches everything.
 */
export function coercer(
  inputJson: JsonSchema,
): (args: Record<string, unknown>) => Record<string, unknown> {
  const properties = (inputJson.properties ?? {}) as Record<string, JsonSchema>
  const required = new Set((inputJson.required as string[] | undefined) ?? [])
  const rules = new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      coercionRuleOf(schema, required.has(name)),
    ]),
  )
  return (args) => {
    const corrected: Record<string, unknown> = {}
    for (const [sentName, value] of Object.entries(args)) {
      const name = knownName(sentName, value, args, rules)
      const rule = rules.get(name)
      const coerced = rule ? deepCoerce(rule, value) : value
      if (coerced !== undefined) corrected[name] = coerced
    }
    return corrected
  }
}

/** The operation's name for an argument; the name as sent if the operation has no such argument. */
function knownName(
  name: string,
  value: unknown,
  args: Record<string, unknown>,
  rules: ReadonlyMap<string, unknown>,
): string {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
  if (other === undefined || rules.has(name) || !rules.has(other) || other in args) return name
  const isSynonym =
    name.startsWith('due_') || (typeof value === 'string' && periodBound.test(value))
  return isSynonym ? other : name
}

interface Rule {
  types: Set<string>
  required: boolean
  /** Corrects the objects in a list, or an object with known properties. */
  coerceItem: ((args: Record<string, unknown>) => Record<string, unknown>) | undefined
  coerceObject: ((args: Record<string, unknown>) => Record<string, unknown>) | undefined
}

function coercionRuleOf(schema: JsonSchema, required: boolean): Rule {
  const options = (schema.anyOf as JsonSchema[] | undefined) ?? [schema]
  const types = new Set(
    options.flatMap((option) => (option.type === undefined ? [] : (option.type as string))),
  )
  const items = options.find((option) => option.type === 'array')?.items as JsonSchema | undefined
  const object = options.find((option) => option.type === 'object')
  return {
    types,
    required,
    coerceItem: items?.properties ? coercer(items) : undefined,
    coerceObject: object?.properties ? coercer(object) : undefined,
  }
}

function deepCoerce(rule: Rule, input: unknown): unknown {
  const value = coerce(rule, input)
  if (rule.coerceItem && Array.isArray(value))
    return value.map((item) => (isRecord(item) ? rule.coerceItem!(item) : item))
  return rule.coerceObject && isRecord(value) ? rule.coerceObject(value) : value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function coerce(rule: Rule, value: unknown): unknown {
  const { types } = rule
  if (types.size === 0) return value
  if (value === null) return types.has('null') || rule.required ? value : undefined
  if (typeof value === 'string') return coerceText(rule, value)
  if (types.has('array') && !Array.isArray(value) && !types.has(jsonType(value))) return [value]
  if (types.has('string') && types.size === 1 && typeof value === 'number') return String(value)
  return value
}

function coerceText({ types }: Rule, text: string): unknown {
  if (types.has('string') || text === '') return text
  if ((types.has('number') || types.has('integer')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.has('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (types.has('null') && text === 'null') return null
  if (types.has('object') || types.has('array')) return coerceJson(types, text)
  return text
}

function coerceJson(types: Set<string>, text: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return text // validation reports the expected type
    }
  }
  return types.has('array') ? [text] : text
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
