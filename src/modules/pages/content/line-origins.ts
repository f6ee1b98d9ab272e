import { lineHunks } from '../../../kernel/text/merge.ts'

/** Lines added together; `origin` is undefined if they are older than the texts examined. */
export interface LineStretch<O> {
  /** The first line, from 1. */
  line: number
  count: number
  origin: O | undefined
}

/** Determines the origin of a text's lines from its earlier texts, latest first. */
export class LineOrigins<O> {
  /** Index in the last text of each line of the current text; -1 for lines that are not in the last text. */
  private lineIndexes: number[]
  private readonly origins: (O | undefined)[]
  private remaining: number

  private text: string

  constructor(text: string) {
    this.text = text
    this.lineIndexes = text.split('\n').map((_, n) => n)
    this.origins = this.lineIndexes.map(() => undefined)
    this.remaining = this.lineIndexes.length
  }

  /** Whether all origins are known. */
  get isDone(): boolean {
    return this.remaining === 0
  }

  /** Lines in the current text but not in the earlier text `before` came from `origin`. */
  goBack(before: string, origin: O): void {
    const positions: number[] = []
    let previousLine = 0 // in the earlier text
    let currentLine = 0
    for (const { start, end, lines } of lineHunks(before, this.text)) {
      for (const index of this.lineIndexes.slice(currentLine, currentLine + start - previousLine))
        positions.push(index)
      currentLine += start - previousLine
      this.claim(this.lineIndexes.slice(currentLine, currentLine + lines.length), origin)
      currentLine += lines.length
      for (let n = start; n < end; n++) positions.push(-1)
      previousLine = end
    }
    for (const index of this.lineIndexes.slice(currentLine)) positions.push(index)
    this.lineIndexes = positions
    this.text = before
  }

  /** Called when there is no earlier text: all remaining lines came from `origin`. */
  end(origin: O): void {
    this.claim(this.lineIndexes, origin)
  }

  private claim(lines: readonly number[], origin: O): void {
    for (const line of lines) {
      if (line === -1) continue
      this.origins[line] = origin
      this.remaining--
    }
  }

  /** Lines of the last text, with adjacent lines of the same origin combined. */
  stretches(): LineStretch<O>[] {
    const lineStretches: LineStretch<O>[] = []
    for (const [n, origin] of this.origins.entries()) {
      const last = lineStretches.at(-1)
      if (last && last.origin === origin) last.count++
      else lineStretches.push({ line: n + 1, count: 1, origin })
    }
    return lineStretches
  }
}
