import type { Socket } from 'node:net'

const maxReplyLength = 16_384

/**
 * Prepares a newly opened plaintext connection for TLS: greeting, EHLO, STARTTLS. Anything sent after the server's
 * consent was unprotected and ends the connection.
 * @throws Error if the server does not offer or allow it
 */
export async function startSmtpTls(
  socket: Socket,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  requireReply(await readReply(socket, signal), /^220/, 'did not send a greeting')
  socket.write(`EHLO ${name}\r\n`)
  const capabilities = await readReply(socket, signal)
  requireReply(capabilities, /^250/, 'did not accept the greeting')
  if (!/^250[ -]STARTTLS\s*$/im.test(capabilities))
    throw new Error(
      'The server does not offer STARTTLS, and unencrypted connections are not allowed.',
    )
  socket.write('STARTTLS\r\n')
  requireReply(await readReply(socket, signal), /^220/, 'does not allow STARTTLS')
  if (socket.readableLength > 0)
    throw new Error(
      'The server sent data before TLS started; the connection may have been intercepted.',
    )
}

/** After TLS a server sends no greeting of its own, but the reader of the connection expects one and gets this. */
export const syntheticGreeting = '220 TLS is on\r\n'

function requireReply(text: string, pattern: RegExp, problem: string): void {
  if (!pattern.test(text)) throw new Error(`The server ${problem}: ${text.slice(0, 200).trim()}`)
}

/** One reply of any number of lines; nothing may follow it. */
function readReply(socket: Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let replyText = ''
    const done = (error: Error | undefined) => {
      socket.off('readable', onReadable).off('close', onClosed).off('error', onClosed)
      signal.removeEventListener('abort', onClosed)
      if (error) reject(error)
      else resolve(replyText)
    }
    const onReadable = () => {
      for (
        let chunk = socket.read() as Buffer | null;
        chunk;
        chunk = socket.read() as Buffer | null
      )
        replyText += chunk.toString('latin1')
      const end = /^\d{3}(?: [^\n]*)?\r?\n/m.exec(replyText)
      if (end && end.index + end[0].length < replyText.length)
        done(new Error('The server sent more than was requested.'))
      else if (end) done(undefined)
      else if (replyText.length > maxReplyLength)
        done(new Error('The server sent a reply that does not end.'))
    }
    const onClosed = () => done(new Error('The connection ended before TLS began.'))
    socket.on('readable', onReadable).on('close', onClosed).on('error', onClosed)
    signal.addEventListener('abort', onClosed, { once: true })
    onReadable()
  })
}
