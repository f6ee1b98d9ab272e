// Real proxies in front of a workspace, with the published configuration files.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { makeCertificate } from './certificates.ts'

/** The host name of the workspace behind a proxy. */
export const proxiedName = 'work.test'

export interface ProxyPorts {
  https: number
  http: number
}

/** A running proxy. */
export interface Proxy {
  /** Public URL of the workspace behind it: `https://work.test:…`. */
  url: string
  ports: ProxyPorts
  /** A fetch function that reaches it by name, from a local address. */
  from(address: string): typeof fetch
  /** A TLS connection to it, with the negotiated protocol. */
  secure(protocols: string[]): Promise<TLSSocket>
  stop(): Promise<void>
}

type Started = { ca: string; child: ChildProcess }
/** Starts a proxy in a folder of its own, in front of the port of a workspace. */
type Start = (at: { dir: string; ports: ProxyPorts; backend: number }) => Promise<Started>

const packaging = fileURLToPath(new URL('../../packaging/', import.meta.url))

const programs: Record<'nginx' | 'caddy', Start> = { nginx: startNginx, caddy: startCaddy }

export type ProxyName = keyof typeof programs

/** Why a proxy cannot be tested here; false if it can. */
export function noProxy(name: ProxyName): string | false {
  return spawnSync(name, [name === 'nginx' ? '-v' : 'version']).error
    ? `${name} is not on this machine`
    : false
}

/** Ports for a proxy; the workspace behind it must know them before it starts. */
export async function proxyPorts(): Promise<ProxyPorts> {
  const servers = [createServer(), createServer()]
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  const [https, http] = servers.map((server) => (server.address() as AddressInfo).port) as [
    number,
    number,
  ]
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return { https, http }
}

/** Starts a proxy with its file in packaging/, replacing only names, ports and paths. */
export async function startProxy(
  name: ProxyName,
  ports: ProxyPorts,
  backend: number,
): Promise<Proxy> {
  const dir = mkdtempSync(join(tmpdir(), `workspace-${name}-`))
  const { ca, child } = await programs[name]({ dir, ports, backend })
  let errorOutput = ''
  child.stderr!.on('data', (part: Buffer) => (errorOutput += part.toString()))
  const exit = once(child, 'exit')
  const secure = (ALPNProtocols: string[], certificates = readFileSync(ca, 'utf8')) =>
    secured({ port: ports.https, ca: certificates, ALPNProtocols })
  for (
    let tries = 0;
    !(
      existsSync(ca) &&
      (await secure(['http/1.1']).then(
        (socket) => socket.end(),
        () => undefined,
      ))
    );
    tries++
  ) {
    if (tries > 200 || child.exitCode !== null)
      throw new Error(`${name} does not answer: ${errorOutput}`)
    await pause(50)
  }
  return {
    url: `https://${proxiedName}:${ports.https}`,
    ports,
    from: (address) => fetchFrom(address, readFileSync(ca, 'utf8')),
    secure,
    async stop() {
      child.kill('SIGTERM')
      await exit
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Its main file is ours, and includes the published one, as on Debian. */
async function startNginx({ dir, ports, backend }: Parameters<Start>[0]): Promise<Started> {
  const { files, remove } = makeCertificate({ names: [proxiedName] })
  const site = readFileSync(join(packaging, 'nginx.conf'), 'utf8')
    .replaceAll('work.example.org', proxiedName)
    .replace(/listen 80;/, `listen 127.0.0.1:${ports.http};`)
    .replace(/listen 443/, `listen 127.0.0.1:${ports.https}`)
    .replaceAll(/listen \[::\]:.*/g, '')
    .replace(/(ssl_certificate ).*;/, `$1 ${join(dir, 'cert.pem')};`)
    .replace(/(ssl_certificate_key ).*;/, `$1 ${join(dir, 'key.pem')};`)
    .replace('127.0.0.1:8787', `127.0.0.1:${backend}`)
  writeFileSync(join(dir, 'cert.pem'), readFileSync(files.cert))
  writeFileSync(join(dir, 'key.pem'), readFileSync(files.key), { mode: 0o600 })
  remove()
  writeFileSync(join(dir, 'site.conf'), site)
  const bodies = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(dir, kind)};`)
    .join(' ')
  const asRoot = process.getuid!() === 0 ? 'user root;' : ''
  writeFileSync(
    join(dir, 'main.conf'),
    `${asRoot} daemon off; pid ${join(dir, 'pid')}; error_log stderr; events {} http { ${bodies} access_log off; include ${join(dir, 'site.conf')}; }`,
  )
  return {
    ca: join(dir, 'cert.pem'),
    child: spawn('nginx', ['-e', 'stderr', '-p', dir, '-c', join(dir, 'main.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  }
}

/**
 * Imports the published file unchanged; the certificate comes from Caddy's own authority, because the name is not
 * public.
 */
async function startCaddy({ dir, ports, backend }: Parameters<Start>[0]): Promise<Started> {
  const main = join(dir, 'Caddyfile')
  writeFileSync(
    main,
    `{\n\tadmin off\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n\tdefault_bind 127.0.0.1\n\tlocal_certs\n\tskip_install_trust\n\tstorage file_system ${dir}\n}\nimport ${join(packaging, 'Caddyfile')}\n`,
  )
  mkdirSync(join(dir, 'home'))
  const env = {
    PATH: process.env.PATH,
    HOME: join(dir, 'home'),
    DOMAIN: proxiedName,
    BACKEND: `127.0.0.1:${backend}`,
  }
  return {
    ca: join(dir, 'pki', 'authorities', 'local', 'root.crt'),
    child: spawn('caddy', ['run', '--config', main, '--adapter', 'caddyfile'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  }
}

async function secured(to: {
  port: number
  ca: string
  ALPNProtocols: string[]
}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', servername: proxiedName, ...to })
  await once(socket, 'secureConnect')
  return socket
}

/** Subset of fetch that MCP clients use, over a connection from a local address of ours to a name that is in no DNS. */
function fetchFrom(localAddress: string, ca: string): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = { host: url.host, ...Object.fromEntries(new Headers(init.headers)) }
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: url.port,
        servername: proxiedName,
        ca,
        localAddress,
        agent: false,
        path: url.pathname + url.search,
        method: init.method ?? 'GET',
        headers,
        ...(init.signal ? { signal: init.signal } : {}),
      },
      (incoming) => {
        const responseHeaders = new Headers()
        for (let at = 0; at < incoming.rawHeaders.length; at += 2)
          responseHeaders.append(incoming.rawHeaders[at]!, incoming.rawHeaders[at + 1]!)
        const isEmpty = [204, 304].includes(incoming.statusCode!) || init.method === 'HEAD'
        if (isEmpty) incoming.resume()
        resolve(
          new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream), {
            status: incoming.statusCode!,
            headers: responseHeaders,
          }),
        )
      },
    )
    outgoing.on('error', reject).end(init.body)
    return promise
  }
}
