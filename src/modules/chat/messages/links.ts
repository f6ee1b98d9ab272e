const maxPerMessage = 20

/** Workspace items that a text refers to: ids, keys such as ENG-42, and project keys at the end of addresses. */
export interface NamedItems {
  ids: string[]
  keys: string[]
  projects: string[]
}

/** Extracts item names from a text. Ignores other sites' addresses: anything like a key in them is theirs. */
export function itemNamesIn(text: string, baseUrl: string): NamedItems {
  const projects: string[] = []
  const localText = text.replaceAll(/https?:\/\/[^\s<>()[\]"'`]+/g, (url) => {
    if (!url.startsWith(`${baseUrl}/`)) return ' '
    const key = /^projects\/([A-Za-z][A-Za-z0-9]{0,9})(?![\w-])/.exec(
      url.slice(baseUrl.length + 1),
    )?.[1]
    if (key !== undefined) projects.push(key.toUpperCase())
    return url.slice(baseUrl.length).replaceAll('/', ' ')
  })
  return {
    ids: uniqueMatches(
      localText,
      /(?<![\p{L}\p{N}_])[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}(?![\p{L}\p{N}_])/gu,
    ),
    keys: uniqueMatches(
      localText,
      /(?<![\p{L}\p{N}_-])[A-Z][A-Z0-9]{0,9}-\d{1,9}(?![\p{L}\p{N}_]|-[\p{L}\p{N}])/gu,
    ),
    projects: [...new Set(projects)].slice(0, maxPerMessage),
  }
}

function uniqueMatches(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[0]))].slice(0, maxPerMessage)
}
