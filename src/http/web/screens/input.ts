import type { z } from 'zod'
import { parseInput as parse } from '../../../operations/endpoints/endpoint.ts'

/** What was sent to a screen's request. @throws Refusal invalid_argument */
export function parseInput<B extends z.ZodRawShape>(
  input: B,
  sent: unknown,
): z.infer<z.ZodObject<B>> {
  return parse({ input }, sent ?? {}) as z.infer<z.ZodObject<B>>
}
