import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdtempSync,
  globSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

// `npm run dev` in a copy of the sources: a changed source is served at the same address after a restart, and both
// servers end with the command.

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'workspace-dev-'))

before(() => {
  for (const entryName of ['src', 'tools', 'package.json', 'tsconfig.json', 'schema.sql'])
    cpSync(join(root, entryName), join(copy, entryName), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
after(() => rmSync(copy, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Retries until the answer is the expected one; there is none while the server starts. */
async function answers(url: string, expected: (text: string) => boolean): Promise<void> {
  for (;;) {
    const text = await fetch(url).then(
      (response) => response.text(),
      () => '',
    )
    if (expected(text)) return
    await setTimeout(50)
  }
}

test('the server responds again after a source change, and stops with the command', async (t) => {
  const [port, webPort] = [await freePort(), await freePort()]
  const options = ['--port', `${port}`, '--web-port', `${webPort}`, '--data', join(copy, 'dev')]
  const dev = spawn(process.execPath, ['tools/dev.ts', ...options], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => dev.kill('SIGTERM'))
  const ended = once(dev, 'exit')
  const [line] = (await once(dev.stdout.setEncoding('utf8'), 'data')) as [string]
  assert.match(
    line,
    new RegExp(`^Web app http://127\\.0\\.0\\.1:${webPort}/ .*:${port} .* sign in`),
  )
  const document = `http://127.0.0.1:${port}/api/openapi.json`
  await answers(document, (text) => text.includes('Labels of the organization with usage counts'))
  await answers(`http://127.0.0.1:${webPort}/`, (text) => text.includes('/main.tsx'))
  for (const file of globSync('**/*.ts', { cwd: join(copy, 'src/web/api') })) {
    const { status } = await fetch(`http://127.0.0.1:${webPort}/api/${file}`)
    assert.equal(status, 200, `/api/${file} is a source of the web app`)
  }

  const source = join(copy, 'src/modules/labels/labels.ts')
  const text = readFileSync(source, 'utf8')
  writeFileSync(source, text.replace('Labels of the organization with', 'Colorful labels with'))
  await answers(document, (text) => text.includes('Colorful labels with usage counts'))

  // the next server has been loaded meanwhile; a source with an error does not end the command
  await setTimeout(10_000)
  writeFileSync(source, text.replace('Labels of the organization with', 'Green labels with'))
  await answers(document, (text) => text.includes('Green labels with usage counts'))
  writeFileSync(source, `${text}\nconst unfinished = {`)
  await answers(document, (text) => text === '')
  writeFileSync(source, text.replace('Labels of the organization with', 'Blue labels with'))
  await answers(document, (text) => text.includes('Blue labels with usage counts'))

  dev.kill('SIGINT')
  await ended
  await assert.rejects(fetch(document))
  await assert.rejects(fetch(`http://127.0.0.1:${webPort}/`))
})
