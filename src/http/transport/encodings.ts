/** Available content codings besides identity, smallest first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/**
 * The content coding of an answer: the caller's preferred one of those available, the smallest if equally preferred;
 * undefined: identity (RFC 9110 §12.5.3).
 */
export function codingFor(
  accepted: string | undefined,
  available: readonly Coding[],
): Coding | undefined {
  const weights = weightsIn(accepted ?? '')
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = codings
    .filter((coding) => available.includes(coding))
    .reduce<Coding | undefined>(
      (best, coding) => (weightOf(coding) > (best ? weightOf(best) : 0) ? coding : best),
      undefined,
    )
  return best && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

function weightsIn(accepted: string): Map<string, number> {
  const parts = accepted
    .toLowerCase()
    .split(',')
    .map((part) => /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/.exec(part))
  return new Map(parts.flatMap((part) => (part ? [[part[1]!, Number(part[2] ?? 1)] as const] : [])))
}
