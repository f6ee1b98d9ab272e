import { omitNullish } from '../kernel/present.ts'
import { connect as openTcp, isIP, type Socket } from 'node:net'
import { connect as openTls, type TLSSocket } from 'node:tls'
import { isSameAddress } from './addresses.ts'
import { Unreachable, type Guard, type Target } from './guard.ts'

/** Milliseconds allowed for each address if a host has several. */
const addressTimeoutMs = 4000
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
  let lastError: unknown
  for (const address of addresses.slice(0, maxAddresses)) {
    try {
      return verifyConnected(guard, target, address, await dial(address, target.port, signal))
    } catch (error) {
      if (signal.aborted || error instanceof Unreachable) throw error
      lastError = error
    }
  }
  throw new Unreachable(
    target,
    (lastError as { code?: string }).code === 'ETIMEDOUT' ? 'timeout' : 'refused',
    lastError,
  )
}

/** Verifies that the connected address is the one dialled. */
function verifyConnected(guard: Guard, target: Target, address: string, socket: Socket): Socket {
  const { remoteAddress } = socket
  if (
    remoteAddress !== undefined &&
    isSameAddress(remoteAddress, address) &&
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
    AbortSignal.any([signal, AbortSignal.timeout(addressTimeoutMs)]),
  )
}

/**
 * Starts TLS over a connection and verifies the target's name. Also for STARTTLS.
 * @throws Unreachable tls
 */
export async function startTls(
  target: Target,
  socket: Socket,
  signal: AbortSignal,
  tlsOptions: { ca?: string | undefined; protocols?: string[] } = {},
): Promise<TLSSocket> {
  const { host } = target
  const tls = openTls(
    omitNullish({
      socket,
      host, // the name that the certificate must match
      servername: isIP(host) === 0 ? host : undefined,
      ca: tlsOptions.ca,
      ALPNProtocols: tlsOptions.protocols ? tlsOptions.protocols : undefined,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true, // regardless of NODE_TLS_REJECT_UNAUTHORIZED
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
    const finish = (error?: Error) => {
      socket.off(event, onReady)
      socket.off('error', finish)
      socket.off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      if (!error) return
      socket.on('error', () => {}) // further errors after the first are ignored
      socket.destroy()
      reject(error)
    }
    const onReady = () => {
      finish()
      socket.on('error', () => {}) // the caller adds its own listener; until then, an unhandled error would end the process
      resolve(socket)
    }
    const onClose = () => finish(new Error('The connection was closed.'))
    const onAbort = () =>
      finish(Object.assign(new Error('It took too long.'), { code: 'ETIMEDOUT' }))
    if (signal.aborted) return onAbort()
    socket.once(event, onReady).once('error', finish).once('close', onClose)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
