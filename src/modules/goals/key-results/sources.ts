import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { freeObject } from '../../../kernel/fields.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { startFeed } from './access-feeds.ts'
import { fromDeals } from './source-deals.ts'
import { fromForm } from './source-form.ts'
import { manualSource, type SourceKind, type Measured, type MeasureSource } from './source-rules.ts'
import { fromTasks } from './source-tasks.ts'

export type { MeasureSource } from './source-rules.ts'

export const sourceKinds = z.enum(['manual', 'tasks', 'deals', 'form'])

export const sourceInput = () =>
  z
    .strictObject({
      kind: sourceKinds,
      params: freeObject().optional().describe('such as {"project_id": "ENG"}'),
    })
    .describe(
      'default manual. tasks counts completed tasks in a project visible to you: params {project_id or milestone_id, label_id?, measure?: tasks, points or percent}. deals: {measure?: count or value, currency (of value), status?: won, lost or open, stage?, owner_id?, company_id?, period?: as in goals; by closing date, for open deals the expected one}. form: {form_id, measure?: responses, average or nps, field_id?}. Everyone who can see the goal sees the number',
    )
export type SourceInput = z.infer<ReturnType<typeof sourceInput>>

const sourcesByKind: Partial<Record<string, SourceKind>> = {
  tasks: fromTasks,
  deals: fromDeals,
  form: fromForm,
}

/**
 * Validates the source of a key result and returns its stored form. The caller must see everything that it refers to,
 * for as long as it is to be counted.
 * @throws Refusal
 */
export async function readSource(
  ctx: ReadContext,
  input: SourceInput | null | undefined,
  measured: Measured,
  at = 'source',
): Promise<MeasureSource> {
  if (!input || input.kind === 'manual') {
    if (input?.params && Object.keys(input.params).length > 0)
      throw invalid(`${at}.params`, 'manual sources have no params.')
    return manualSource
  }
  const feed = sourcesByKind[input.kind]
  if (!feed)
    throw new Refusal(
      'invalid_argument',
      `${at}.kind: source kind ${input.kind} is not available here.`,
      { field: `${at}.kind`, hint: `Use kind manual, ${Object.keys(sourcesByKind).join(' or ')}.` },
    )
  return feed.read(ctx, input.params ?? {}, measured, at)
}

/** Current value of a source, as the caller sees it; undefined if they cannot (or can no longer) see it. */
export async function countSource(
  ctx: ReadContext,
  source: MeasureSource,
): Promise<number | undefined> {
  return source.source_kind === null
    ? undefined
    : sourcesByKind[source.source_kind]?.count(ctx, source)
}

/** A new source's initial value; from then on the key result follows it. */
export async function initialValue(
  ctx: WriteContext,
  source: MeasureSource,
): Promise<number | undefined> {
  if (source.source_kind === null) return undefined
  await startFeed(ctx)
  return countSource(ctx, source)
}
