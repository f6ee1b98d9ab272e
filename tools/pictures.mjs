// `npm run pictures`: regenerates the pictures of the documents (docs/images) from `workspace demo --serve` with
// Chromium, after some assistants have worked over MCP.

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { noChromium, openChromium } from '../src/testing/chromium.ts'
import { isBuilt } from './stamp.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = `${root}bin/workspace`
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

if (noChromium) fail(`The pictures are made with Chromium: ${noChromium}.`)
if (!isBuilt()) fail('There is no build of the sources as they are. Run npm run build')
const server = spawn(process.execPath, [launcher, 'demo', '--serve', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const tour = await greeting()
  await work(tour)
  await photograph(tour)
} finally {
  server.kill('SIGTERM')
}

function fail(why) {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

async function greeting() {
  for await (const line of createInterface({ input: server.stdout })) return JSON.parse(line)
  throw new Error('The tour ended before it listened.')
}

/** Simulates a morning's work of three assistants. */
async function work(tour) {
  const [mia] = tour.people
  const claude = assistant(tour, keyOf(tour, mia, 'Claude Code on my laptop'), 'claude-code')
  const mails = assistant(
    tour,
    keyOf(tour, mia, 'Mail assistant', '--hold-outbound'),
    'inbox-helper',
  )
  const reports = assistant(tour, keyOf(tour, mia, 'Weekly report', '--read-only'), 'report-maker')
  await reports('get_project_summary', { project_id: 'WEB' })
  await reports('list_goals')
  const { items: waiting } = await mails('list_email_threads', { awaiting: 'me' })
  const { messages } = await mails('get_email_thread', { thread_id: waiting[0].id })
  await mails('reply_to_email', {
    email_id: messages.at(-1).id,
    body_markdown:
      'Thank you. The numbers of October are attached to the task; those of November follow on Monday.\n\nMia',
  })
  await claude('search_workspace', { query: 'old addresses of the site' })
  const { items: tasks } = await claude('list_tasks', {
    project_id: 'WEB',
    assignee: 'me',
    overdue: true,
  })
  const task_id = tasks[0].key
  await claude('get_task', { task_id })
  await claude('update_task', { task_id, status: 'In review' })
  await claude('add_task_comment', {
    task_id,
    body_markdown:
      'All **412** addresses have a new one now. 31 of them lead to the front page, because their post is gone.',
  })
  const { key } = await claude('create_task', {
    project_id: 'WEB',
    title: 'Look at the 31 addresses that lead to the front page',
    assignee_ids: ['me'],
    priority: 'medium',
  })
  await claude('add_task_dependency', { task_id: key, other_task_id: task_id })
  await claude('send_message', {
    channel_id: '#website',
    body_markdown: `The list of old addresses is in review (${task_id}). Tom, you can begin with the redirects.`,
  })
}

function keyOf({ data }, { email }, name, ...more) {
  return JSON.parse(
    execFileSync(
      process.execPath,
      [
        launcher,
        'keys',
        'create',
        '--user',
        email,
        '--name',
        name,
        ...more,
        '--data',
        data,
        '--json',
      ],
      { encoding: 'utf8' },
    ),
  ).key
}

/** Calls tools like an assistant's program. A call held for approval is not an error. */
function assistant({ mcp_url }, key, name) {
  let id = 0
  return async (tool, args = {}) => {
    const answer = await fetch(mcp_url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: ++id,
        method: 'tools/call',
        params: {
          name: tool,
          arguments: args,
          _meta: { ...envelope, 'io.modelcontextprotocol/clientInfo': { name, version: '1' } },
        },
      }),
    })
    const { result, error } = await answer.json()
    if (error || (result.isError && result.structuredContent.code !== 'approval_required'))
      throw new Error(`${tool}: ${JSON.stringify(error ?? result.structuredContent)}`)
    return result.structuredContent
  }
}

async function photograph({ url, password, people: [mia] }) {
  const folder = `${root}docs/images`
  mkdirSync(folder, { recursive: true })
  const browser = await openChromium()
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const signIn = await context.request.post(`${url}/web/sign-in`, {
    data: { email: mia.email, password },
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  if (!signIn.ok()) throw new Error(await signIn.text())
  const page = await context.newPage()
  for (const [name, place] of [
    ['activity', '/activity'],
    ['keys', '/settings/integrations/api-keys'],
  ]) {
    await page.goto(url + place)
    await page.getByRole('main').waitFor()
    await page.waitForFunction(
      () => !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root'),
    )
    await page.screenshot({ path: `${folder}/${name}.png` })
  }
  await browser.close()
}
