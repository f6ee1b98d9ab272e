import { columnsOf, type EventColumns, type Reader } from './event-columns.ts'
import { takeApart } from './files.ts'
import { write } from './ical.ts'

/** A calendar file, and what its times and people are read by. All of it can be sent to a thread. */
export interface FileQuestion {
  text: string
  zone: string
  /** The addresses of the owner of the calendar, lower case. */
  own: readonly string[]
  now: number
}

/** One event or series of a file as the columns of a row, or why nothing can be read of it. */
export type ReadEvent = { columns: EventColumns } | { reason: string; title?: string }

/** Reads a calendar file whole. What it costs grows with the file: it runs in a thread (file-thread.ts). */
export function readFile({ text, zone, own, now }: FileQuestion): ReadEvent[] {
  const reader: Reader = { zone, own: new Set(own), now }
  return takeApart(text).map((part): ReadEvent => {
    if (!('root' in part)) return { reason: part.unreadable, ...(part.title === undefined ? {} : { title: part.title }) }
    const columns = columnsOf(write(part.root), reader, part.uid)
    return columns.unreadable === null ? { columns } : { reason: columns.unreadable }
  })
}
