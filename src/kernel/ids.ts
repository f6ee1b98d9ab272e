import { randomFillSync } from 'node:crypto'

/** The id of a row of table T. It is a plain string at run time; the brand keeps text from outside out of queries. */
export type Id<T extends string> = string & { readonly '~table': T }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const randomLength = 10
/** Random bytes for many ids: drawing them for each id would cost more than the rest of its creation. */
const randomPool = new Uint8Array(randomLength * 256)
let poolOffset = randomPool.length
let lastTime = 0
let lastRandom = new Uint8Array(randomLength)

/**
 * A new id `<prefix>_` + 26 characters of Crockford base 32: 48 bits of milliseconds, then 80 random bits (the layout
 * of ULID). Ids of one process sort in creation order, even within a millisecond and when the clock steps back.
 */
export function newId<T extends string>(prefix: string, now: number): Id<T> {
  if (now > lastTime) {
    lastTime = now
    lastRandom = nextRandom()
  } else increment(lastRandom)
  return `${prefix}_${encodeTime(lastTime)}${encodeBytes(lastRandom)}` as Id<T>
}

function nextRandom(): Uint8Array<ArrayBuffer> {
  if (poolOffset === randomPool.length) {
    randomFillSync(randomPool)
    poolOffset = 0
  }
  poolOffset += randomLength
  return randomPool.slice(poolOffset - randomLength, poolOffset)
}

function increment(bytes: Uint8Array): void {
  for (let i = bytes.length - 1; i >= 0; i--) {
    bytes[i] = (bytes[i]! + 1) & 255
    if (bytes[i] !== 0) return
  }
}

function encodeTime(time: number): string {
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = alphabet[time % 32]! + text
    time = Math.floor(time / 32)
  }
  return text
}

function encodeBytes(bytes: Uint8Array): string {
  let text = ''
  for (let half = 0; half < 10; half += 5) {
    const high = bytes[half]! * 2 ** 8 + bytes[half + 1]!
    const low = bytes[half + 2]! * 2 ** 16 + bytes[half + 3]! * 2 ** 8 + bytes[half + 4]!
    let value = high * 2 ** 24 + low
    let part = ''
    for (let i = 0; i < 8; i++) {
      part = alphabet[value % 32]! + part
      value = Math.floor(value / 32)
    }
    text += part
  }
  return text
}

/** Whether text has the form of an id with this prefix. */
export function isId(prefix: string, text: string): boolean {
  return (
    text.length === prefix.length + 27 &&
    text.startsWith(prefix) &&
    /^_[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length))
  )
}

/** The prefix of an id (`tsk`); undefined if text is not an id. */
export function prefixOf(text: string): string | undefined {
  return /^([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{26}$/.exec(text)?.[1]
}
