// Separates the text of a message from its quotations and signature.

import {
  forwardedHeading,
  divisionMarks,
  quoteStart,
  quoteEnd,
  signatureStart,
  signatureEnd,
} from './html-divisions.ts'
import {
  stripLineMarks,
  contactsAt,
  isAttribution,
  isAttributionAbove,
  isDisclaimer,
  isHeaderBlock,
  isOriginalMessageLine,
  isSignatureLine,
  isSignOff,
} from './quote-lines.ts'

export interface DividedText {
  own: string
  quoted: string
  signature: string
}

type Kind = 'own' | 'quoted' | 'signature'
interface Piece {
  kind: Kind
  lines: string[]
}

/** The subject of a forwarded message: Fwd:, WG:, TR:, … */
export function isForward(subject: string): boolean {
  return /^\s*(re|aw|sv|antw|r)?:?\s*(fwd?|wg|tr|rv|i|enc|doorst|vs|vb|vl|pd|перенапр|пересл|轉寄|转发)\s*(\[\d+\])?\s*[:：]/iu.test(
    subject,
  )
}

/**
 * Divides a text, plain or Markdown, with or without the marks of html-divisions.ts. Nothing is lost: quotations and
 * signature go to `quoted` and `signature`. If nothing else remains, or the message is forwarded, all of it is `own`;
 * quotations answered inline stay in place.
 */
export function divide(text: string, subject = ''): DividedText {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  const pieces = mergePieces(
    splitQuoteMarks(lines).flatMap((piece) =>
      piece.kind === 'own' ? splitUnmarkedLines(piece.lines, isForward(subject)) : [piece],
    ),
  )
  moveAttributionsToQuotes(pieces)
  moveRulesToQuotes(pieces)
  separateSignature(pieces)
  const ownText = ownTextOf(pieces)
  if (ownText === '')
    return { own: joinTrimmed(lines.map(withoutMarks)), quoted: '', signature: '' }
  return {
    own: ownText,
    quoted: textOfKind(pieces, 'quoted', isInterleaved(pieces)),
    signature: textOfKind(pieces, 'signature'),
  }
}

const kindOfMark: Record<string, Kind> = { [quoteStart]: 'quoted', [signatureStart]: 'signature' }

/** Pieces between marks. A line with a mark holds only the mark, or is split around it. */
function splitQuoteMarks(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [{ kind: 'own', lines: [] }]
  for (const line of lines)
    for (const part of line.split(/([\uE010-\uE013])/)) {
      if (kindOfMark[part]) pieces.push({ kind: kindOfMark[part], lines: [] })
      else if (part === quoteEnd || part === signatureEnd) pieces.push({ kind: 'own', lines: [] })
      else if (part === line || part.replaceAll(/[\s>\\*-]/g, '') !== '')
        pieces.at(-1)!.lines.push(part)
    }
  return pieces
}

function withoutMarks(line: string): string {
  return line.replaceAll(divisionMarks, '')
}

/** Divides text without marks, by its lines. */
function splitUnmarkedLines(lines: string[], isForwarded: boolean): Piece[] {
  const pieces: Piece[] = []
  const addPiece = (kind: Kind, lines: string[]) => void pieces.push({ kind, lines })
  let from = 0
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    if (forwardedHeading.test(stripLineMarks(line)) || forwardedHeading.test(line)) {
      addPiece('own', lines.slice(from)) // the forwarded text is the content of the message, including its quotations
      return pieces
    }
    if (/^\s{0,3}>/.test(line)) {
      const end = endOfQuotation(lines, i)
      addPiece('own', lines.slice(from, i))
      addPiece('quoted', lines.slice(i, end))
      i = end - 1
      from = end
    } else if (
      isOriginalMessageLine(line) ||
      (!isForwarded && isHeaderBlock(lines, i)) ||
      isUnmarkedAnswer(lines, i)
    ) {
      if (isForwarded && isOriginalMessageLine(line)) break
      const start = startWithRules(lines, i, from)
      addPiece('own', lines.slice(from, start))
      addPiece('quoted', lines.slice(start))
      return pieces
    } else if (
      isSignatureLine(line, lines.slice(i + 1)) &&
      lines.slice(i + 1).some((following) => following.trim() !== '')
    ) {
      const end = endOfSignature(lines, i + 1)
      addPiece('own', lines.slice(from, i))
      addPiece('signature', lines.slice(i, end))
      from = end
      i = end - 1
    }
  }
  addPiece('own', lines.slice(from))
  return pieces
}

/** The end of a quotation: lines that begin with >, with empty lines between them. */
function endOfQuotation(lines: string[], start: number): number {
  let end = start + 1
  for (let i = end; i < lines.length; i++) {
    if (/^\s{0,3}>/.test(lines[i]!)) end = i + 1
    else if (lines[i]!.trim() !== '') break
  }
  return end
}

/** A signature ends at a quotation, or after a maximum number of lines. */
function endOfSignature(lines: string[], start: number): number {
  for (let i = start; i < lines.length; i++)
    if (
      /^\s{0,3}>/.test(lines[i]!) ||
      isOriginalMessageLine(lines[i]!) ||
      isHeaderBlock(lines, i) ||
      attributionAt(lines, i)
    )
      return i
  return lines.length
}

/** An attribution with the rest of the text quoted without markers. */
function isUnmarkedAnswer(lines: string[], at: number): boolean {
  const length = attributionAt(lines, at)
  if (length === undefined) return false
  const next = lines.slice(at + length).find((line) => line.trim() !== '')
  return next !== undefined && !/^\s{0,3}>/.test(next)
}

/** Number of lines of an attribution that begins here: mail programs wrap it at any point. */
function attributionAt(lines: string[], at: number, matches = isAttribution): number | undefined {
  if (stripLineMarks(lines[at]!) === '') return undefined
  for (let length = 1; length <= 4 && at + length <= lines.length; length++) {
    const line = stripLineMarks(lines[at + length - 1]!)
    if (line === '') return undefined
    if (
      /[:：]$/.test(line) &&
      matches(
        lines
          .slice(at, at + length)
          .map(stripLineMarks)
          .join(' '),
      )
    )
      return length
  }
  return undefined
}

/** The start of a quoted message, including the rules and empty lines right above it. */
function startWithRules(lines: string[], at: number, from: number): number {
  let start = at
  while (start > from && /^[\s\\_*-]*$/.test(lines[start - 1]!)) start--
  return start
}

function mergePieces(pieces: Piece[]): Piece[] {
  const mergedPieces: Piece[] = []
  for (const piece of pieces) {
    if (piece.lines.every((line) => line.trim() === '')) continue
    const last = mergedPieces.at(-1)
    if (last?.kind === piece.kind)
      last.lines.push(...(piece.kind === 'quoted' ? [''] : []), ...piece.lines)
    else mergedPieces.push({ kind: piece.kind, lines: [...piece.lines] })
  }
  return mergedPieces
}

/** Attribution lines above a quotation become part of it. */
function moveAttributionsToQuotes(pieces: Piece[]): void {
  for (const [i, piece] of pieces.entries()) {
    const next = pieces[i + 1]
    if (piece.kind === 'quoted' || next?.kind !== 'quoted') continue
    const end = piece.lines.findLastIndex((line) => line.trim() !== '') + 1
    for (let start = Math.max(0, end - 4); start < end; start++) {
      if (attributionAt(piece.lines, start, isAttributionAbove) !== end - start) continue
      next.lines.unshift(...piece.lines.splice(start))
      break
    }
  }
  pieces.splice(0, pieces.length, ...mergePieces(pieces))
}

/** Rules between own text and a quotation become part of the quotation. */
function moveRulesToQuotes(pieces: Piece[]): void {
  for (const [i, piece] of pieces.entries())
    if (piece.kind === 'own' && pieces[i + 1])
      pieces[i + 1]!.lines.unshift(
        ...piece.lines.splice(startWithRules(piece.lines, piece.lines.length, 0)),
      )
  pieces.splice(0, pieces.length, ...mergePieces(pieces))
}

/** Moves the text at the end of the own words to the signature: telephone lines, contact details, disclaimers. */
function separateSignature(pieces: Piece[]): void {
  const at = pieces.findLastIndex((piece) => piece.kind === 'own')
  for (const [i, piece] of [...pieces.entries()].reverse()) {
    if (piece.kind !== 'own' || (i !== at && pieces[i + 1]?.kind !== 'quoted')) continue
    const cut = signatureAt(piece.lines)
    if (cut === undefined || piece.lines.slice(0, cut).every((line) => line.trim() === '')) continue
    pieces.splice(i + 1, 0, { kind: 'signature', lines: piece.lines.splice(cut) })
  }
}

function signatureAt(lines: string[]): number | undefined {
  let cut: number | undefined
  let end = lines.length
  for (;;) {
    while (end > 0 && lines[end - 1]!.trim() === '') end--
    let start = end
    while (start > 0 && lines[start - 1]!.trim() !== '') start--
    if (end === 0) break
    const paragraph = lines.slice(start, end)
    const signOff = paragraph.findIndex(isSignOff)
    if (signOff >= 0 && end - start - signOff <= 2) end = cut = start + signOff
    else if (isDisclaimer(paragraph.map(stripLineMarks).join(' '))) end = cut = start
    else break
  }
  return contactsAt(lines.slice(0, end)) ?? cut
}

/** Whether quotations are answered inline: own text follows more than one of them. */
function isInterleaved(pieces: Piece[]): boolean {
  const body = pieces.filter((piece) => piece.kind !== 'signature')
  return (
    body.filter((piece, i) => piece.kind === 'quoted' && body[i + 1]?.kind === 'own').length >= 2
  )
}

function ownTextOf(pieces: Piece[]): string {
  if (pieces.every((piece) => piece.kind !== 'own')) return ''
  if (!isInterleaved(pieces)) return textOfKind(pieces, 'own')
  const last = pieces.findLastIndex((piece) => piece.kind === 'own')
  return joinTrimmed(
    pieces
      .slice(0, last + 1)
      .filter((piece) => piece.kind !== 'signature')
      .flatMap((piece) => [
        ...(piece.kind === 'quoted' ? asQuotation(piece.lines) : piece.lines),
        '',
      ]),
  )
}

function asQuotation(lines: readonly string[]): string[] {
  return lines.every((line) => line.trim() === '' || /^\s*>/.test(line) || isAttribution(line))
    ? [...lines]
    : lines.map((line) => `> ${line}`.trimEnd())
}

/**
 * The text of all pieces of a kind. `afterOwn`: only pieces below the last own text, if others are between own text.
 */
function textOfKind(pieces: Piece[], kind: Kind, afterOwn = false): string {
  const from = afterOwn ? pieces.findLastIndex((piece) => piece.kind === 'own') : -1
  return joinTrimmed(
    pieces
      .filter((piece, i) => piece.kind === kind && i > from)
      .flatMap((piece) => [...piece.lines, '']),
  )
}

function joinTrimmed(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '')
}
