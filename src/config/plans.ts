// Plans by name, from the settings: they limit an organization's usage.

import { readFileSync } from 'node:fs'
import { z } from 'zod'

const amount = z.int().min(0).optional()

const planType = z.strictObject({
  calls_per_day: amount,
  calls_per_month: amount,
  /** Total size of all stored files, including the trash. */
  storage_bytes: amount,
  /** Active people, including guests. */
  members: amount,
})

/** Limits of a plan; anything that it omits is unlimited. */
export type Plan = z.infer<typeof planType>
export type Plans = Readonly<Record<string, Plan>>

export const unlimited: Plan = {}

const plansType = z.record(
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'a name has 1 to 40 lowercase letters, digits, - and _'),
  planType,
)

/** Plans from a setting: JSON, or the path of a JSON file. One called unlimited always exists. */
export function parsePlans(text: string, context: z.RefinementCtx): Plans {
  const fail = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const json = readJson(text)
  if (json instanceof Error) return fail(json.message)
  const parsed = plansType.safeParse(json)
  if (!parsed.success)
    return fail(
      `${parsed.error.issues[0]!.path.join('.') || 'plans'}: ${parsed.error.issues[0]!.message}`,
    )
  if (Object.values(parsed.data.unlimited ?? {}).some((limit) => limit !== undefined))
    return fail('unlimited: this plan has no limits')
  return { ...parsed.data, unlimited }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(
      text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'),
    ) as unknown
  } catch (error) {
    return new Error(`cannot be read: ${(error as Error).message}`)
  }
}
