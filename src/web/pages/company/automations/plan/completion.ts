// Completion of names in expressions and templates, at the cursor.

import { useMemo } from 'react'
import { useOperation } from '../../../../api/queries.ts'
import { useWhole } from '../../../settings/shared/lists.ts'
import { wholePart } from './parts.ts'

/** A name that is offered, with what it stands for. */
export interface Completion {
  text: string
  about?: string | undefined
}

const always: readonly Completion[] = [
  { text: 'actor.id' },
  { text: 'actor.title' },
  { text: 'event.name' },
  { text: 'now' },
  { text: 'trigger.payload' },
  { text: 'input' },
]
const hourMs = 3_600_000

/** A function of expressions; those of a value stand behind it: `item.title.contains()`. */
export interface ExpressionFunction {
  name: string
  isOfValue: boolean
  about: string | undefined
}

/** Functions and filters of the server's expressions and templates. */
interface Language {
  functions: readonly ExpressionFunction[]
  filters: readonly string[]
}

/** The functions of expressions and the filters of templates, as the server has them. */
export function useLanguage(): Language {
  const catalog = useOperation(
    'list_automation_catalog',
    { kind: 'condition', query: 'automations', limit: 100 },
    { staleTime: hourMs },
  )
  return useMemo(() => {
    const summaries = (catalog.data?.items ?? []).map(({ summary }) => summary)
    return { functions: functionsIn(summaries), filters: filtersIn(summaries) }
  }, [catalog.data])
}

const filtersAre = 'filters of templates: {{ name | filter }}: '

/** The filters that the catalogue names: `filters of templates: {{ name | filter }}: append, upcase`. */
export function filtersIn(summaries: readonly string[]): string[] {
  const all = summaries.find((summary) => summary.startsWith(filtersAre))
  return all === undefined ? [] : all.slice(filtersAre.length).split(', ')
}

/** The functions that the catalogue names: `functions: size(), .contains()`, with what its notes say of them. */
export function functionsIn(summaries: readonly string[]): ExpressionFunction[] {
  const all = summaries.find((summary) => summary.startsWith('functions: ')) ?? ''
  const notes = summaries.filter((summary) => summary !== all)
  return [...all.matchAll(/(\.?)(\w+)\(\)/g)].map(([, dot, name = '']) => {
    const call = new RegExp(`\\b${name}\\(`)
    return { name, isOfValue: dot === '.', about: notes.find((note) => call.test(note)) }
  })
}

interface ItemSchema {
  type?: string
  properties?: Record<string, ItemSchema & { description?: string }>
}

/** The fields that the item of an event has, as conditions and templates name them. */
export function useItemFields(type: string | undefined): readonly Completion[] {
  const catalog = useWhole(
    'list_automation_catalog',
    { kind: 'condition', type: type ?? '' },
    type !== undefined,
  )
  const params = wholePart(catalog.data ?? [])?.params
  return params ? propertyCompletions(params as ItemSchema, '', 2) : []
}

function propertyCompletions(
  { properties = {} }: ItemSchema,
  prefix: string,
  depth: number,
): Completion[] {
  return Object.entries(properties).flatMap(([name, of]) => {
    const text = `${prefix}${name}`
    const inner = depth > 1 && of.properties ? propertyCompletions(of, `${text}.`, depth - 1) : []
    return inner.length > 0 ? inner : [{ text, about: of.description }]
  })
}

/** All that can be named where the item has these fields. */
export const namesFor = (fields: readonly Completion[]): Completion[] => [
  ...fields.map(({ text, about }) => ({ text: `item.${text}`, about })),
  ...always,
]

const maxOffered = 8

/** Word typed at a position of a text: the letters before it. */
export interface TypedWord {
  text: string
  /** A filter of a template, behind a `|`. */
  isFilter?: boolean
}

/** The name or filter that is typed at a place of a text. Templates have them only between braces. */
export function typedName(text: string, at: number, isTemplate: boolean): TypedWord | undefined {
  const before = text.slice(0, at)
  if (isTemplate && !isInBraces(before)) return undefined
  const filter = isTemplate ? /[^|]\|\s*(\w*)$/.exec(before)?.[1] : undefined
  if (filter !== undefined) return { text: filter, isFilter: true }
  const name =
    /(?:^|[^\w."'])([a-z][\w.]*)$/.exec(before)?.[1] ??
    (isTemplate && /\{\{-?\s*$/.test(before) ? '' : undefined)
  return name === undefined ? undefined : { text: name }
}

/** Whether a template goes on, behind the word that a tag begins with. */
function isInBraces(before: string): boolean {
  const last = (...signs: string[]) => Math.max(...signs.map((sign) => before.lastIndexOf(sign)))
  return last('{{', '{%') > last('}}', '%}') && !/\{%-?\s*\w*$/.test(before)
}

/** The names that begin with what is typed; then those with it in them, and the functions that can stand there. Behind a `|`, filters. */
export function offered(
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
    .slice(0, maxOffered)
}

const noLanguage: Language = { functions: [], filters: [] }

/** None once a filter stands there: the key that leaves the field must not make another one of it. */
const filtersFor = (filters: readonly string[], typed: string): Completion[] =>
  filters.includes(typed)
    ? []
    : filters.filter((name) => name.includes(typed)).map((text) => ({ text }))

function functionsFor(functions: readonly ExpressionFunction[], typed: string): Completion[] {
  const dot = typed.lastIndexOf('.') + 1
  const before = typed.slice(0, dot)
  const namePrefix = typed.slice(dot)
  return functions
    .filter(({ name, isOfValue }) => isOfValue === dot > 0 && name.startsWith(namePrefix))
    .map(({ name, about }) => ({ text: `${before}${name}()`, about }))
}
