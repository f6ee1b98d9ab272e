import { Liquid, type Template } from 'liquidjs'
import { retryStarvedRender } from '../../../kernel/text/render-time.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { ExpressionScope } from './scopes.ts'
import { scopeNames } from '../shapes.ts'

// Texts of actions are Liquid: no files, own properties only, limited in time, length and memory. An unknown name fails
// the action, unless it is tested (`if`) or has a `default`.

/** Milliseconds per text. */
const maxRenderMs = 30
const maxTemplateLength = 20_000
const maxTextLength = 500_000
/** Maximum entries of a list created by a filter: sorting more takes longer than the text may. */
const maxListLength = 10_000
/** Maximum variables and tags: finding the variables takes quadratic time. */
const maxTags = 1000

const engine = new Liquid({
  strictVariables: true,
  lenientIf: true,
  strictFilters: true,
  ownPropertyOnly: true,
  timezoneOffset: 'Etc/UTC',
  parseLimit: maxTemplateLength,
  renderLimit: maxRenderMs,
  memoryLimit: maxTextLength,
  templates: {},
})
/**
 * Removes tags that load other templates or keep counters in the caller's scope, and everything non-deterministic: a
 * retried step must do the same again.
 */
for (const tag of ['include', 'render', 'layout', 'block', 'increment', 'decrement'])
  delete engine.tags[tag]
delete engine.filters.sample
// These evaluate a text for each entry of a list, bypassing the time limits.
for (const name of Object.keys(engine.filters))
  if (name.endsWith('_exp')) delete engine.filters[name]
engine.registerFilter('plain_text', (value: unknown) => plainText(String(value ?? '')))
engine.registerFilter('quote', (value: unknown) =>
  plainText(String(value ?? '')).replace(/^/gm, '> '),
)

for (const [name, filter] of Object.entries(engine.filters))
  engine.registerFilter(name, limitedFilter(name, filter))

/** Filters available in templates. */
export const templateFilters: readonly string[] = Object.keys(engine.filters).toSorted()

type Filter = (typeof engine.filters)[string]

/** The engine checks the time between the parts of a text, not between the filters of one part. */
function limitedFilter(name: string, filter: Filter): Filter {
  const handler = typeof filter === 'function' ? filter : filter.handler
  const limited: typeof handler = function (...args) {
    this.context.renderLimit.check(performance.now())
    const value: unknown = handler.apply(this, args)
    if (Array.isArray(value) && value.length > maxListLength)
      throw new Error(`${name} makes a list of more than ${maxListLength} entries`)
    return value
  }
  return typeof filter === 'function' ? limited : { ...filter, handler: limited }
}

/** Escapes external text so that Markdown shows it literally and it mentions no one. */
function plainText(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&:$^=@]/g, '\\$&')
}

const tagStart = /\{\{|\{%/
/** A text that consists of a single expression keeps the type of its value. */
const singleExpression = /^\s*\{\{-?((?:(?!\{\{|\}\}).)+?)-?\}\}\s*$/s

export function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return tagStart.test(value)
  return value !== null && typeof value === 'object' && Object.values(value).some(hasTemplate)
}

/** @throws Refusal invalid_argument for an invalid template or an unknown name */
export function checkTemplates(value: unknown, field: string): void {
  if (typeof value === 'string' && tagStart.test(value))
    checkNames(parseActionTemplate(value, field), field)
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) checkTemplates(item, `${field}.${name}`)
}

function checkNames(templates: Template[], field: string): void {
  const unknown = engine
    .globalVariablesSync(templates)
    .filter((name) => !(scopeNames as readonly string[]).includes(name))
  if (unknown.length > 0)
    throw invalid(
      field,
      `unknown name ${unknown.join(', ').slice(0, 200)}.`,
      `A template can use ${scopeNames.join(', ')}.`,
    )
}

function parseActionTemplate(text: string, field: string): Template[] {
  if (text.length > maxTemplateLength)
    throw new Refusal(
      'too_large',
      `${field}: the template has more than ${maxTemplateLength} characters.`,
      { field },
    )
  if (text.split(/\{\{|\{%/, maxTags + 2).length > maxTags + 1)
    throw new Refusal(
      'too_large',
      `${field}: the template has more than ${maxTags} variables and tags.`,
      { field },
    )
  try {
    return engine.parse(text)
  } catch (error) {
    throw invalid(
      field,
      `is not a valid template: ${errorMessage(error)}.`,
      'Write templates in Liquid, such as {{ item.title }}.',
    )
  }
}

const errorMessage = (error: unknown) => (error as Error).message.slice(0, 200)

/** The params of an action with their templates rendered. @throws Refusal invalid_argument */
export async function render(
  params: Record<string, unknown>,
  scope: ExpressionScope,
): Promise<Record<string, unknown>> {
  return renderValue(params, scope, 'params') as Record<string, unknown>
}

function renderValue(value: unknown, scope: ExpressionScope, field: string): unknown {
  if (typeof value === 'string')
    return tagStart.test(value) ? renderText(value, scope, field) : value
  if (Array.isArray(value)) return value.map((item, i) => renderValue(item, scope, `${field}.${i}`))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      renderValue(item, scope, `${field}.${name}`),
    ]),
  )
}

function renderText(text: string, scope: ExpressionScope, field: string): unknown {
  const expression = singleExpression.exec(text)?.[1]?.trim()
  const templates = parseActionTemplate(text, field)
  const value = withinTimeLimit(field, () =>
    expression === undefined
      ? engine.renderSync(templates, { ...scope })
      : (engine.evalValueSync(expression, { ...scope }) as unknown),
  )
  if (value === undefined) throw invalid(field, `${expression!.slice(0, 100)} has no value.`)
  if (typeof value === 'string' && value.length > maxTextLength)
    throw new Refusal(
      'too_large',
      `${field}: the result has more than ${maxTextLength} characters.`,
      { field },
    )
  return structuredClone(value) // a copy, so that callers cannot change the scope
}

function withinTimeLimit<T>(field: string, work: () => T): T {
  try {
    return retryStarvedRender(maxRenderMs, work)
  } catch (error) {
    throw invalid(field, `${errorMessage(error)}.`)
  }
}
