import type { Command } from 'commander'

export interface CommonOptions {
  data?: string
  json?: boolean
}

/** Adds a command with the common options and its examples. */
export function addCommand(
  parent: Command,
  usage: string,
  about: string,
  examples: readonly string[],
): Command {
  return parent
    .command(usage)
    .description(about)
    .option('--data <dir>', 'data folder (WORKSPACE_DATA)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exampleHelp(examples))
}

/** Adds a group of commands, such as `keys`. */
export function addCommandGroup(
  parent: Command,
  name: string,
  about: string,
  examples: readonly string[],
): Command {
  return parent.command(name).description(about).addHelpText('after', exampleHelp(examples))
}

export function exampleHelp(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`
}

/** Prints the only output of a command on stdout. */
export function print(asJson: boolean | undefined, value: unknown, human: () => string): void {
  process.stdout.write(`${asJson ? JSON.stringify(value) : human()}\n`)
}

/** A text table with headings; columns are as wide as needed. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, i) => Math.max(...all.map((row) => row[i]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A moment in UTC, as lists show it. */
export function formatMoment(at: number | null): string {
  return at === null ? '–' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

/** A moment as JSON shows it. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
