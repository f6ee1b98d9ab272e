import type { Socket } from 'node:net'

const maxLineLength = 4096
const maxLines = 50

/**
 * Prepares a newly opened plaintext connection for TLS: greeting, then STARTTLS. Anything sent after the server's
 * consent was unprotected and ends the connection.
 * @throws Error if the server does not offer or allow it
 */
export async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  const lines = new LineReader(socket, signal)
  const greeting = await lines.next()
  if (!/^\* OK\b/i.test(greeting))
    throw new Error(`The server did not send a greeting: ${greeting.slice(0, 100)}`)
  socket.write('S1 STARTTLS\r\n')
  for (let i = 0; i < maxLines; i++) {
    const line = await lines.next()
    if (!line.startsWith('S1 ')) continue
    if (!/^S1 OK\b/i.test(line))
      throw new Error(
        'The server does not offer STARTTLS, and unencrypted connections are not allowed.',
      )
    return lines.requireNoMoreData()
  }
  throw new Error('The server did not answer STARTTLS.')
}

/** After TLS a server sends no greeting of its own, but the reader of the connection expects one and gets this. */
export const syntheticGreeting = '* OK TLS is on\r\n'

class LineReader {
  readonly #socket: Socket
  readonly #signal: AbortSignal
  #buffered = ''

  constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
  }

  async next(): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf('\n')
      if (end >= 0) {
        const line = this.#buffered.slice(0, end).replace(/\r$/, '')
        this.#buffered = this.#buffered.slice(end + 1)
        return line
      }
      if (this.#buffered.length > maxLineLength)
        throw new Error('The server sent a line that does not end.')
      this.#buffered += await this.#chunk()
    }
  }

  requireNoMoreData(): void {
    if (this.#buffered !== '' || this.#socket.readableLength > 0)
      throw new Error(
        'The server sent data before TLS started; the connection may have been intercepted.',
      )
  }

  #chunk(): Promise<string> {
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const done = (error: Error | undefined, text?: string) => {
        socket.off('readable', onReadable).off('close', onClosed).off('error', onClosed)
        this.#signal.removeEventListener('abort', onClosed)
        if (error) reject(error)
        else resolve(text!)
      }
      const onReadable = () => {
        const chunk = socket.read() as Buffer | null
        if (chunk) done(undefined, chunk.toString('latin1'))
      }
      const onClosed = () => done(new Error('The connection ended before TLS began.'))
      socket.on('readable', onReadable).on('close', onClosed).on('error', onClosed)
      this.#signal.addEventListener('abort', onClosed, { once: true })
      onReadable()
    })
  }
}
