/** Event as described in words: its time, duration and guests. */
export interface EventPhrase {
  /** Passed to the server, which parses times in words. */
  timePhrase: string
  minutes: number | undefined
  guests: string[]
}

const durationPattern =
  /(?<!(?:^|\s)in)(?:^|\s)(?:for\s+)?(\d+(?:[.,]\d+)?)\s*(h|hours?|m|min|minutes?)\s*$/i
const guestsPattern = /(?:^|\s)with\s+(.+)$/i

/** Parses “tomorrow 14:00 1h with tom, ada@example.org”. */
export function readPhrase(text: string): EventPhrase {
  const words = text.trim()
  const match = guestsPattern.exec(words)
  const rest = match ? words.slice(0, match.index).trim() : words
  const durationMatch = durationPattern.exec(rest)
  const amount = Number((durationMatch?.[1] ?? '').replace(',', '.'))
  const isHours = /^h/i.test(durationMatch?.[2] ?? '')
  return {
    timePhrase: durationMatch ? rest.slice(0, durationMatch.index).trim() : rest,
    minutes: durationMatch ? Math.round(amount * (isHours ? 60 : 1)) : undefined,
    guests: (match?.[1] ?? '')
      .split(/,|\sand\s/i)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  }
}
