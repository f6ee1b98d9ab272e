import { omitNullish } from '../kernel/present.ts'
import { connect as openTcp, isIP, type Socket } from 'node:net'
import { connect as openTls, type TLSSocket } from 'node:tls'
import { sameAddress } from './addresses.ts'
import { Unreachable, type Guard, type Target } from './guard.ts'

/** Milliseconds allowed for each address if a host has several. */
const eachAtMost = 4000
const maxAddresses = 4

/**
 * Connects to a target at an address that was just checked, never by name.
 * @throws Unreachable
 */
export async function connect(
  guard: Guard,
  target: Target,
  ports: readonly number[],
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await guard.addressesOf(target, ports, signal)
  let failed: unknown
  for (const address of addresses.slice(0, maxAddresses)) {
    try {
      return reached(guard, target, address, await dial(address, target.port, signal))
    } catch (error) {
      if (signal.aborted || error instanceof Unreachable) throw error
      failed = error
    }
  }
  throw new Unreachable(
    target,
    (failed as { code?: string }).code === 'ETIMEDOUT' ? 'timeout' : 'refused',
    failed,
  )
}

/** Verifies that the connected address is the one dialled. */
function reached(guard: Guard, target: Target, address: string, socket: Socket): Socket {
  const { remoteAddress } = socket
  if (
    remoteAddress !== undefined &&
    sameAddress(remoteAddress, address) &&
    guard.permits(target, address)
  )
    return socket
  socket.destroy()
  throw new Unreachable(target, remoteAddress === undefined ? 'refused' : 'blocked')
}

function dial(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return socketReady(
    openTcp({ host: address, port, noDelay: true }),
    'connect',
    AbortSignal.any([signal, AbortSignal.timeout(eachAtMost)]),
  )
}

/**
 * Starts TLS over a connection and verifies the target's name. Also for STARTTLS.
 * @throws Unreachable tls
 */
export async function secure(
  target: Target,
  socket: Socket,
  signal: AbortSignal,
  more: { ca?: string | undefined; protocols?: string[] } = {},
): Promise<TLSSocket> {
  const { host } = target
  const tls = openTls(
    omitNullish({
      socket,
      host, // the certificate is held against it
      servername: isIP(host) === 0 ? host : undefined,
      ca: more.ca,
      ALPNProtocols: more.protocols ? more.protocols : undefined,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true, // whatever the environment says
    }),
  )
  try {
    return await socketReady(tls, 'secureConnect', signal)
  } catch (error) {
    if (signal.aborted) throw error
    throw new Unreachable(target, 'tls', error)
  }
}

/** Resolves to a connected socket; destroys it on failure. */
function socketReady<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      socket.off(event, done)
      socket.off('error', end)
      socket.off('close', closed)
      signal.removeEventListener('abort', late)
      if (!error) return
      socket.on('error', () => {}) // it says again what is known
      socket.destroy()
      reject(error)
    }
    const done = () => {
      end()
      socket.on('error', () => {}) // its later owner has its own listener; without any an error would end the process
      resolve(socket)
    }
    const closed = () => end(new Error('The connection was closed.'))
    const late = () => end(Object.assign(new Error('It took too long.'), { code: 'ETIMEDOUT' }))
    if (signal.aborted) return late()
    socket.once(event, done).once('error', end).once('close', closed)
    signal.addEventListener('abort', late, { once: true })
  })
}
