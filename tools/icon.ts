// The product icon, drawn from numbers: three cards on a board, the last one done. Identical on every machine, and
// therefore compressed by a JavaScript library: zlib's output differs between processors.

import { crc32 } from 'node:zlib'
import { zlibSync } from 'fflate'

type Color = readonly [number, number, number]
interface Card {
  x: number
  y: number
  width: number
  height: number
  radius: number
  color: Color
}

const blue: Color = [29, 78, 216]
const white: Color = [255, 255, 255]
const green: Color = [134, 239, 172]
const cards: readonly Card[] = [
  { x: 0, y: 0, width: 256, height: 256, radius: 56, color: blue },
  { x: 52, y: 56, width: 152, height: 36, radius: 12, color: white },
  { x: 52, y: 110, width: 112, height: 36, radius: 12, color: white },
  { x: 52, y: 164, width: 152, height: 36, radius: 12, color: green },
]

/** A square PNG of the given size in pixels. */
export function icon(size: number): Uint8Array {
  const rows = new Uint8Array(size * (size * 4 + 1)) // each row begins with the number of its filter, which is none
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) rows.set(pixel(x, y, 256 / size), y * (size * 4 + 1) + 1 + x * 4)
  const header = new Uint8Array(13)
  new DataView(header.buffer).setUint32(0, size)
  new DataView(header.buffer).setUint32(4, size)
  header.set([8, 6], 8) // 8 bits, red green blue alpha
  return joined([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', zlibSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Color at a point, with the topmost card last; edges are blended over one pixel. */
function pixel(x: number, y: number, scale: number): number[] {
  const at = [(x + 0.5) * scale, (y + 0.5) * scale] as const
  const coverage = cards.map((card) => Math.min(1, Math.max(0, 0.5 - distance(card, at) / scale)))
  const color = cards.reduce<Color>(
    (under, card, i) =>
      under.map((part, c) => part + (card.color[c]! - part) * coverage[i]!) as unknown as Color,
    blue,
  )
  return [...color.map(Math.round), Math.round(coverage[0]! * 255)]
}

/** Distance from the edge of a rounded rectangle; negative inside. */
function distance(
  { x, y, width, height, radius }: Card,
  [px, py]: readonly [number, number],
): number {
  const dx = Math.abs(px - x - width / 2) - width / 2 + radius
  const dy = Math.abs(py - y - height / 2) - height / 2 + radius
  return (
    Math.sqrt(Math.max(dx, 0) ** 2 + Math.max(dy, 0) ** 2) + Math.min(Math.max(dx, dy), 0) - radius
  )
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const typed = joined([new TextEncoder().encode(type), content])
  const whole = new Uint8Array(typed.length + 8)
  const view = new DataView(whole.buffer)
  view.setUint32(0, content.length)
  whole.set(typed, 4)
  view.setUint32(typed.length + 4, crc32(typed))
  return whole
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
