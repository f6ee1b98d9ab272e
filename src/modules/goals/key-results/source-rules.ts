import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

/** Columns of a key result that define its source. */
export type MeasureSource = Pick<
  Row<'key_results'>,
  | 'source_kind'
  | 'source_params_json'
  | 'source_measure'
  | 'source_project_id'
  | 'source_label_id'
  | 'source_milestone_id'
  | 'source_by'
  | 'stale_since_at'
>

export const manualSource: MeasureSource = {
  source_kind: null,
  source_params_json: null,
  source_measure: null,
  source_project_id: null,
  source_label_id: null,
  source_milestone_id: null,
  source_by: null,
  stale_since_at: null,
}

/** Properties of a key result that its source must suit. */
export type Measured = Pick<Row<'key_results'>, 'metric' | 'unit'>

/** A kind of item that key results can count. */
export interface SourceKind {
  /**
   * Validates params, whose items the caller must have access to; returns their stored form. @throws Refusal; `at`
   * prefixes field names
   */
  read(
    ctx: ReadContext,
    params: Record<string, unknown>,
    measured: Measured,
    at: string,
  ): Promise<MeasureSource>
  /** Current value of the source, as the caller sees it; undefined if they cannot (or can no longer) see it. */
  count(ctx: ReadContext, source: MeasureSource): Promise<number | undefined>
}

/** @throws Refusal invalid_argument */
export function readParams<T extends z.ZodType>(
  type: T,
  params: Record<string, unknown>,
  at: string,
  hint: string,
): z.infer<T> {
  const parsed = type.safeParse(params)
  if (!parsed.success)
    throw invalid(
      [`${at}.params`, ...parsed.error.issues[0]!.path].join('.'),
      parsed.error.issues[0]!.message,
      hint,
    )
  return parsed.data
}

export function roundKeyResult(value: number): number {
  return Math.round(value * 100) / 100
}
