import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { dayAt } from '../../../kernel/time/times.ts'
import { organization } from '../../directory/access.ts'
import { requireResponseAccess, form } from '../access.ts'
import {
  countByDay,
  countAnswered,
  countAnsweredIn,
  countCompleted,
  distribution,
  medianSeconds,
  netPromoterScore,
  numberStats,
  textRange,
  countVisits,
  type Period,
} from './access-stats.ts'
import { limitsOf, type FormField } from '../forms/fields.ts'
import { fieldsWithVersions } from './access-versions.ts'
import { periodInput, readPeriod } from './filters.ts'
import { formRef, FormStats, type FieldStats } from '../shapes.ts'

export const getFormStats = operation({
  name: 'get_form_stats',
  searchHint: 'NPS, survey results, average score, charts, completion, how did the survey go',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/forms/{form_id}/stats',
  about: 'Counts, completion rate, per-field distributions and scores without fetching responses',
  on: { form: form.see },
  input: periodInput,
  output: FormStats,
  async handle({ form, after, before }, ctx) {
    await requireResponseAccess(ctx, form)
    const within = readPeriod(ctx, { after, before })
    const completed = await countCompleted(ctx, form.id, within)
    const visitCounts = await visitsIn(ctx, form, within)
    const started = Math.max(visitCounts.started, completed) // starts count by day: there may be fewer than responses
    const median = await medianSeconds(ctx, form.id, within)
    const by_field = await fieldStats(ctx, form, within, completed)
    const nps = by_field.find((item) => item.nps !== undefined)?.nps
    return omitNullish({
      form: formRef(form, ctx.baseUrl),
      views: visitCounts.views,
      started,
      completed,
      completion_rate: started === 0 ? 0 : roundStatistic(completed / started, 4),
      median_seconds: median,
      by_field,
      nps,
      by_day: await countByDay(ctx, form.id, within),
    })
  },
})

/** Views and starts are counted by day: partial days at the ends of a period count in full. */
async function visitsIn(ctx: ReadContext, form: Row<'forms'>, { after, before }: Period) {
  const { default_timezone: zone } = await organization
    .visibleTo(ctx)
    .select('orgs.default_timezone')
    .executeTakeFirstOrThrow()
  return countVisits(
    ctx,
    form.id,
    after === undefined ? undefined : dayAt(after, zone),
    before === undefined ? undefined : dayAt(before, zone),
  )
}

type Stats = z.infer<typeof FieldStats>

/** Statistics of every field of the form; removed fields are included only if they were answered. */
async function fieldStats(
  ctx: ReadContext,
  form: Row<'forms'>,
  within: Period,
  completed: number,
): Promise<Stats[]> {
  const currentIds = new Set((JSON.parse(form.fields_json) as FormField[]).map((field) => field.id))
  const all: Stats[] = []
  for (const { field, otherVersions } of await fieldsWithVersions(ctx, form)) {
    const answered = await countAnswered(
      ctx,
      form.id,
      field.id,
      within,
      field.type === 'multi_select' || field.type === 'file',
    )
    if (!currentIds.has(field.id) && answered === 0) continue
    const values =
      answered === 0 && !field.options ? {} : await fieldStatsOf(ctx, form, field, within)
    const fieldKey = { formId: form.id, fieldId: field.id }
    const otherCount = await countAnsweredIn(ctx, fieldKey, within, otherVersions)
    all.push({
      field_id: field.id,
      label: field.label,
      type: field.type,
      answered,
      ...(otherCount > 0 && { asked_otherwise: otherCount }),
      skipped: completed - answered,
      ...values,
    })
  }
  return all
}

async function fieldStatsOf(
  ctx: ReadContext,
  formRow: Row<'forms'>,
  field: FormField,
  within: Period,
): Promise<Pick<Stats, 'distribution' | 'summary' | 'nps'>> {
  const { id, type } = field
  if (field.options)
    return {
      distribution: orderedCounts(
        await distribution(ctx, formRow.id, id, within, 'text'),
        field.options,
      ),
    }
  if (type === 'yes_no') {
    const countByValue = await distribution(ctx, formRow.id, id, within, 'number')
    return {
      distribution: [true, false].map((value) => ({
        value,
        count: countByValue.get(Number(value)) ?? 0,
      })),
    }
  }
  if (type === 'rating' || type === 'nps') {
    const { min, max } = type === 'nps' ? { min: 0, max: 10 } : limitsOf(field)
    const steps = Array.from({ length: max - min + 1 }, (_, i) => min + i)
    const nps = type === 'nps' ? await netPromoterScore(ctx, formRow.id, id, within) : undefined
    return omitNullish({
      distribution: orderedCounts(await distribution(ctx, formRow.id, id, within, 'number'), steps),
      summary: await summaryOf(ctx, formRow, id, within, false),
      nps,
    })
  }
  if (type === 'number') return { summary: await summaryOf(ctx, formRow, id, within, true) }
  const { min, max, distinct } = await textRange(ctx, formRow.id, id, within)
  return {
    summary: { distinct, ...(type === 'date' && min !== null && max !== null ? { min, max } : {}) },
  }
}

async function summaryOf(
  ctx: ReadContext,
  form: Row<'forms'>,
  id: string,
  within: Period,
  withSum: boolean,
): Promise<NonNullable<Stats['summary']>> {
  const statistics = await numberStats(ctx, form.id, id, within)
  if (!statistics) return {}
  const { mean, median, min, max, sum } = statistics
  return omitNullish({
    mean: roundStatistic(mean, 4),
    median,
    min,
    max,
    sum: withSum ? sum : undefined,
  })
}

/** In form order, including zeros; then answers of former options. */
function orderedCounts<T extends string | number>(
  countByValue: ReadonlyMap<string | number, number>,
  order: readonly T[],
): { value: string | number; count: number }[] {
  const others = [...countByValue.keys()].filter((value) => !order.includes(value as T)).sort()
  return [...order, ...others].map((value) => ({ value, count: countByValue.get(value) ?? 0 }))
}

function roundStatistic(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
