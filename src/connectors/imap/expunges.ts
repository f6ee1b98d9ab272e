import type { ImapFlow } from 'imapflow'

/** A set of UIDs as ranges: a few bytes from the server may stand for millions of UIDs. */
export class UidRanges {
  #ranges: [number, number][] = []
  #isSorted = true

  get isEmpty(): boolean {
    return this.#ranges.length === 0
  }

  /** Returns false if there would be too many ranges. */
  add(ranges: readonly [number, number][]): boolean {
    if (this.#ranges.length + ranges.length > maxRanges) return false
    for (const range of ranges) this.#ranges.push(range)
    this.#isSorted = false
    return true
  }

  /** Returns the UIDs of a list that are in the set. */
  intersect(uids: Iterable<number>): number[] {
    this.#sort()
    return [...uids].filter((uid) => this.#has(uid))
  }

  #has(uid: number): boolean {
    let [low, high] = [0, this.#ranges.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const [from, to] = this.#ranges[middle]!
      if (uid < from) high = middle - 1
      else if (uid > to) low = middle + 1
      else return true
    }
    return false
  }

  /** Sorts the ranges and merges overlapping and adjacent ones. */
  #sort(): void {
    if (this.#isSorted) return
    const merged: [number, number][] = []
    for (const [from, to] of this.#ranges.sort((a, b) => a[0] - b[0])) {
      const last = merged.at(-1)
      if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
      else merged.push([from, to])
    }
    this.#ranges = merged
    this.#isSorted = true
  }
}

const maxRanges = 1_000_000
const maxUid = 2 ** 32 - 1

interface UntaggedResponse {
  attributes?: ({ value?: unknown } | unknown[])[]
}

interface ImapFlowInternals {
  mailbox: false | { path: string; exists: number }
  untaggedVanished(
    untagged: UntaggedResponse,
    mailbox?: { path: string; exists: number },
  ): Promise<void>
}

/**
 * Parses VANISHED (RFC 7162) instead of the library, which visits each UID in a set: one line of a hostile server
 * would block this process for seconds.
 */
export function overrideVanishedHandler(
  flow: ImapFlow,
  onVanished: (path: string, ranges: [number, number][]) => void,
): void {
  const internals = flow as unknown as ImapFlowInternals
  internals.untaggedVanished = async ({ attributes = [] }, openingMailbox) => {
    const mailbox = openingMailbox ?? internals.mailbox
    const set = (attributes.at(-1) as { value?: unknown } | undefined)?.value
    if (!mailbox || typeof set !== 'string') return
    const ranges = rangesIn(set)
    const isEarlier = attributes.length > 1
    if (!isEarlier)
      mailbox.exists = Math.max(
        0,
        mailbox.exists - ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0),
      )
    onVanished(mailbox.path, ranges)
    flow.emit('expunge', { path: mailbox.path, vanished: true, earlier: isEarlier })
  }
}

function rangesIn(set: string): [number, number][] {
  return set.split(',').flatMap((piece): [number, number][] => {
    const [, a, b = a] = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(piece.trim()) ?? []
    const [from, to] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))]
    return from >= 1 && to <= maxUid ? [[from, to]] : []
  })
}
