import type { Tally, UsageReport } from '../../api/usage.ts'
import { t } from './texts.ts'
import { inWords } from './calls.ts'

export interface Part extends Tally {
  name: string
}

export function byKey(of: UsageReport): Part[] {
  const keys = new Map(of.keys.map((one) => [one.id, one]))
  const owners = new Set(of.keys.map((one) => one.owner.id))
  return of.by_key.map(({ key_id, ...tally }) => {
    const key = keys.get(key_id ?? '')
    return {
      ...tally,
      name:
        key === undefined
          ? t.activity.usage.noKey
          : owners.size > 1
            ? `${key.name} (${key.owner.name})`
            : key.name,
    }
  })
}

export function byTool(of: UsageReport): Part[] {
  return of.by_tool.map(({ tool, ...tally }) => ({ ...tally, name: inWords(tool) }))
}

/** The biggest parts, and the others as one. */
export function biggest(parts: readonly Part[], most: number): Part[] {
  if (parts.length <= most) return [...parts]
  const rest = parts.slice(most - 1)
  const sum = (of: keyof Tally) => rest.reduce((total, one) => total + one[of], 0)
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
