// Markdown building blocks for models. User text appears only quoted or on one line, so that it cannot pass for part of
// the surrounding text.

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A text as a quotation. */
export function quotation(text: string): string {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Names with values; those without a value are omitted. */
export function factList(all: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(all)
    .flatMap(([name, value]) =>
      value === undefined || value === ''
        ? []
        : [`- ${name}: ${typeof value === 'string' ? oneLine(value) : value}`],
    )
    .join('\n')
}

/** A heading with its content; empty if there is none. */
export function section(title: string, body: string | readonly string[] | undefined): string {
  const text = typeof body === 'string' ? body : (body ?? []).join('\n')
  return text === '' ? '' : `## ${title}\n\n${text}`
}

/** Joins non-empty blocks. */
export function blocks(...all: readonly string[]): string {
  return `${all.filter((block) => block !== '').join('\n\n')}\n`
}

/** A verbatim text in a fence longer than any inside it. */
export function fenced(text: string, language = ''): string {
  const maxTicks = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(maxTicks + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
