import type { Refusal } from '../../kernel/refusal.ts'

/** The unknown id for which a call was refused. */
export function unknownIdsOfRefusal({ code, more: { field } }: Refusal, args: unknown): string[] {
  if (code !== 'not_found' || field === undefined) return []
  let value = args
  for (const part of field.split(/[.[\]]+/).filter(Boolean))
    value = (value as Record<string, unknown> | null | undefined)?.[part]
  return typeof value === 'string' ? [value] : []
}

/** Unknown ids that an answer to a call on several items reports. */
export function unknownIdsInAnswer(value: unknown): string[] {
  const failed = (value as { failed?: unknown } | null | undefined)?.failed
  if (!Array.isArray(failed)) return []
  return (failed as { id?: unknown; code?: unknown }[]).flatMap((item) =>
    item?.code === 'not_found' && typeof item.id === 'string' ? [item.id] : [],
  )
}
