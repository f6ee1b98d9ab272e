// Protocol between the server and its reader processes over pipes: each frame has two lengths, a message and bytes.

/** A message serialized by `v8.serialize`, with bytes that are sent without being copied into it. */
export interface ProtocolFrame {
  message: Uint8Array
  bytes: Uint8Array
}

const headerLength = 8

/** The chunks of a frame, in write order. */
export function encodeFrame({ message, bytes }: ProtocolFrame): Uint8Array[] {
  const header = Buffer.alloc(headerLength)
  header.writeUInt32LE(message.byteLength, 0)
  header.writeUInt32LE(bytes.byteLength, 4)
  return [header, message, bytes].filter((part) => part.byteLength > 0)
}

/** Assembles frames from the chunks of a pipe. Copies each byte once, regardless of the number of chunks. */
export class FrameReader {
  readonly #maxLength: number
  readonly #onFrame: (frame: ProtocolFrame) => void
  #part = Buffer.alloc(headerLength)
  #filled = 0
  #lengths: [number, number] | undefined

  /** Throws for a frame longer than `maxLength`, before allocating memory for it. */
  constructor(maxLength: number, onFrame: (frame: ProtocolFrame) => void) {
    this.#maxLength = maxLength
    this.#onFrame = onFrame
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.byteLength; ) {
      const slice = chunk.subarray(at, at + this.#part.byteLength - this.#filled)
      this.#part.set(slice, this.#filled)
      this.#filled += slice.byteLength
      at += slice.byteLength
      if (this.#filled === this.#part.byteLength) this.#advance()
    }
  }

  #advance(): void {
    const part = this.#part
    this.#filled = 0
    if (this.#lengths) {
      const [length] = this.#lengths
      this.#lengths = undefined
      this.#part = Buffer.alloc(headerLength)
      return this.#onFrame({ message: part.subarray(0, length), bytes: part.subarray(length) })
    }
    this.#lengths = [part.readUInt32LE(0), part.readUInt32LE(4)]
    const length = this.#lengths[0] + this.#lengths[1]
    if (length > this.#maxLength) throw new RangeError(`A frame of ${length} bytes is too long.`)
    this.#part = Buffer.allocUnsafeSlow(length) // not from Node's shared pool, since the buffer may be transferred to a thread
    if (length === 0) this.#advance()
  }
}
