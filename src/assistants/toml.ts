import type { ConfigEntry } from './client.ts'

/** Tables as TOML, limited to what Codex needs: strings and one nested level of strings. */
export function tomlText(puts: readonly ConfigEntry[]): string {
  return puts
    .map(({ path, value }) =>
      [
        `[${path.map(keyText).join('.')}]`,
        ...Object.entries(value).map(
          ([name, fieldValue]) => `${keyText(name)} = ${valueText(fieldValue)}`,
        ),
      ].join('\n'),
    )
    .join('\n\n')
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value) // what JSON escapes, TOML escapes alike
  return `{ ${Object.entries(value as Record<string, unknown>)
    .map(([name, fieldValue]) => `${keyText(name)} = ${valueText(fieldValue)}`)
    .join(', ')} }`
}
