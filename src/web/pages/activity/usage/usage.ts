import type { Tally, UsageReport } from '../../../api/usage.ts'
import { activityTexts as t } from '../texts.ts'
import { describeTool } from '../calls/calls.ts'

export interface UsagePart extends Tally {
  name: string
}

export function usageByKey(report: UsageReport): UsagePart[] {
  const keys = new Map(report.keys.map((key) => [key.id, key]))
  const owners = new Set(report.keys.map((key) => key.owner.id))
  const nameOf = (keyId: string | null): string => {
    const key = keys.get(keyId ?? '')
    if (key === undefined) return t.activity.usage.noKey
    return owners.size > 1 ? `${key.name} (${key.owner.name})` : key.name
  }
  return report.by_key.map(({ key_id, ...tally }) => ({ ...tally, name: nameOf(key_id) }))
}

export function usageByTool(usage: UsageReport): UsagePart[] {
  return usage.by_tool.map(({ tool, ...tally }) => ({ ...tally, name: describeTool(tool) }))
}

/** The largest parts, with the others combined. */
export function largestParts(parts: readonly UsagePart[], limit: number): UsagePart[] {
  if (parts.length <= limit) return [...parts]
  const rest = parts.slice(limit - 1)
  const sum = (field: keyof Tally) => rest.reduce((total, usagePart) => total + usagePart[field], 0)
  return [
    ...parts.slice(0, limit - 1),
    {
      name: t.activity.usage.others,
      calls: sum('calls'),
      errors: sum('errors'),
      denied: sum('denied'),
    },
  ]
}
