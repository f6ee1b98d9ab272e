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

/** Emoji by prefix of their names and tags; the table is loaded on first use. */
export async function findEmoji(query: string, limit: number): Promise<Emoji[]> {
  const { gemoji } = await import('gemoji')
  const wanted = query.toLowerCase()
  const rank = (names: readonly string[], tags: readonly string[]) => {
    if (names.some((name) => name === wanted)) return 0
    if (names.some((name) => name.startsWith(wanted))) return 1
    if (tags.some((tag) => tag.startsWith(wanted))) return 2
    return names.some((name) => name.includes(wanted)) ? 3 : undefined
  }
  return gemoji
    .flatMap(({ emoji, names, tags }) => {
      const place = rank(names, tags)
      return place === undefined ? [] : [{ emoji, name: names[0] ?? '', place }]
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, limit)
}
