import type { Tally, UsageReport } from '../../../api/usage.ts'
import { activityTexts as t } from '../texts.ts'
import { describeTool } from '../calls/calls.ts'

export interface UsagePart extends Tally {
  name: string
}

export function byKey(of: UsageReport): UsagePart[] {
  const keys = new Map(of.keys.map((key) => [key.id, key]))
  const owners = new Set(of.keys.map((key) => key.owner.id))
  const nameOf = (keyId: string | null): string => {
    const key = keys.get(keyId ?? '')
    if (key === undefined) return t.activity.usage.noKey
    return owners.size > 1 ? `${key.name} (${key.owner.name})` : key.name
  }
  return of.by_key.map(({ key_id, ...tally }) => ({ ...tally, name: nameOf(key_id) }))
}

export function byTool(of: UsageReport): UsagePart[] {
  return of.by_tool.map(({ tool, ...tally }) => ({ ...tally, name: describeTool(tool) }))
}

/** The biggest parts, and the others as one. */
export function biggest(parts: readonly UsagePart[], most: number): UsagePart[] {
  if (parts.length <= most) return [...parts]
  const rest = parts.slice(most - 1)
  const sum = (of: keyof Tally) => rest.reduce((total, usagePart) => total + usagePart[of], 0)
  return [
    ...parts.slice(0, most - 1),
    {
      name: t.activity.usage.others,
      calls: sum('calls'),
      errors: sum('errors'),
      denied: sum('denied'),
    },
  ]
}
