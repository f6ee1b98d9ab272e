import { z } from 'zod'
import { resolvedInput } from '../../../operations/filters.ts'
import { delegateFilter } from '../tasks/delegates.ts'

/** Tasks that are delegated to a key. */
export const delegateInput = resolvedInput(
  z.string().max(320).optional().describe('key: id, name or me'),
  (text, ctx, field) => delegateFilter(ctx, text, field),
)

/** Tasks that a key changed. */
export const changedByInput = resolvedInput(
  z.string().max(320).optional().describe('key, me or any; since updated_after'),
  async (text, ctx, field): Promise<readonly string[] | true> =>
    text === 'any' ? true : delegateFilter(ctx, text, field),
)
