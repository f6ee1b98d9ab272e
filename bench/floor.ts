// The baseline for the figures: bare node:http, key lookup in memory by SHA-256, one prepared statement,
// JSON.stringify.
// GET /list returns JSON of the shape and size of list_tasks from one flat table; POST /create makes one durable insert
// and returns the same JSON as create_task; GET /bytes returns a text from memory of the size of our tools/list.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Database from 'better-sqlite3'

const [, , file, bytes] = process.argv as [string, string, string, string]
const columns = [
  'id',
  'key',
  'title',
  'status',
  'status_category',
  'priority',
  'due_at',
  'created_at',
  'updated_at',
  'position',
  'revision',
  'project_id',
  'project_title',
  'project_key',
  'assignee_id',
  'assignee_title',
  'maker_id',
  'maker_title',
] as const
type Row = Record<(typeof columns)[number], string>

const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(
  `CREATE TABLE item (${columns.join(', ')}, PRIMARY KEY (id)); CREATE INDEX item_by ON item (project_id, status_category, updated_at, id)`,
)
const insert = db.prepare(`INSERT INTO item VALUES (${columns.map(() => '?').join(', ')})`)
const list = db.prepare(
  "SELECT * FROM item WHERE project_id = 'p0' AND status_category = 'todo' ORDER BY updated_at DESC, id DESC LIMIT 21",
)
const keys = new Map([[createHash('sha256').update('Bearer svc_floor').digest('base64'), 'me']])
const text = JSON.stringify({ text: 'x'.repeat(Number(bytes)) })
let createdCount = 0

db.transaction(() => {
  for (let i = 0; i < 10_000; i++)
    insert.run(...Object.values(rowOf(i, `Task number ${i} of the benchmark`)))
})()

function rowOf(i: number, title: string): Row {
  const at = new Date(1.79e12 + i * 1000).toISOString()
  const id = (prefix: string) => `${prefix}_${String(i).padStart(26, '0')}`
  return {
    id: id('tsk'),
    key: `BEN-${i}`,
    title,
    status: 'To do',
    status_category: i % 3 === 0 ? 'todo' : 'done',
    priority: 'medium',
    due_at: at,
    created_at: at,
    updated_at: at,
    position: `a${i}`,
    revision: '1',
    project_id: `p${i % 4}`,
    project_title: 'Benchmark',
    project_key: 'BEN',
    assignee_id: id('usr'),
    assignee_title: 'Ann Example',
    maker_id: id('usr'),
    maker_title: 'Ann Example',
  }
}

function show(row: Row) {
  const {
    id,
    key,
    title,
    status,
    status_category,
    priority,
    due_at,
    created_at,
    updated_at,
    position,
  } = row
  return {
    id,
    revision: Number(row.revision),
    created_at,
    updated_at,
    created_by: { id: row.maker_id, title: row.maker_title },
    created_via: 'api',
    url: `http://127.0.0.1/tasks/${key}`,
    key,
    title,
    project: { id: row.project_id, title: row.project_title, key: row.project_key },
    status,
    status_category,
    priority,
    assignees: [{ id: row.assignee_id, title: row.assignee_title }],
    due_at,
    time_spent_minutes: 0,
    subtask_counts: { total: 0, done: 0 },
    blocked: false,
    blocked_by: [],
    blocks: [],
    labels: [],
    custom_fields: {},
    comment_count: 0,
    position,
    watching: false,
  }
}

function send(answer: ServerResponse, status: number, body: string): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

function create(request: IncomingMessage, answer: ServerResponse): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { title } = JSON.parse(Buffer.concat(parts).toString()) as { title: string }
    const row = { ...rowOf(createdCount, title), id: `new_${createdCount++}`, project_id: 'new' }
    insert.run(...Object.values(row))
    send(answer, 201, JSON.stringify(show(row)))
  })
}

const server = createServer((request, answer) => {
  const key = keys.get(
    createHash('sha256')
      .update(request.headers.authorization ?? '')
      .digest('base64'),
  )
  if (!key) return void answer.writeHead(401).end()
  if (request.method === 'POST') return create(request, answer)
  if (request.url === '/bytes') return send(answer, 200, text)
  const rows = list.all() as Row[]
  send(
    answer,
    200,
    JSON.stringify({ items: rows.slice(0, 20).map(show), has_more: rows.length > 20 }),
  )
})

server.listen(0, '127.0.0.1', () =>
  console.log(
    JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
  ),
)
