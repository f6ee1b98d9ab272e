// The web app built by `npm run build` in dist/web: one page for all of the app's addresses, and the files it loads.

import { randomBytes } from 'node:crypto'
import { extname } from 'node:path'
import type { Files } from '../db/assets.ts'
import { respondWith, etagOf, etagMatches, type HeaderList } from './transport/answers.ts'
import { codingFor, codings, type Coding } from './transport/encodings.ts'
import type { Incoming } from './transport/request-info.ts'

const endings: Record<Coding, string> = { br: '.br', gzip: '.gz' }

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** A file of the app in its prebuilt codings. */
interface WebFile {
  headers: HeaderList
  etag: string
  plain: Buffer
  encoded: ReadonlyMap<Coding, Buffer>
}

interface Build {
  index: string
  /** By path: `/assets/main-3f2a.js`. */
  files: ReadonlyMap<string, WebFile>
}

/**
 * Files of the web app's build, read completely on first use: a page and its files belong together, whatever is built
 * meanwhile.
 */
export class WebFiles {
  readonly #files: Files
  #build: Build | undefined

  constructor(files: Files) {
    this.#files = files
  }

  get isBuilt(): boolean {
    return this.#build !== undefined || this.#files.has('index.html')
  }

  /** A file of the app by its exact path in the build; undefined if there is none. */
  file(incoming: Incoming): Response | undefined {
    const webFile = this.#read()?.files.get(incoming.url.pathname)
    return webFile && answerFile(incoming, webFile)
  }

  /** The app's page; undefined if it was not built. */
  page(incoming: Incoming): Response | undefined {
    const index = this.#read()?.index
    if (index === undefined) return undefined
    const nonce = randomBytes(16).toString('base64')
    return respondWith(incoming, 200, index.replaceAll('__NONCE__', nonce), [
      ['content-type', types['.html']!],
      ['content-security-policy', policy(nonce)],
      ['cache-control', 'no-store'],
      ...(isForConsent(incoming) ? [] : [openerPolicy]),
    ])
  }

  #read(): Build | undefined {
    if (!this.#build && this.isBuilt) this.#build = readBuild(this.#files)
    return this.#build
  }
}

const openerPolicy = ['cross-origin-opener-policy', 'same-origin'] as const

/** Hosts open the consent page, and the sign-in before it, in a window that must keep its opener. */
function isForConsent({ url: { pathname, searchParams } }: Incoming): boolean {
  const target = pathname === '/sign-in' ? (searchParams.get('to') ?? '') : pathname
  return target.startsWith('/connect/')
}

/** The nonce is for Mantine's style elements; scripts come only from files. */
function policy(nonce: string): string {
  return `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; media-src 'self' blob:; worker-src 'self'`
}

function readBuild(built: Files): Build {
  const names = built.paths()
  const isCoded = (name: string) => codings.some((coding) => name.endsWith(endings[coding]))
  const files = names
    .filter((name) => name !== 'index.html' && !isCoded(name))
    .map((name) => {
      const coded = codings
        .filter((coding) => names.includes(name + endings[coding]))
        .map((coding) => [coding, built.read(name + endings[coding])] as const)
      return [`/${name}`, fileOf(name, built.read(name), new Map(coded))] as const
    })
  return { index: built.read('index.html').toString(), files: new Map(files) }
}

/** A picture opened on its own is a page: it may use its own styles and nothing else. */
const svgPolicy = [
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
] as const

/** Prepares a file; those in assets/ have a hash in their name and never change. */
function fileOf(name: string, plain: Buffer, encoded: WebFile['encoded']): WebFile {
  const headers: HeaderList = [
    ['content-type', types[extname(name)] ?? 'application/octet-stream'],
    ...(extname(name) === '.svg' ? [svgPolicy] : []),
    [
      'cache-control',
      name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ],
    ['vary', 'accept-encoding'],
  ]
  return {
    headers,
    etag: etagOf(plain),
    plain,
    encoded,
  }
}

function answerFile(incoming: Incoming, { headers, etag, plain, encoded }: WebFile): Response {
  const coding = codingFor(incoming.header('accept-encoding'), [...encoded.keys()])
  const fileEtag = coding ? etag.replace(/"$/, `-${coding}"`) : etag
  const all: HeaderList = [...headers, ['etag', fileEtag]]
  if (etagMatches(incoming.header('if-none-match'), fileEtag))
    return respondWith(incoming, 304, null, all)
  return coding
    ? respondWith(incoming, 200, encoded.get(coding)!, [...all, ['content-encoding', coding]])
    : respondWith(incoming, 200, plain, all)
}
