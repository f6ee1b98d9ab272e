import { Liquid, type Template } from 'liquidjs'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { retryStarvedRender } from '../../../kernel/text/render-time.ts'

// Email templates use Liquid: without files, own properties only, limited in time, length and memory.

/** Rendering time limit of one text. */
const maxRenderMs = 30
const maxTemplateLength = 100_000
const maxTextLength = 500_000
/** Maximum number of variables and tags: finding variables takes quadratic time. */
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
for (const tag of ['include', 'render', 'layout', 'block', 'increment', 'decrement'])
  delete engine.tags[tag]
delete engine.filters.sample
// these filters evaluate an expression for each list entry, outside the time limit
for (const name of Object.keys(engine.filters))
  if (name.endsWith('_exp')) delete engine.filters[name]

const tagStart = /\{\{|\{%/
const variableSlots = /\{\{-?\s*([A-Za-z_][\w-]{0,63})[^{}]{0,200}\}\}/g

/** The variables used in texts, in order. @throws Refusal invalid_argument if a text is not a valid template */
export function variablesIn(texts: Readonly<Record<string, string>>): string[] {
  return [
    ...new Set(
      Object.entries(texts).flatMap(([field, text]) =>
        tagStart.test(text) ? engine.globalVariablesSync(parseMailTemplate(text, field)) : [],
      ),
    ),
  ].slice(0, 100)
}

/** Variables that are still unfilled in a text: `{{first_name}}`. */
export function unfilledVariables(...texts: readonly string[]): string[] {
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(variableSlots)].map(([, name]) => name!))),
  ]
}

export interface FilledTemplate {
  text: string
  /** Variables without a value, which stay as they are. */
  unfilled: string[]
}

/** A text with its variables filled in. @throws Refusal invalid_argument */
export function fillVariables(
  text: string,
  values: Readonly<Record<string, unknown>>,
  field: string,
): FilledTemplate {
  if (!tagStart.test(text)) return { text, unfilled: [] }
  const template = parseMailTemplate(text, field)
  const unfilled = engine
    .globalVariablesSync(template)
    .filter((name) => !Object.hasOwn(values, name) || values[name] === null)
  const preserved =
    unfilled.length === 0
      ? template
      : parseMailTemplate(
          text.replaceAll(/\{\{[^]*?\}\}/g, (slot) =>
            usesVariable(slot, unfilled) ? `{% raw %}${slot}{% endraw %}` : slot,
          ),
          field,
        )
  try {
    const filled = retryStarvedRender(maxRenderMs, () =>
      engine.renderSync(preserved, { ...values }),
    )
    return { text: String(filled), unfilled }
  } catch (error) {
    throw invalid(
      field,
      `the template cannot be filled in: ${(error as Error).message.slice(0, 200)}`,
      'Send plain values: texts and numbers.',
    )
  }
}

function usesVariable(slot: string, names: readonly string[]): boolean {
  return engine.globalVariablesSync(engine.parse(slot)).some((name) => names.includes(name))
}

function parseMailTemplate(text: string, field: string): Template[] {
  if (text.length > maxTemplateLength)
    throw new Refusal(
      'too_large',
      `${field}: a template of more than ${maxTemplateLength} characters.`,
      { field },
    )
  if (text.split(/\{\{|\{%/, maxTags + 2).length > maxTags + 1)
    throw new Refusal(
      'too_large',
      `${field}: a template of more than ${maxTags} variables and tags.`,
      { field },
    )
  try {
    return engine.parse(text)
  } catch (error) {
    throw invalid(
      field,
      `is not a valid template: ${(error as Error).message.slice(0, 200)}.`,
      'Write variables in double braces: {{first_name}}.',
    )
  }
}
