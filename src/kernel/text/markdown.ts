// Pieces of Markdown for what models read. What people wrote stands in it as quotation or on one line, so that nothing of it
// can pass for a part of the text around it.

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

/** Names with their values; those without a value are left out. */
export function facts(all: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(all)
    .flatMap(([name, value]) =>
      value === undefined || value === ''
        ? []
        : [`- ${name}: ${typeof value === 'string' ? oneLine(value) : value}`],
    )
    .join('\n')
}

/** A heading with what stands below it; nothing where there is nothing. */
export function section(title: string, body: string | readonly string[] | undefined): string {
  const text = typeof body === 'string' ? body : (body ?? []).join('\n')
  return text === '' ? '' : `## ${title}\n\n${text}`
}

/** Blocks one below the other, empty ones left out. */
export function blocks(...all: readonly string[]): string {
  return `${all.filter((name) => name !== '').join('\n\n')}\n`
}

/** A text as it stands, inside a fence that is longer than any in it. */
export function fenced(text: string, language = ''): string {
  const maxTicks = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(maxTicks + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
