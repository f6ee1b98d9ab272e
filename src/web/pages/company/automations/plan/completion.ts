// Completion of names in expressions and templates, at the cursor.

import { useMemo } from 'react'
import { useOperation } from '../../../../api/queries.ts'
import { useAllItems } from '../../../settings/shared/lists.ts'
import { staleTime, mergeEntryPages } from './parts.ts'

/** A suggested name, with its description. */
export interface Completion {
  text: string
  about?: string | undefined
}

const globalNames: readonly Completion[] = [
  { text: 'actor.id' },
  { text: 'actor.title' },
  { text: 'event.name' },
  { text: 'now' },
  { text: 'trigger.payload' },
  { text: 'input' },
]

/** A function for expressions; methods come after their value: `item.title.contains()`. */
export interface ExpressionFunction {
  name: string
  isMethod: boolean
  about: string | undefined
}

/** Functions and filters of the server's expressions and templates. */
interface Language {
  functions: readonly ExpressionFunction[]
  filters: readonly string[]
}

/** The server's functions for expressions and filters for templates. */
export function useLanguage(): Language {
  const catalog = useOperation(
    'list_automation_catalog',
    { kind: 'condition', query: 'automations', limit: 100 },
    { staleTime },
  )
  return useMemo(() => {
    const summaries = (catalog.data?.items ?? []).map(({ summary }) => summary)
    return { functions: functionsIn(summaries), filters: filtersIn(summaries) }
  }, [catalog.data])
}

const filtersPrefix = 'filters of templates: {{ name | filter }}: '

/** Filters listed in the catalogue: `filters of templates: {{ name | filter }}: append, upcase`. */
export function filtersIn(summaries: readonly string[]): string[] {
  const filterSummary = summaries.find((summary) => summary.startsWith(filtersPrefix))
  return filterSummary === undefined ? [] : filterSummary.slice(filtersPrefix.length).split(', ')
}

/** Functions listed in the catalogue: `functions: size(), .contains()`, with their notes. */
export function functionsIn(summaries: readonly string[]): ExpressionFunction[] {
  const functionSummary = summaries.find((summary) => summary.startsWith('functions: ')) ?? ''
  const notes = summaries.filter((summary) => summary !== functionSummary)
  return [...functionSummary.matchAll(/(\.?)(\w+)\(\)/g)].map(([, dot, name = '']) => {
    const call = new RegExp(`\\b${name}\\(`)
    return { name, isMethod: dot === '.', about: notes.find((note) => call.test(note)) }
  })
}

interface ItemSchema {
  type?: string
  properties?: Record<string, ItemSchema & { description?: string }>
}

/** The fields of an event's item, by the names used in conditions and templates. */
export function useItemFields(type: string | undefined): readonly Completion[] {
  const catalog = useAllItems(
    'list_automation_catalog',
    { kind: 'condition', type: type ?? '' },
    { enabled: type !== undefined, staleTime },
  )
  const params = mergeEntryPages(catalog.data ?? [])?.params
  return params ? propertyCompletions(params as ItemSchema, '', 2) : []
}

function propertyCompletions(
  { properties = {} }: ItemSchema,
  prefix: string,
  depth: number,
): Completion[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const text = `${prefix}${name}`
    const inner =
      depth > 1 && schema.properties ? propertyCompletions(schema, `${text}.`, depth - 1) : []
    return inner.length > 0 ? inner : [{ text, about: schema.description }]
  })
}

/** All available names for an item with these fields. */
export const namesFor = (fields: readonly Completion[]): Completion[] => [
  ...fields.map(({ text, about }) => ({ text: `item.${text}`, about })),
  ...globalNames,
]

const maxCompletions = 8

/** Word typed at a position of a text: the letters before it. */
export interface TypedWord {
  text: string
  /** A template filter, after a `|`. */
  isFilter?: boolean
}

/** The name or filter being typed at a position. Templates have them only inside braces. */
export function typedWordAt(
  text: string,
  cursor: number,
  isTemplate: boolean,
): TypedWord | undefined {
  const before = text.slice(0, cursor)
  if (isTemplate && !isInBraces(before)) return undefined
  const filter = isTemplate ? /[^|]\|\s*(\w*)$/.exec(before)?.[1] : undefined
  if (filter !== undefined) return { text: filter, isFilter: true }
  const name =
    /(?:^|[^\w."'])([a-z][\w.]*)$/.exec(before)?.[1] ??
    (isTemplate && /\{\{-?\s*$/.test(before) ? '' : undefined)
  return name === undefined ? undefined : { text: name }
}

/** True if the cursor is inside `{{ }}`, or in a tag behind its first word. */
function isInBraces(before: string): boolean {
  const lastIndexOfAny = (...signs: string[]) =>
    Math.max(...signs.map((sign) => before.lastIndexOf(sign)))
  return lastIndexOfAny('{{', '{%') > lastIndexOfAny('}}', '%}') && !/\{%-?\s*\w*$/.test(before)
}

/**
 * Names that start with the typed text, then names that contain it, then applicable functions. After a `|`, filters.
 */
export function findCompletions(
  names: readonly Completion[],
  { text: typed, isFilter = false }: TypedWord,
  { functions, filters }: Language = noLanguage,
): Completion[] {
  const completions = isFilter
    ? filtersFor(filters, typed)
    : [
        ...names.filter(({ text }) => text.includes(typed) && text !== typed),
        ...functionsFor(functions, typed),
      ]
  return completions
    .toSorted((a, b) => Number(b.text.startsWith(typed)) - Number(a.text.startsWith(typed)))
    .slice(0, maxCompletions)
}

const noLanguage: Language = { functions: [], filters: [] }

/** None once a filter is complete: the key that leaves the field must not change it. */
const filtersFor = (filters: readonly string[], typed: string): Completion[] =>
  filters.includes(typed)
    ? []
    : filters.filter((name) => name.includes(typed)).map((text) => ({ text }))

function functionsFor(functions: readonly ExpressionFunction[], typed: string): Completion[] {
  const prefixLength = typed.lastIndexOf('.') + 1
  const before = typed.slice(0, prefixLength)
  const namePrefix = typed.slice(prefixLength)
  return functions
    .filter(({ name, isMethod }) => isMethod === prefixLength > 0 && name.startsWith(namePrefix))
    .map(({ name, about }) => ({ text: `${before}${name}()`, about }))
}
