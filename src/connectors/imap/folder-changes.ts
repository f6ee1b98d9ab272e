import type { FetchMessageObject } from 'imapflow'
import type { UidRanges } from './expunges.ts'
import { MailFailure } from './failures.ts'

export interface FlagState {
  uid: number
  modseq: string | undefined
  flags: string[]
  labels: string[] | undefined
}

/** Changes to messages of the open folder since a modseq; new messages are among the changed ones. */
export interface FolderChanges {
  changed: FlagState[]
  vanished: UidRanges
}
const maxRows = 2_000_000
/** Maximum bytes of messages in one answer, regardless of the sizes the server reports. */
const maxTotalBytes = 64 * 2 ** 20

/**
 * A refused command does not mean an empty result, but the library returns the same for both. @throws MailFailure
 * refused
 */
export function requireAccepted<T>(answer: T | false | undefined, action: string): T {
  if (answer === false || answer === undefined)
    throw new MailFailure('refused', `The mail server refused ${action}.`)
  return answer
}

/** Collects the rows of an answer, which a server may send without end. @throws MailFailure unreadable */
export async function collectRows<T>(
  rows: AsyncIterable<FetchMessageObject>,
  convert: (fetchMessageObject: FetchMessageObject) => T,
): Promise<T[]> {
  const collectedRows: T[] = []
  let heldBytes = 0
  for await (const row of rows) {
    heldBytes += row.source?.length ?? 0
    if (collectedRows.length >= maxRows || heldBytes > maxTotalBytes)
      throw new MailFailure('unreadable', 'The mail server reports more than is possible.')
    collectedRows.push(convert(row))
  }
  return collectedRows
}

/** UIDs in the notation of an IMAP sequence set. */
export function sequenceSetOf(uids: readonly number[]): string {
  const sorted = [...new Set(uids)].sort((a, b) => a - b)
  const ranges: string[] = []
  for (let i = 0; i < sorted.length; ) {
    let j = i
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j]! + 1) j++
    ranges.push(i === j ? `${sorted[i]}` : `${sorted[i]}:${sorted[j]}`)
    i = j + 1
  }
  return ranges.join(',')
}

export function flagsOf(fetchMessageObject: FetchMessageObject): FlagState {
  return {
    uid: fetchMessageObject.uid,
    modseq: fetchMessageObject.modseq === undefined ? undefined : String(fetchMessageObject.modseq),
    flags: [...(fetchMessageObject.flags ?? [])],
    labels: fetchMessageObject.labels ? [...fetchMessageObject.labels] : undefined,
  }
}
