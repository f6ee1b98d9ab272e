import { fieldsToAsk, type AnswerValues } from '../forms/conditions.ts'
import type { FormField } from '../forms/fields.ts'

/**
 * The pages of a form: without scripts, a field with a condition must be on a later page than the answer it depends
 * on. Files come last: browsers do not resend them.
 */
export function pagesOf(fields: readonly FormField[]): FormField[][] {
  const files = fields.filter((field) => field.type === 'file')
  const pages = splitIntoPages(fields.filter((field) => field.type !== 'file'))
  if (files.length === 0) return pages
  const firstPageIds = new Set(pages[0]!.map((field) => field.id))
  const fitsOnePage =
    pages.length === 1 &&
    !files.some((field) => field.show_if && firstPageIds.has(field.show_if.field_id))
  return fitsOnePage ? [[...fields]] : [...pages.filter((page) => page.length > 0), files]
}

function splitIntoPages(fields: readonly FormField[]): FormField[][] {
  const pages: FormField[][] = [[]]
  for (const field of fields) {
    if (field.show_if && pages.at(-1)!.some((other) => other.id === field.show_if!.field_id))
      pages.push([])
    pages.at(-1)!.push(field)
  }
  return pages
}

/** Fields of a page that apply with these answers. */
export function visibleFieldsOn(
  pages: readonly (readonly FormField[])[],
  step: number,
  values: AnswerValues,
): FormField[] {
  const visibleIds = new Set(fieldsToAsk(pages.flat(), values).map((field) => field.id))
  return (pages[step] ?? []).filter((field) => visibleIds.has(field.id))
}

/** Index of the next page with visible fields in a direction; `pages.length` after the last one. */
export function nextStep(
  pages: readonly (readonly FormField[])[],
  from: number,
  increment: 1 | -1,
  values: AnswerValues,
): number {
  let step = from + increment
  while (step > 0 && step < pages.length && visibleFieldsOn(pages, step, values).length === 0)
    step += increment
  return Math.max(0, Math.min(step, pages.length))
}
