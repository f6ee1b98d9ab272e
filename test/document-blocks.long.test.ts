import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { waitLimitMs } from '../src/testing/limits.ts'
import { leading, program, scratch } from '../src/testing/process.ts'
import {
  isAsShown,
  outputs,
  readWritten,
  scriptOf,
  type DocumentInstance,
  type WrittenDocument,
} from '../src/testing/document-blocks.ts'

// Runs every block marked `sh` in the documents, document by document, each in a new empty home. A document's first
// line describes its instance; the comment before a block explains why it is skipped.

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = [
  'README.md',
  ...globSync('docs/**/*.md', {
    cwd: root,
    exclude: ['docs/decisions/**', 'docs/reference/**'],
  }).sort(),
].map((path) => ({ path, written: readWritten(readFileSync(join(root, path), 'utf8')) }))
const languages = [
  'sh',
  'text',
  'json',
  'js',
  'ts',
  'sql',
  'yaml',
  'nginx',
  'caddy',
  'ini',
  'toml',
  'dockerfile',
  'mermaid',
  'markdown',
  'python',
  'diff',
]

/** Each with its reason, so that additions are noticed. */
const notRun = [
  'README.md: needs a release archive; the tests of install.sh do the same with one that they make',
  'README.md: installs and builds this checkout; .ci/run does so',
  'README.md: Claude Code is another program; that we print this line for it is tested',
  'README.md: the whole suite, of which this is a part',
  "docs/accounts.md: the servers of mail and calendars are others'",
  'docs/common-changes.md: needs the sources; test/walkthroughs.long.test.ts runs it in a copy of them',
  'docs/common-changes.md: needs the sources; test/walkthroughs.long.test.ts runs it in a copy of them',
  'docs/common-changes.md: needs the sources; test/walkthroughs.long.test.ts runs it in a copy of them',
  'docs/connect.md: Claude Code is another program; that we print this line for it is tested',
  'docs/connect.md: Codex is another program; that we print this line for it is tested',
  'docs/connect.md: Gemini CLI is another program; that we print this line for it is tested',
  'docs/deploying.md: needs nginx, root and a certificate',
  'docs/deploying.md: needs Caddy, and a name that leads to this machine',
  'docs/deploying.md: needs Docker',
  'docs/deploying.md: needs Docker',
  'docs/deploying.md: needs Docker',
  'docs/deploying.md: needs Docker',
  'docs/deploying.md: needs a cluster',
  'docs/deploying.md: needs a PostgreSQL server',
  'docs/deploying.md: needs Litestream and a place for the copy',
  'docs/deploying.md: needs Litestream and its copy',
  'docs/importing.md: needs the export of a Slack workspace',
  'docs/install.md: needs a release archive; test/install.long.test.ts does the same with one that it makes',
  'docs/install.md: installs and builds this checkout; .ci/run does so',
  'docs/install.md: needs root and systemd',
  'docs/install.md: needs root and systemd',
  'docs/install.md: needs root and systemd',
  'docs/install.md: needs root and systemd',
  'docs/install.md: needs root and systemd',
  'docs/install.md: needs root, systemd and a newer version',
  'docs/install.md: would remove what the other documents run',
  "docs/notifications.md: the mail server is another one's",
  'docs/operating.md: a certificate is given to a name on the internet',
  'docs/quick-start.md: needs a release archive; the tests of install.sh do the same with one that they make',
  'docs/quick-start.md: installs and builds this checkout; .ci/run does so',
  'docs/quick-start.md: the tests of the command run it',
  'docs/quick-start.md: Claude Code is another program; that we print this line for it is tested',
  'docs/releasing.md: it builds the checkout that it is called in, for a minute or more',
  'docs/releasing.md: it builds the checkout that it is called in once more',
  'docs/rest.md: fetches a package from the registry',
  'docs/search-provider.md: Ollama is another program',
  'docs/search-reranker.md: llama.cpp is another program',
  'docs/webhooks.md: the address that is called has to be one of yours',
  'docs/writing-an-operation.md: needs the sources; test/walkthroughs.long.test.ts runs it in a copy of them',
]

const { dir, remove } = scratch()
const bin = join(dir, 'bin')
const servers: ChildProcess[] = []
after(() => {
  for (const server of servers) server.kill('SIGKILL')
  remove()
})

/** A home directory, and the environment of its commands. */
interface Home {
  folder: string
  /** File in which the test's programs record the processes they started. */
  notes: string
  env: NodeJS.ProcessEnv
  url: string
  key: string
}

let homes = 0
function newHome(): Omit<Home, 'url' | 'key'> {
  const place = join(dir, `${homes++}`)
  const folder = join(place, 'home')
  const notes = join(place, 'notes')
  const TMPDIR = join(place, 'tmp')
  for (const name of [folder, notes, TMPDIR]) mkdirSync(name, { recursive: true })
  // Makes curl fail on refused requests, like every other error.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  return {
    folder,
    notes,
    env: {
      HOME: folder,
      PATH: `${bin}:${process.env.PATH}`,
      TMPDIR,
      NOTES: notes,
      LANG: 'C.UTF-8',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      WORKSPACE_LIMITS: 'no',
    },
  }
}

/** The command `workspace` as used in documents. Servers run in the background, and created keys are recorded. */
function makeCommand(): void {
  const quoted = [program, ...leading].map((name) => `'${name}'`).join(' ')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'workspace'),
    `#!/bin/sh
case "$* " in
'serve '* | 'demo '*'--serve '*) exec '${process.execPath}' '${join(root, 'src/testing/background.ts')}' "$NOTES" ${quoted} "$@" ;;
'keys create '*) ${quoted} "$@" > "$NOTES/printed" || exit; cat "$NOTES/printed"; grep -om1 'svc_[0-9A-Za-z]\\{20,\\}' "$NOTES/printed" > "$NOTES/key" ;;
*) exec ${quoted} "$@" ;;
esac
`,
    { mode: 0o755 },
  )
}

interface Ran {
  code: number | null
  printed: string
}

/** Runs a script in a home; returns its output, with the lines of both streams in order. */
function bash(
  { folder, env }: Pick<Home, 'folder' | 'env'>,
  script: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const file = join(env.TMPDIR!, 'script')
  writeFileSync(file, script)
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', `exec 2>&1; . '${file}'`], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: waitLimitMs,
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part))
    child.on('close', (code) => resolve({ code, printed }))
  })
}

/** Initial contents of homes with a workspace; created once. */
const templates: {
  [K in Exclude<DocumentInstance, 'none'>]?: Promise<{ folder: string; key: string }>
} = {}
const beginnings: Record<Exclude<DocumentInstance, 'none'>, string> = {
  fresh:
    'workspace orgs create --name Acme && workspace users create --email ann@acme.example --name Ann --admin && workspace keys create --user ann@acme.example --name documents',
  demo: 'workspace demo --keys',
}

async function template(
  instance: Exclude<DocumentInstance, 'none'>,
): Promise<{ folder: string; key: string }> {
  const home = newHome()
  const { code, printed } = await bash(home, beginnings[instance])
  assert.equal(code, 0, printed)
  return { folder: home.folder, key: /svc_\w{20,}/.exec(printed)![0] }
}

async function homeFor(instance: DocumentInstance): Promise<Home> {
  const home = newHome()
  if (instance === 'none') {
    const port = await freePort()
    return {
      ...home,
      env: { ...home.env, WORKSPACE_PORT: `${port}` },
      url: `http://127.0.0.1:${port}`,
      key: `$(cat '${home.notes}/key')`,
    }
  }
  const { folder, key } = await (templates[instance] ??= template(instance))
  cpSync(folder, home.folder, { recursive: true })
  const url = await serveIn(home)
  return {
    ...home,
    env: {
      ...home.env,
      WORKSPACE_URL: url,
      WORKSPACE_KEY: key,
      WORKSPACE_PORT: `${await freePort()}`,
    },
    url,
    key,
  }
}

async function serveIn({ env }: Pick<Home, 'env'>): Promise<string> {
  const child = spawn(program, [...leading, 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  servers.push(child)
  for await (const line of createInterface({ input: child.stdout }))
    return (JSON.parse(line) as { url: string }).url
  throw new Error('The server ended before it listened.')
}

/** A port that is not assigned automatically and not in use. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
        .once('error', () => resolve(false))
        .listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

async function runDocument(
  path: string,
  written: WrittenDocument,
  instance: DocumentInstance,
): Promise<void> {
  const home = await homeFor(instance)
  const fill = (text: string) =>
    text.replaceAll(/https:\/\/work\.example\.org|http:\/\/127\.0\.0\.1:8787/g, home.url)
  try {
    const { code, printed } = await bash(
      home,
      scriptOf(written, (line) => fill(line).replaceAll('svc_…', home.key)),
    )
    const failed = /\n\x1d(\d+)\x1f([^\x1d\x1e]*?)\n/.exec(printed)
    const output = outputs(printed)
    assert.equal(
      code,
      0,
      `${path}:${failed?.[1]}: ${failed?.[2]}\n${[...output.values()].at(-1)?.split('\n\x1d')[0]}`,
    )
    for (const [block, shown] of written.outputOf) {
      const real = output.get(block.line)!
      assert.ok(
        isAsShown(real, { ...shown, lines: shown.lines.map(fill) }),
        `${path}:${shown.line} shows what line ${block.line} does not print. It prints:\n${real}`,
      )
    }
  } finally {
    endServerOf(home)
  }
}

/** Stops the server that the document itself started, if any. */
function endServerOf({ notes }: Home): void {
  const file = join(notes, 'pid')
  if (!existsSync(file)) return
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended by itself
  }
}

test('every block declares its language', () => {
  const wrong = documents.flatMap(({ path, written }) =>
    written.blocks
      .filter(
        (block) =>
          !languages.includes(block.language) ||
          (block.notRun !== undefined && block.language !== 'sh'),
      )
      .map((block) => `${path}:${block.line}: ${block.language || 'no language'}`),
  )
  assert.deepEqual(wrong, [])
})

test('only the listed blocks are not run', () => {
  const unrunBlocks = documents.flatMap(({ path, written }) =>
    written.blocks.flatMap((block) =>
      block.notRun === undefined ? [] : [`${path}: ${block.notRun}`],
    ),
  )
  assert.deepEqual(unrunBlocks, notRun)
})

test('a failing document is reported with line, command and output; so is one that shows output that is not printed', async () => {
  const inLines = (...lines: string[]) => runDocument('x.md', readWritten(lines.join('\n')), 'none')
  await assert.rejects(
    inLines('', '```sh', 'echo fine', 'echo trouble; false', '```'),
    /x\.md:4: false\nfine\ntrouble\n/,
  )
  await assert.rejects(
    inLines('', '```sh', 'curl http://127.0.0.1:8787', '```'),
    /x\.md:3: curl .*\ncurl: \(7\)/,
  )
  await assert.rejects(
    inLines('', '<!-- refused -->', '```sh', 'true', '```'),
    /x\.md:3: this should have been refused/,
  )
  await assert.rejects(
    inLines('', '```sh', 'echo one two three', '```', '', '```text', 'one … four', '```'),
    /x\.md:6 shows what line 2 does not print[^]*one two three/,
  )
  await inLines(
    '',
    '```sh',
    'export A=5',
    '```',
    '<!-- refused -->',
    '```sh',
    'false',
    '```',
    '',
    '```sh',
    'echo "{$A}"',
    '```',
    '```json',
    '{',
    '  5 }',
    '```',
  )
})

describe('commands in the documents work', { concurrency: 2 }, () => {
  makeCommand()
  for (const { path, written } of documents) {
    if (written.run.length === 0) continue
    test(path, async () => {
      assert.ok(
        written.instance,
        `${path}:1 does not name its instance: <!-- instance: none | fresh | demo -->`,
      )
      await runDocument(path, written, written.instance)
    })
  }
})
