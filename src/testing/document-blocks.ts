// Parses documents for the test that runs them: fenced blocks with the instructions of the comment directly before
// each.

export const instances = ['none', 'fresh', 'demo'] as const
export type DocumentInstance = (typeof instances)[number]

export interface Block {
  /** Line of the opening fence; the first is 1. */
  line: number
  language: string
  lines: readonly string[]
  /** Why it is skipped. */
  notRun?: string | undefined
  /** It demonstrates a refusal: it must end with an error. */
  isRefused: boolean
}

export interface WrittenDocument {
  instance: DocumentInstance | undefined
  blocks: readonly Block[]
  /** Blocks to run. */
  run: readonly Block[]
  /** Expected output of a block, given in the block after it. */
  outputOf: ReadonlyMap<Block, Block>
}

/** @throws Error where a fence is left open, or the first line names no instance that there is */
export function readWritten(text: string): WrittenDocument {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let i = 0; i < lines.length; i++) {
    const fence = /^( *)```(\S*)/.exec(lines[i]!)
    if (!fence) continue
    const end = lines.findIndex((line, at) => at > i && line.trimEnd() === `${fence[1]}\`\`\``)
    if (end < 0) throw new Error(`The fence in line ${i + 1} is left open.`)
    const before = lines[i - 1]?.trim() ?? ''
    const notRun = /^<!-- not run: (.+) -->$/.exec(before)?.[1]
    blocks.push({
      line: i + 1,
      language: fence[2]!,
      lines: lines.slice(i + 1, end).map((line) => line.slice(fence[1]!.length)),
      notRun,
      isRefused: before === '<!-- refused -->',
    })
    i = end
  }
  const run = blocks.filter((block) => block.language === 'sh' && block.notRun === undefined)
  return { instance: instanceIn(lines[0]!), blocks, run, outputOf: shownBehind(lines, run, blocks) }
}

function instanceIn(line: string): DocumentInstance | undefined {
  const instance = /^<!-- instance: (.*) -->$/.exec(line)?.[1]
  if (instance !== undefined && !instances.includes(instance as DocumentInstance))
    throw new Error(`There is no instance ${instance}; there is ${instances.join(', ')}.`)
  return instance as DocumentInstance | undefined
}

function shownBehind(
  lines: readonly string[],
  run: readonly Block[],
  blocks: readonly Block[],
): Map<Block, Block> {
  const outputBlocks = new Map<Block, Block>()
  for (const block of run) {
    const next = blocks[blocks.indexOf(block) + 1]
    if (!next || !['text', 'json'].includes(next.language)) continue
    if (
      lines
        .slice(block.line + block.lines.length + 1, next.line - 1)
        .every((line) => line.trim() === '')
    )
      outputBlocks.set(block, next)
  }
  return outputBlocks
}

/**
 * A bash script whose line numbers match the document. Prints a line `\x1e<number>` before each block, and
 * `\x1d<number>\x1f<command>` if one fails.
 */
export function scriptOf({ run }: WrittenDocument, fill: (line: string) => string): string {
  const script: string[] = [
    `set -Eeo pipefail; trap 'printf "\\n\\035%s\\037%s\\n" "$LINENO" "$BASH_COMMAND"' ERR; block() { printf '\\n\\036%s\\n' "$1"; }; unrefused() { printf '\\n\\035%s\\037this should have been refused\\n' "$1"; exit 1; }`,
  ]
  for (const { line, lines, isRefused } of run) {
    while (script.length < line - 1) script.push('')
    script.push(
      `block ${line}${isRefused ? '; if (' : ''}`,
      ...lines.map(fill),
      isRefused ? `); then unrefused ${line}; fi` : '',
    )
  }
  return `${script.join('\n')}\n`
}

/** Splits the output by block, keyed by line. */
export function outputs(printed: string): Map<number, string> {
  const parts = printed.split(/\n\x1e(\d+)\n/)
  return new Map(
    parts.flatMap((part, i) =>
      i % 2 === 1 ? [[Number(part), parts[i + 1]!.trimEnd()] as const] : [],
    ),
  )
}

/** True if a text matches the expected output, ignoring parts marked `…` and line breaks. */
export function isAsShown(
  text: string,
  { language, lines }: Pick<Block, 'language' | 'lines'>,
): boolean {
  const plain = (text: string) => text.replace(/\s+/g, language === 'json' ? '' : ' ').trim()
  let rest = plain(text)
  for (const part of plain(lines.join('\n'))
    .split('…')
    .map((name) => name.trim())) {
    const at = rest.indexOf(part)
    if (at < 0) return false
    rest = rest.slice(at + part.length)
  }
  return true
}
