import { Liquid, type Template } from 'liquidjs'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { retryStarvedRender } from '../../../kernel/text/render-time.ts'

// Templates of mails are Liquid: no files, own properties only, bounded in time, length and memory.

/** Milliseconds of one text. */
const maxRenderMs = 30
const maxTemplateLength = 100_000
const maxTextLength = 500_000
/** Variables and tags: what finds the variables takes time that grows with their square. */
const maxMarks = 1000

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
// these evaluate a text for each entry of a list, past the limits on time
for (const name of Object.keys(engine.filters))
  if (name.endsWith('_exp')) delete engine.filters[name]

const marks = /\{\{|\{%/
const slots = /\{\{-?\s*([A-Za-z_][\w-]{0,63})[^{}]{0,200}\}\}/g

/** The variables that texts ask for, in order. @throws Refusal invalid_argument where one is no template */
export function variablesIn(texts: Readonly<Record<string, string>>): string[] {
  return [
    ...new Set(
      Object.entries(texts).flatMap(([field, text]) =>
        marks.test(text) ? engine.globalVariablesSync(parseMailTemplate(text, field)) : [],
      ),
    ),
  ].slice(0, 100)
}

/** Variables that a text still shows as such: `{{first_name}}`. */
export function openVariables(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(slots)].map(([, name]) => name!)))]
}

export interface Filled {
  text: string
  /** Variables without a value: they stand as they are. */
  unfilled: string[]
}

/** A text with its variables filled in. @throws Refusal invalid_argument */
export function filledIn(
  text: string,
  values: Readonly<Record<string, unknown>>,
  field: string,
): Filled {
  if (!marks.test(text)) return { text, unfilled: [] }
  const template = parseMailTemplate(text, field)
  const unfilled = engine
    .globalVariablesSync(template)
    .filter((name) => !Object.hasOwn(values, name) || values[name] === null)
  const preserved =
    unfilled.length === 0
      ? template
      : parseMailTemplate(
          text.replaceAll(/\{\{[^]*?\}\}/g, (slot) =>
            asksFor(slot, unfilled) ? `{% raw %}${slot}{% endraw %}` : slot,
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

function asksFor(slot: string, names: readonly string[]): boolean {
  return engine.globalVariablesSync(engine.parse(slot)).some((name) => names.includes(name))
}

function parseMailTemplate(text: string, field: string): Template[] {
  if (text.length > maxTemplateLength)
    throw new Refusal(
      'too_large',
      `${field}: a template of more than ${maxTemplateLength} characters.`,
      { field },
    )
  if (text.split(/\{\{|\{%/, maxMarks + 2).length > maxMarks + 1)
    throw new Refusal(
      'too_large',
      `${field}: a template of more than ${maxMarks} variables and tags.`,
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
