/** Event as described in words: its time, duration and guests. */
export interface EventPhrase {
  /** Passed to the server, which parses times in words. */
  when: string
  minutes: number | undefined
  guests: string[]
}

const length =
  /(?<!(?:^|\s)in)(?:^|\s)(?:for\s+)?(\d+(?:[.,]\d+)?)\s*(h|hours?|m|min|minutes?)\s*$/i
const company = /(?:^|\s)with\s+(.+)$/i

/** Parses “tomorrow 14:00 1h with tom, ada@example.org”. */
export function readPhrase(text: string): EventPhrase {
  const words = text.trim()
  const match = company.exec(words)
  const rest = match ? words.slice(0, match.index).trim() : words
  const sized = length.exec(rest)
  const amount = Number((sized?.[1] ?? '').replace(',', '.'))
  const isHours = /^h/i.test(sized?.[2] ?? '')
  return {
    when: sized ? rest.slice(0, sized.index).trim() : rest,
    minutes: sized ? Math.round(amount * (isHours ? 60 : 1)) : undefined,
    guests: (match?.[1] ?? '')
      .split(/,|\sand\s/i)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  }
}
