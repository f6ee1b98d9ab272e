// Scores that the best hits pass on to linked items.

import type { Link } from './protocol.ts'

/** Score that an item gains from its neighbours. */
export interface Gain {
  sum: number
  via: { from: string; kind: string }[]
}

/**
 * Computes the gains of linked items: the sum over links of weight × score ÷ √links
 * of that kind.
 */
export function gainsOf(
  scores: ReadonlyMap<string, number>,
  links: readonly Link[],
): Map<string, Gain> {
  const gains = new Map<string, Gain>()
  const degrees = new Map<string, number>()
  const distinctLinks = new Map(
    links
      .filter((link) => link.from !== link.to && scores.has(link.from))
      .map((link) => [`${link.from} ${link.to} ${link.kind}`, link]),
  )
  for (const { from, kind } of distinctLinks.values())
    degrees.set(`${from} ${kind}`, (degrees.get(`${from} ${kind}`) ?? 0) + 1)
  for (const { from, to, kind, weight } of distinctLinks.values()) {
    const gain = gains.get(to) ?? { sum: 0, via: [] }
    gain.sum += (weight * scores.get(from)!) / Math.sqrt(degrees.get(`${from} ${kind}`)!)
    if (gain.via.length < 5) gain.via.push({ from, kind })
    gains.set(to, gain)
  }
  return gains
}
