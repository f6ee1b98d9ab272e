import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { modules } from '../modules/index.ts'
import { appSegments } from './web-pages.ts'
import { makeCertificate } from '../testing/certificates.ts'
import { noChromium, openChromium } from '../testing/chromium.ts'
import { serveWorkspace, type ServedWorkspace } from '../testing/server.ts'

const script = `document.body.dataset.ran = 'yes'; const style = document.createElement('style'); style.setAttribute('nonce', document.querySelector('meta[name=csp-nonce]').content); style.textContent = 'p { color: rgb(1, 2, 3) }'; document.head.append(style); ${'// padding '.repeat(200)}`
const index = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="csp-nonce" content="__NONCE__"><title>The app</title><script type="module" crossorigin src="/assets/main-a1b2.js"></script></head>
<body><p>text</p><script>document.body.dataset.inline = 'yes'</script></body>
</html>
`
const pageRequest = { key: undefined, headers: { accept: 'text/html,application/xhtml+xml' } }

/** A build folder, complete or empty. */
function buildFolder(t: TestContext, isBuilt: boolean): URL {
  const path = mkdtempSync(join(tmpdir(), 'web-built-'))
  t.after(() => rmSync(path, { recursive: true }))
  if (isBuilt) writeBuild(path)
  return pathToFileURL(`${path}/`)
}

function writeBuild(path: string): void {
  mkdirSync(join(path, 'assets'))
  const files = {
    'index.html': index,
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/main-a1b2.js': script,
    'assets/main-a1b2.js.br': brotliCompressSync(script),
    'assets/main-a1b2.js.gz': gzipSync(script),
    'assets/small-c3.css': 'p {}',
  }
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(path, name), contents)
}

async function servePages(
  t: TestContext,
  { isBuilt = true, ...more }: { isBuilt?: boolean } & Parameters<typeof serveWorkspace>[0] = {},
): Promise<ServedWorkspace> {
  const served = await serveWorkspace({
    ...more,
    listen: { ...more.listen, webFolder: buildFolder(t, isBuilt) },
  })
  t.after(() => served.close())
  return served
}

/** A GET with its path unmodified and its body undecoded. */
function raw(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, any>; body: Buffer }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path, headers }, (response) => {
      const parts: Buffer[] = []
      response
        .on('data', (part) => parts.push(part))
        .on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        )
    }).on('error', reject)
  })
}

test('every app path serves the app under a policy that allows only its own files and styles', async (t) => {
  const served = await servePages(t)
  const nonces = new Set<string>()
  for (const path of [
    '/',
    '/sign-in',
    '/settings/integrations/api-keys',
    '/tasks/ENG-1?x=1',
    '/activity/',
    ...[...appSegments()].map((name) => `/${name}/deep/er`),
  ]) {
    const { status, headers, text } = await served.ask('GET', path, pageRequest)
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.deepEqual(
      [
        headers.get('cache-control'),
        headers.get('cross-origin-opener-policy'),
        headers.get('referrer-policy'),
        headers.get('x-content-type-options'),
        headers.get('cross-origin-resource-policy'),
      ],
      [
        'no-store',
        path.startsWith('/connect/') ? null : 'same-origin', // programs open it in a window that must keep its opener
        'no-referrer',
        'nosniff',
        'same-origin',
      ],
    )
    const nonce = /<meta name="csp-nonce" content="([^"]{20,})">/.exec(text)![1]!
    assert.equal(
      headers.get('content-security-policy'),
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; media-src 'self' blob:; worker-src 'self'`,
    )
    assert.ok(!text.includes('__NONCE__') && !nonces.has(nonce))
    nonces.add(nonce)
  }
  const head = await served.ask('HEAD', '/settings', pageRequest)
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('existing endpoints are still served, and unknown paths remain 404', async (t) => {
  const served = await servePages(t)
  assert.match(
    (await served.ask('GET', '/', { key: undefined })).text,
    /Reference of the REST API/,
    'for callers that do not request a page',
  )
  for (const path of [
    '/nothing',
    '/taskss',
    '/Tasks',
    '//tasks',
    '/tasks.html',
    '/assets',
    '/assets/',
    '/favicon.ico',
    '/p/none',
    '/f/none',
    '/s/none',
    '/exports/none',
    '/index.html',
    '/web/nothing',
    '/api/nothing',
  ]) {
    assert.notEqual(
      (await served.ask('GET', path, pageRequest)).headers.get('cross-origin-opener-policy'),
      'same-origin',
      path,
    )
    assert.ok((await served.ask('GET', path, pageRequest)).status >= 400, path)
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.equal(
      (await served.ask(method, '/settings', { ...pageRequest, body: {} })).status,
      404,
      method,
    )
  assert.match((await served.ask('GET', '/setup', pageRequest)).text, /This link does not work/)
})

test('app paths do not collide with other endpoints', () => {
  const served = [
    'api',
    'mcp',
    'sse',
    'messages',
    'web',
    'exports',
    'setup',
    'setup.css',
    'healthz',
    'readyz',
    'metrics',
    'assets',
    'icons',
    'oauth',
    'sso',
    'scim',
    ...modules
      .flatMap((module) => module.places ?? [])
      .map((openPlace) => openPlace.path.split('/')[1]!),
  ]
  assert.ok(served.includes('p') && served.includes('f'))
  assert.deepEqual(
    [...appSegments()].filter((name) => served.includes(name)),
    [],
  )
})

test('files are sent as stored or compressed, cached forever, and answered with 304 when cached', async (t) => {
  const { url } = await servePages(t)
  const path = '/assets/main-a1b2.js'
  const [plain, br, gzip] = await Promise.all(
    ['identity', 'gzip, br', 'br;q=0.1, gzip'].map((coding) =>
      raw(url, path, { 'accept-encoding': coding }),
    ),
  )
  for (const item of [plain!, br!, gzip!]) {
    const {
      'content-type': type,
      'cache-control': cache,
      vary,
      'x-content-type-options': sniff,
      'cross-origin-resource-policy': corp,
    } = item.headers
    assert.deepEqual(
      [item.status, type, cache, vary, sniff, corp],
      [
        200,
        'text/javascript; charset=utf-8',
        'public, max-age=31536000, immutable',
        'accept-encoding',
        'nosniff',
        'same-origin',
      ],
    )
  }
  assert.deepEqual(
    [plain!, br!, gzip!].map((item) => item.headers['content-encoding']),
    [undefined, 'br', 'gzip'],
  )
  assert.deepEqual(
    [
      plain!.body.toString(),
      brotliDecompressSync(br!.body).toString(),
      gunzipSync(gzip!.body).toString(),
    ],
    [script, script, script],
  )
  assert.equal(new Set([plain!, br!, gzip!].map((item) => item.headers.etag)).size, 3)
  const again = await raw(url, path, {
    'accept-encoding': 'br',
    'if-none-match': `"x", ${br!.headers.etag}`,
  })
  assert.deepEqual(
    [again.status, again.body.length, again.headers.etag, again.headers['cache-control']],
    [304, 0, br!.headers.etag, 'public, max-age=31536000, immutable'],
  )
  assert.equal(
    (await raw(url, path, { 'accept-encoding': 'gzip', 'if-none-match': br!.headers.etag })).status,
    200,
  )
  const head = await fetch(url + path, { method: 'HEAD' })
  assert.deepEqual(
    [head.status, head.headers.get('content-type'), await head.text()],
    [200, 'text/javascript; charset=utf-8', ''],
  )
  const css = await raw(url, '/assets/small-c3.css', { 'accept-encoding': 'br' })
  assert.deepEqual(
    [css.headers['content-type'], css.headers['content-encoding'], css.body.toString()],
    ['text/css; charset=utf-8', undefined, 'p {}'],
  )
  const icon = await raw(url, '/icon.svg')
  assert.deepEqual(
    [icon.headers['content-type'], icon.headers['cache-control']],
    ['image/svg+xml', 'no-cache'],
  )
  assert.match(icon.headers['content-security-policy'], /default-src 'none'/)
})

test('only files of the build are sent, under their exact names', async (t) => {
  const { url } = await servePages(t)
  const paths = [
    '/assets/../../package.json',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/main-a1b2.js.br',
    '/assets/main-a1b2.js.gz',
    '/assets/main-a1b2.js/',
    '/assets//main-a1b2.js',
    '/assets/..\\index.html',
    '/assets/main-a1b2.js%00',
    '/assets/__proto__',
    '/constructor',
  ]
  for (const path of paths)
    assert.equal((await raw(url, path, { 'accept-encoding': 'br' })).status, 404, path)
})

test('a page and its files stay consistent when a new build appears while the server runs', async (t) => {
  const web = buildFolder(t, true)
  const served = await serveWorkspace({ listen: { webFolder: web } })
  t.after(() => served.close())
  await served.ask('GET', '/settings', pageRequest)
  rmSync(new URL('assets/', web), { recursive: true })
  assert.equal((await served.ask('GET', '/assets/main-a1b2.js')).status, 200)
})

test('without a build the pages explain how to create one, and it is used as soon as it exists', async (t) => {
  const web = buildFolder(t, false)
  const served = await serveWorkspace({ listen: { webFolder: web } })
  t.after(() => served.close())
  for (const path of ['/', '/settings/sessions']) {
    const { status, text } = await served.ask('GET', path, pageRequest)
    assert.equal(status, 200)
    assert.match(text, /The web app is not built yet: run <code>npm run build<\/code>/)
  }
  assert.doesNotMatch((await served.ask('GET', '/', { key: undefined })).text, /npm run build/)
  assert.equal((await served.ask('GET', '/nothing', pageRequest)).status, 404)
  writeBuild(web.pathname)
  assert.match((await served.ask('GET', '/', pageRequest)).text, /The app/)
})

test('pages and files do not count against the rate limit of the address; unknown paths do', async (t) => {
  const served = await servePages(t, { settings: { limits: true, rate_address: 3 } })
  for (let i = 0; i < 6; i++)
    for (const path of ['/', '/settings', '/assets/small-c3.css'])
      assert.equal((await served.ask('GET', path, pageRequest)).status, 200)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++)
    statuses.push((await served.ask('GET', '/nothing', pageRequest)).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [404, 429])
})

test('over TLS browsers receive HSTS', async (t) => {
  const certificate = makeCertificate()
  t.after(() => certificate.remove())
  const served = await servePages(t, {
    listen: { certificate: { cert: certificate.cert, key: certificate.key } as never },
  })
  const session = connect(served.url, { ca: certificate.cert })
  const headers = await new Promise<Record<string, unknown>>((resolve) =>
    session.request({ ':path': '/settings' }).resume().on('response', resolve),
  )
  session.destroy()
  assert.deepEqual(
    [headers[':status'], headers['strict-transport-security']],
    [200, 'max-age=31536000'],
  )
})

test('a browser runs the app under that policy: its files, styles by nonce, and no inline scripts', {
  skip: noChromium,
}, async (t) => {
  const served = await servePages(t)
  const browser = await openChromium()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${served.url}/settings`)
  await page.waitForSelector('body[data-ran]')
  const seen = await page.evaluate(() => {
    const dom = globalThis as any
    return {
      inline: dom.document.body.dataset.inline as string | undefined,
      color: dom.getComputedStyle(dom.document.querySelector('p')).color as string,
    }
  })
  assert.deepEqual(seen, { inline: undefined, color: 'rgb(1, 2, 3)' })
})

test('a path shared with an operation serves the app to page requests without a key', async (t) => {
  const served = await servePages(t)
  const path = '/files/fil_00000000000000000000000000'
  assert.match((await served.ask('GET', path, pageRequest)).text, /<title>The app<\/title>/)
  assert.equal((await served.ask('GET', path, { key: undefined })).status, 401)
  assert.equal(
    (await served.ask('GET', path, { headers: pageRequest.headers })).json.code,
    'not_found',
  )
  assert.equal((await served.ask('GET', '/api/tasks/ENG-1', pageRequest)).status, 401)
  assert.equal((await served.ask('POST', path, pageRequest)).status, 401)
})
