import { parseDocument } from 'yaml'

/** Front matter of a Markdown file, as Obsidian and static site generators write it. */
export interface FrontMatter {
  title?: string
  icon?: string
  labels: string[]
  /** The text after it; the whole file if the front matter has fields that a page does not support. */
  body: string
}

const frontMatterPattern = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** Parses a text's front matter; what cannot be parsed as such stays part of the text. */
export function frontMatterOf(text: string): FrontMatter {
  const match = frontMatterPattern.exec(text)
  const fields = match ? parseFrontMatter(match[1]!) : undefined
  if (!match || !fields) return { labels: [], body: text }
  const { title, icon, tags, labels, ...otherFields } = fields
  return {
    ...(isText(title) ? { title: String(title) } : {}),
    ...(typeof icon === 'string' && icon.length <= 40 ? { icon } : {}),
    labels: [...new Set([...frontMatterNames(tags), ...frontMatterNames(labels)])],
    body:
      Object.keys(otherFields).length === 0
        ? text.slice(match[0].length).replace(/^\r?\n/, '')
        : text,
  }
}

function parseFrontMatter(yaml: string): Record<string, unknown> | undefined {
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent' })
    const value: unknown =
      document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 10 })
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined // too many aliases, which no real front matter has
  }
}

function isText(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
}

function asTagList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' ? value.split(',') : []
}

function frontMatterNames(value: unknown): string[] {
  return asTagList(value)
    .flatMap((item) => (isText(item) ? [String(item).trim().replace(/^#/, '')] : []))
    .filter((name) => name !== '')
}
