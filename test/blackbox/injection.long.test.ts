import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sanitizeFileName } from '../../src/kernel/text/file-names.ts'
import { injections } from '../../src/testing/blackbox/hostile.ts'
import { least, placed, textPlaces, type JsonPath } from '../../src/testing/blackbox/places.ts'
import {
  inLanes,
  restOf,
  send,
  toolCallOf,
  type RawResponse,
  type Arguments,
  type Door,
} from '../../src/testing/blackbox/requests.ts'
import { serveBlackBox } from '../../src/testing/blackbox/server.ts'
import { surfaceOf, type Offered } from '../../src/testing/blackbox/surface.ts'
import { deafHost, plant, use, type Things } from '../../src/testing/blackbox/things.ts'
import { flawOf, rpcFlawOf } from '../../src/testing/blackbox/verdict.ts'
import { isExecutable } from '../../src/testing/process.ts'
import type { RequestableWorkspace } from '../../src/testing/server.ts'

// Syntax of SQL, the word index, paths, headers, templates and prototypes, in every text of every operation: it finds
// what a nonexistent harmless word finds, changes what such a word changes, and is stored unchanged.

const harmless = 'zqxharmless'
const everyNth = Number(process.env.BLACKBOX_EVERY ?? 12)
const loose = ['title', 'status', 'query']

let served: RequestableWorkspace
let door: Door
let offered: Offered[]
let planted: Things

before(async () => {
  served = await serveBlackBox()
  door = { url: served.url, key: (await served.keyFor(served.ann, { adminGrant: true })).key }
  offered = await surfaceOf(door)
  planted = await plant(door, 'planted', 'INJ')
})
after(() => served.close())

/** Arguments with which an operation processes a text, including ids of existing items. */
function around(op: Offered): Arguments {
  const ids: Arguments = {
    project_id: planted.project![0],
    task_id: planted.task![0],
    other_task_id: planted.task![1],
    person_id: planted.person![0],
    sprint_id: planted.sprint![0],
    milestone_id: planted.milestone![0],
    label_id: planted.label![0],
    team_id: planted.team![0],
    field_id: planted.custom_field![0],
    view_id: planted.saved_view![0],
    template_id: planted.task_template![0],
    comment_id: planted.comment![0],
    attachment_id: planted.attachment![0],
    key_id: planted.api_key![0],
    webhook_id: planted.webhook![0],
    time_off_id: planted.time_off![0],
  }
  const args = least(op)
  return {
    ...args,
    ...Object.fromEntries(Object.entries(ids).filter(([name]) => name in args)),
    ...(op.name === 'create_webhook' ? { url: `http://${deafHost}/` } : {}),
    ...(op.name === 'create_upload_session' ? { size_bytes: 3 } : {}), // the drive has room for it
  }
}

/** Counts the items in an answer. */
function shown({ status, json }: RawResponse): number | undefined {
  const { items, total } = (json ?? {}) as { items?: unknown[]; total?: number }
  return status < 300 ? (items?.length ?? total) : undefined
}

/**
 * True if a search matches only by the text: each hit contains it, or it has words, and they match the same without
 * the characters between them.
 */
async function isMeant(
  op: Offered,
  args: Arguments,
  [name]: JsonPath,
  text: string,
  answer: RawResponse,
): Promise<boolean> {
  const { items } = answer.json as { items: unknown[] }
  if (
    items.every((item) =>
      JSON.stringify(item)
        .toLowerCase()
        .includes(JSON.stringify(text.trim().toLowerCase()).slice(1, -1)),
    )
  )
    return true
  const words = text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  if (words === '' && op.name !== 'search_tools') return false // the tools are no secret: who asks for none in particular is shown all
  return (
    shown(await send(door, restOf(op, { ...args, [String(name)]: words || undefined }))) ===
    items.length
  )
}

/** True if a place accepts search words. */
function asksInWords({ name }: Offered, place: JsonPath): boolean {
  return (
    place[0] === 'query' ||
    (name === 'find_experts' && place[0] === 'topic') ||
    (name === 'find_related_items' && place[0] === 'text')
  )
}

/** The one text that `fields` accepts besides field names: all of them. */
function isAllFields(place: JsonPath, text: string): boolean {
  return place[0] === 'fields' && text.trim() === '*'
}

/** Counts the items that a call changed. */
function changed({ headers }: RawResponse): number {
  return served.app.store.raw.read
    .prepare('SELECT count(*) FROM changes WHERE call_id = ?')
    .pluck()
    .get(String(headers['x-call-id'])) as number
}

/** The places of operations of a kind, each with the texts to try; all texts are covered over all places. */
function trials(
  isMeant: (op: Offered) => boolean,
  every: number,
): { op: Offered; place: JsonPath; texts: string[] }[] {
  const places = offered
    .filter(isMeant)
    .flatMap((op) => textPlaces(op, loose).map((place) => ({ op, place })))
  const isSent = (op: Offered, place: JsonPath, text: string) =>
    !(op.inPath.includes(String(place[0])) && /^\.\.?$/.test(text)) // in an address, these are steps to another one
  return places.map(({ op, place }, i) => ({
    op,
    place,
    texts: injections.filter(
      (text, j) => isSent(op, place, text) && (place[0] === 'query' || (i + j) % every === 0),
    ),
  }))
}

test('reads with hostile text find the same as with an unknown word', async () => {
  const wrong: string[] = []
  let requestCount = 0
  const before = tables()
  await inLanes(
    trials((op) => op.kind === 'read', everyNth),
    8,
    async ({ op, place, texts }) => {
      const args = around(op)
      const none = await send(door, restOf(op, placed(op, args, place, harmless)))
      for (const text of texts) {
        const about = `${op.name}(${place.join('.')} = ${JSON.stringify(text)})`
        const answer = await send(door, restOf(op, placed(op, args, place, text)))
        requestCount++
        const flaw = flawOf(answer)
        if (flaw) wrong.push(`${about}: ${flaw}`)
        else if (
          !isAllFields(place, text) &&
          answer.status < 300 &&
          (none.status >= 300 || shown(answer) !== shown(none)) &&
          !(asksInWords(op, place) && (await isMeant(op, args, place, text, answer)))
        )
          wrong.push(
            `${about}: ${answer.status} with ${shown(answer)}, a harmless word ${none.status} with ${shown(none)}`,
          )
        const rpcFlaw =
          requestCount % 4 === 0
            ? rpcFlawOf(await send(door, toolCallOf(op.name, placed(op, args, place, text))))
            : undefined
        if (rpcFlaw) wrong.push(`${about} over MCP: ${rpcFlaw}`)
      }
    },
  )
  assert.deepEqual(wrong, [])
  assert.ok(requestCount > 1000, `asked ${requestCount} times`)
  assert.deepEqual(tables(), before)
})

/**
 * Names and short texts are trimmed, project keys are in upper case, channel names in lower case, subjects on one
 * line, types in snake case; folder names follow file names; bodies are unchanged.
 */
function isKept(op: Offered, name: string, text: string, stored: string): boolean {
  if (name === 'path') return stored.startsWith(`/${text.replace(/^\/+|\/+$/g, '').trim()}/`) // the folders that were asked for, and the one below them
  if (name.endsWith('_markdown')) return stored === text
  return (
    stored === text ||
    stored === text.trim() ||
    (name === 'key' && stored === text.toUpperCase()) ||
    (name === 'name' && op.name.endsWith('_channel') && stored === text.trim().toLowerCase()) ||
    (op.name.endsWith('_folder') && stored === sanitizeFileName(text)) ||
    (name === 'subject' && stored === text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()) ||
    (name === 'type' &&
      stored ===
        text
          .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
          .replaceAll(/^_+|_+$/g, ''))
  )
}

test('writes with hostile text change the same as with a harmless word, and store it verbatim', async () => {
  const wrong: string[] = []
  let storedCount = 0
  let names = 0
  await inLanes(
    trials((op) => op.kind === 'write', everyNth * 2),
    8,
    async ({ op, place, texts }) => {
      const args = around(op)
      const uniqueArgs = () => ('name' in args ? { ...args, name: `Name ${names++}` } : args) // what has the same name may be the same thing
      const none = await send(door, restOf(op, placed(op, uniqueArgs(), place, harmless)))
      for (const text of texts) {
        const about = `${op.name}(${place.join('.')} = ${JSON.stringify(text)})`
        const answer = await send(door, restOf(op, placed(op, uniqueArgs(), place, text)))
        const flaw = flawOf(answer)
        if (flaw) wrong.push(`${about}: ${flaw}`)
        if (answer.status >= 300) continue
        if (
          none.status < 300 &&
          op.takesKey &&
          op.name !== 'start_timer' && // stops the timer that runs, whoever of the lanes started it
          place[0] !== 'path' &&
          changed(answer) !== changed(none)
        )
          wrong.push(
            `${about} changed ${changed(answer)} things, with a harmless word ${changed(none)}`,
          )
        const stored =
          place.length === 1
            ? (answer.json as Record<string, unknown>)[String(place[0])]
            : undefined
        if (typeof stored === 'string') storedCount++
        if (typeof stored === 'string' && !isKept(op, String(place[0]), text, stored))
          wrong.push(`${about} was kept as ${JSON.stringify(stored)}`)
      }
    },
  )
  assert.deepEqual(wrong, [])
  assert.ok(storedCount > 40, `${storedCount} texts were kept`)
})

test('stored hostile text is found as literal text', async () => {
  const wrong: string[] = []
  const words = injections.filter(
    (text) => /^[\x20-\x7e]{3,200}$/.test(text) && /[a-z]{3}/i.test(text),
  )
  await use(door, 'bulk_create_tasks', {
    project_id: 'INJ',
    tasks: words.slice(0, 100).map((title) => ({ title })),
  })
  for (const text of words.slice(0, 100)) {
    const { items } = (
      await send(door, {
        method: 'GET',
        path: `/api/tasks/search?query=${encodeURIComponent(text)}&limit=100`,
      })
    ).json as { items?: unknown[] }
    if (!items?.some((item) => JSON.stringify(item).includes(`"title":${JSON.stringify(text)}`)))
      wrong.push(`${JSON.stringify(text)} finds ${JSON.stringify(items).slice(0, 200)}`)
  }
  assert.deepEqual(wrong, [])
})

test('header values cannot inject further lines', async () => {
  for (const value of [
    'x%0d%0aX-Injected: 1',
    'x'.repeat(300),
    '"',
    "';--",
    '\u00e9',
    'x y',
    '*',
    'W/"1"',
    '"1", "2"',
    '"99999999999999999999"',
    '{{x}}',
  ]) {
    for (const name of [
      'idempotency-key',
      'if-match',
      'x-request-id',
      'user-agent',
      'accept',
      'accept-language',
      'mcp-session-id',
      'mcp-protocol-version',
      'last-event-id',
      'x-forwarded-for',
      'x-forwarded-host',
      'if-none-match',
    ]) {
      for (const request of [
        { method: 'PATCH', path: `/api/tasks/${planted.task![0]}`, body: '{"points":1}' },
        toolCallOf('get_me', {}),
      ]) {
        const answer = await send(door, {
          ...request,
          headers: { ...request.headers, [name]: value },
        })
        assert.ok(answer.status < 500, `${name}: ${value}: ${answer.status} ${answer.text}`)
        assert.equal(answer.headers['x-injected'], undefined)
        if (name === 'x-request-id') assert.notEqual(answer.headers['x-request-id'], value)
      }
    }
  }
})

/**
 * Snapshot of the database schema, and the number of rows per table except logs. Unlike the server in this process,
 * the executable also
 * works in the background (texts of files, uses of keys, notifications): for it, only items made by people are
 * counted, which have revisions.
 */
function tables(): unknown {
  const { read } = served.app.store.raw
  const names = read
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[]
  const logs = /^(calls|api_keys|sqlite_|search_|jobs|plan|usage|webhook_deliveries|audit)/
  const isCounted = (name: string) =>
    !logs.test(name) &&
    (!isExecutable ||
      (name !== 'notifications' &&
        read.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = 'revision'").get(name) !==
          undefined))
  return Object.fromEntries(
    names.map((name) => [
      name,
      isCounted(name) ? read.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() : undefined,
    ]),
  )
}
