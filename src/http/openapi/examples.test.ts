import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Database from 'better-sqlite3'
import { modules } from '../../modules/index.ts'
import { entryOf } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { AnyItemParam, defaultPrefix } from '../../records/items.ts'
import { resourceByPrefix } from '../../records/resource.ts'
import { scratch, serve, workspaceJson, type Served } from '../../testing/process.ts'
import { exampleId } from './example-bodies.ts'
import { exampleOf } from './examples.ts'

// Sends every example of the document to a server with the demo data, as an administrator.

const { dir, remove } = scratch()
let server: Served
let key: string
let database: Database.Database

before(async () => {
  await workspaceJson('demo', '--data', dir)
  const keyOptions = ['--user', 'mia@demo-studio.example', '--name', 'Examples', '--admin']
  key = (await workspaceJson('keys', 'create', '--data', dir, ...keyOptions)).key
  server = await serve(dir)
  database = new Database(join(dir, 'workspace.db'), { readonly: true })
})
after(async () => {
  database?.close()
  if (server) await server.end('SIGKILL')
  remove()
})

/** Ids of rows with a prefix, oldest first. */
function idsOf(prefix: string): string[] {
  const table = resourceByPrefix(prefix)?.table
  if (table === undefined) return []
  const rows = database.prepare(`SELECT id FROM "${table}" ORDER BY id LIMIT 60`).all()
  return (rows as { id: string }[]).map(({ id }) => id)
}

/** The id prefix for a path argument. */
function prefixOf({ schemas }: Entry, name: string): string | undefined {
  const param = schemas.params.find(({ wire }) => wire === name)?.param
  if (!param) return undefined
  return param instanceof AnyItemParam ? defaultPrefix(param) : param.resource.definition.prefix
}

const placeholder = new RegExp(`"([a-z]{3})${exampleId('')}"`, 'g')

/** Sends the example with rows of the required kinds, from the nth on. */
async function send(entry: Entry, example: object, n: number): Promise<Response> {
  const [method, path] = entry.operation.rest.split(' ') as [string, string]
  const properties = entry.schemas.inputJson.properties as Record<string, { enum?: string[] }>
  const row = (prefix: string, at: number) => {
    const ids = idsOf(prefix)
    return ids[at % Math.max(1, ids.length)]
  }
  let at = n
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = row(prefixOf(entry, name) ?? '', at++) ?? properties[name]?.enum?.[0] ?? 'none'
    return encodeURIComponent(id)
  })
  const body = JSON.stringify(example).replaceAll(placeholder, (id, prefix: string) =>
    JSON.stringify(row(prefix, at++) ?? JSON.parse(id)),
  )
  return fetch(server.url + url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
}

/**
 * Tries rows until one is accepted, since whether a change is allowed depends on the item. Returns the last answer if
 * none is.
 */
async function bestAnswer(entry: Entry, example: object): Promise<string> {
  let last = ''
  for (let n = 0; n < 12; n++) {
    const response = await send(entry, example, n)
    const text = await response.text()
    if (response.ok) return 'accepted'
    last = `${response.status} ${text}`
    if (response.status !== 400) continue
    const { message } = JSON.parse(text) as { message: string }
    last = `400 ${message}`
  }
  return last
}

/** Operations with incomplete examples: they also need an exported file or answers to the form's questions. */
const incomplete = new Set(['import_channels', 'import_pages', 'submit_form_response'])

test('every example is accepted by a populated workspace', async () => {
  const entries = modules.flatMap((module) =>
    module.operations
      .filter(({ rest }) => !/^(GET|DELETE) /.test(rest))
      .map((operation) => entryOf(module.name, operation)),
  )
  // Archived and closed items accept no changes, so these operations come last.
  const isEnding = ({ operation }: Entry) => /^(archive|close|complete)_/.test(operation.name)
  entries.sort((first, other) => Number(isEnding(first)) - Number(isEnding(other)))
  const answers = new Map<string, string>()
  for (const entry of entries) {
    const example = exampleOf(entry)
    if (example) answers.set(entry.operation.name, await bestAnswer(entry, example))
  }
  const refused = [...answers].filter(
    ([name, answer]) => answer.startsWith('400') && !incomplete.has(name),
  )
  assert.deepEqual(refused, [])
  const accepted = [...answers.values()].filter((answer) => answer === 'accepted')
  assert.ok(accepted.length > 120, `${accepted.length} of ${answers.size}`)
})
