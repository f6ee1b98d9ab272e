/** An emoji with its short name on the server. */
export interface Emoji {
  emoji: string
  name: string
}

export const defaultEmoji: readonly Emoji[] = [
  { emoji: '👍', name: '+1' },
  { emoji: '✅', name: 'white_check_mark' },
  { emoji: '👀', name: 'eyes' },
  { emoji: '🎉', name: 'tada' },
  { emoji: '❤️', name: 'heart' },
  { emoji: '😄', name: 'smile' },
  { emoji: '🙏', name: 'pray' },
  { emoji: '🚀', name: 'rocket' },
]

/** Finds emoji by name or tag, best matches first; the table is loaded on first use. */
export async function findEmoji(query: string, limit: number): Promise<Emoji[]> {
  const { gemoji } = await import('gemoji')
  const lowerCased = query.toLowerCase()
  const rank = (names: readonly string[], tags: readonly string[]) => {
    if (names.some((name) => name === lowerCased)) return 0
    if (names.some((name) => name.startsWith(lowerCased))) return 1
    if (tags.some((tag) => tag.startsWith(lowerCased))) return 2
    return names.some((name) => name.includes(lowerCased)) ? 3 : undefined
  }
  return gemoji
    .flatMap(({ emoji, names, tags }) => {
      const score = rank(names, tags)
      return score === undefined ? [] : [{ emoji, name: names[0] ?? '', place: score }]
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, limit)
}
