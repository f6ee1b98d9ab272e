export interface AgendaPoint {
  text: string
  done: boolean
}

export function agendaOf(row: { agenda_json: string }): AgendaPoint[] {
  return JSON.parse(row.agenda_json) as AgendaPoint[]
}

/**
 * Parses agenda lines: `[x] Budget` is done and `[ ] Budget` is not; a line without a mark keeps its state, matched
 * by text. Ignores blank lines.
 */
export function agendaFrom(
  lines: readonly string[],
  before: readonly AgendaPoint[] = [],
): AgendaPoint[] {
  return lines.flatMap((line) => {
    const [, mark, rest] = /^\s*(?:[-*]\s+)?\[([ xX])\]\s*(.*)$/s.exec(line) ?? []
    const text = (rest ?? line).trim()
    if (text === '') return []
    return [
      {
        text,
        done:
          mark === undefined
            ? before.some((agendaPoint) => agendaPoint.text === text && agendaPoint.done)
            : mark !== ' ',
      },
    ]
  })
}

/** A time in a recording, formatted from seconds: `12:05`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const twoDigits = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`
}
