import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** One import line: who, what (a path below src, or a package), which names; `types`: nothing of it is there at run time. */
interface Import {
  file: string
  from: string
  names: string[]
  types: boolean
}

const root = new URL('../src', import.meta.url).pathname
const files = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.startsWith('web/') && !file.includes('node_modules'))
  .sort()
const imports = files.flatMap(importsOf)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/`(?:\\.|[^`\\])*`/gs, '``')
  const found = text.matchAll(/^(?:import|export) (type )?(?:([^'"]*?) from )?['"]([^'"]+)['"]/gm)
  return [...found].map(([, type, what = '', target]) => ({
    file,
    from: target!.startsWith('.') ? normalize(join(dirname(file), target!)) : target!,
    names: what
      .replace(/[{}\n]/g, ' ')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    types:
      type !== undefined ||
      (/^\{/.test(what.trim()) &&
        what
          .replace(/[{}]/g, '')
          .split(',')
          .every((name) => /^\s*(type .*)?$/.test(name))),
  }))
}

/** Tests, and what only tests import: the harness. */
const isTest = (file: string) =>
  file.endsWith('.test.ts') || /(^|\/)(testing(\.ts$|\/)|web-tests\/)/.test(file)
const inside = (path: string, ...folders: string[]) =>
  folders.some((folder) => path.startsWith(`${folder}/`))
const moduleOf = (path: string) => /^modules\/([^/]+)\//.exec(path)?.[1]

/** What may not be, in words; empty where the rule holds. */
function against(rule: (one: Import) => boolean): string[] {
  return imports
    .filter((one) => !isTest(one.file) && !rule(one))
    .map((one) => `${one.file} imports ${one.from}`)
}

test('the import lines are found', () => {
  assert.ok(imports.length > 200)
  assert.ok(
    imports.some(
      (one) =>
        one.file === 'operations/call/call.ts' && one.from === 'records/rows.ts' && !one.types,
    ),
  )
  assert.ok(
    imports.some((one) => one.file === 'db/tables.ts' && one.from === 'kernel/ids.ts' && one.types),
  )
})

test('every import of a file of ours names a file that is there', () => {
  const ours = imports.filter(
    (one) => /\.tsx?$/.test(one.from) && !/^(@|\.\.)/.test(one.from) && !inside(one.from, 'web'),
  )
  assert.deepEqual(
    ours.filter((one) => !files.includes(one.from)).map((one) => `${one.file} imports ${one.from}`),
    [],
  )
})

test('core knows no module and nobody who serves it', () => {
  assert.deepEqual(
    against(
      (one) =>
        !inside(one.file, 'core') ||
        !inside(one.from, 'modules', 'connectors', 'http', 'mcp', 'cli', 'web', 'jobs'),
    ),
    [],
  )
})

test('what core stands on knows of core only its plain parts, and none of those above it', () => {
  const plain = [
    'kernel/ids.ts',
    'kernel/time/clock.ts',
    'kernel/refusal.ts',
    'kernel/fields.ts',
    'kernel/actor.ts',
    'kernel/text/text.ts',
    'kernel/time/times.ts',
    'config/settings.ts',
    'kernel/log.ts',
    'kernel/toolsets.ts',
    'notify/notifications.ts',
    'kernel/backoff.ts',
    'kernel/time/session-times.ts',
  ]
  assert.deepEqual(
    against(
      (one) =>
        !inside(one.file, 'db', 'audit', 'keys', 'limits', 'search', 'secrets', 'outbound') ||
        one.types ||
        speaksItself(one) ||
        plain.includes(one.from) ||
        !inside(one.from, 'core', 'modules', 'http', 'mcp', 'cli', 'web', 'jobs', 'connectors'),
    ),
    [],
  )
})

test('a module imports its own files, of others access.ts and shapes.ts, and nothing of those who serve it', () => {
  assert.deepEqual(
    against((one) => {
      const own = moduleOf(one.file)
      if (own === undefined) return true
      const other = moduleOf(one.from)
      if (other !== undefined && other !== own)
        return /^modules\/\w+\/(access|shapes)\.ts$/.test(one.from)
      return !inside(one.from, 'http', 'mcp', 'cli', 'web') && one.from !== 'modules/index.ts'
    }),
    [],
  )
})

/** Search asks for vectors in the middle of a question: no module, and no job, stands between it and the one it asks. */
const speaksItself = (one: Import) =>
  /^search\/provider(-space)?\.ts$/.test(one.file) && one.from === 'connectors/embeddings.ts'

test('connectors import nothing of ours but the processes that they read in, and only syncing, sending, jobs and who makes vectors for search import them', () => {
  assert.deepEqual(
    against(
      (one) =>
        !inside(one.file, 'connectors') ||
        !inside(
          one.from,
          ...new Set(files.map((file) => file.split('/')[0]!)).difference(
            new Set(['connectors', 'sandbox']),
          ),
        ),
    ),
    [],
  )
  assert.deepEqual(
    against(
      (one) =>
        !inside(one.from, 'connectors') ||
        inside(one.file, 'connectors', 'jobs') ||
        speaksItself(one) ||
        /\/(sync|sendings|accounts)[\w-]*\.ts$/.test(one.file),
    ),
    [],
  )
})

test('reader processes know nothing of ours but refusals and how the program starts', () => {
  assert.deepEqual(
    against(
      (one) =>
        !inside(one.file, 'sandbox') ||
        inside(one.from, 'sandbox') ||
        ['kernel/refusal.ts', 'executable.ts'].includes(one.from) ||
        !/\.(tsx?|json)$/.test(one.from),
    ),
    [],
  )
})

test('connect knows nothing of ours; the commands, the pages and the tools stand on it', () => {
  assert.deepEqual(
    against(
      (one) =>
        !inside(one.file, 'connect') ||
        inside(one.from, 'connect') ||
        !/\.(tsx?|json)$/.test(one.from),
    ),
    [],
  )
  assert.deepEqual(
    against(
      (one) => !inside(one.from, 'connect') || inside(one.file, 'connect', 'cli', 'http', 'web'),
    ),
    [],
  )
})

/** Where the parts are put together: the server mounts MCP, the commands start the server and its jobs. */
const joints = [
  ['http/', 'mcp/handler.ts'],
  ['http/', 'mcp/tools/results.ts'],
  ['http/', 'web/places.ts'],
  ['cli/', 'http/server.ts'],
  ['cli/', 'jobs/scheduler.ts'],
  ['cli/', 'jobs/upkeep.ts'],
  ['cli/', 'jobs/queue.ts'],
  ['cli/', 'jobs/watch-runner.ts'],
  ['cli/', 'jobs/control.ts'],
] as const

test('http, mcp, cli and web import core and the list of modules; never a module, and each other only where they are put together', () => {
  const served = ['http', 'mcp', 'cli', 'web', 'jobs']
  assert.deepEqual(
    against((one) => {
      const own = served.find((folder) => inside(one.file, folder))
      if (!own) return true
      if (moduleOf(one.from) !== undefined) return false
      const other = served.find((folder) => folder !== own && inside(one.from, folder))
      return (
        other === undefined ||
        joints.some(([file, from]) => one.file.startsWith(file) && one.from === from)
      )
    }),
    [],
  )
})

test('only access files, those that take things in, core, search and db see whole tables or write SQL by hand', () => {
  const may = (file: string) =>
    inside(file, 'core', 'search', 'db') ||
    /^modules\/\w+\/(access(-\w+)*|sync[\w-]*|ingest[\w-]*)\.ts$/.test(file)
  assert.deepEqual(
    against((one) => one.from !== 'records/access-scope.ts' || one.types || may(one.file)),
    [],
  )
  assert.deepEqual(
    against((one) => one.from !== 'kysely' || !one.names.includes('sql') || may(one.file)),
    [],
  )
})

/** What parses, unpacks or expands what people send. */
const parsers =
  /^(csv-parse|fflate|ical\.js|postal-mime|mammoth|unpdf|read-excel-file|tsdav|yaml|jsonc-parser|markdown-it|liquidjs|@bufbuild\/cel|chrono-node|croner|rrule-temporal|libphonenumber-js|diff|unified|rehype-[\w-]+|remark-[\w-]+)(\/|$)/

test('each file that parses what people send stands in the table of docs/security.md, with its bound', () => {
  const page = readFileSync(join(root, '../docs/security.md'), 'utf8')
  const table = page.slice(
    page.indexOf('### What reads what people send'),
    page.indexOf('### ', page.indexOf('### What reads what people send') + 4),
  )
  const code = (file: string) => readFileSync(join(root, file), 'utf8')
  const lazy = (file: string) =>
    [...code(file).matchAll(/import\('([^']+)'\)/g)].some(([, from]) => parsers.test(from!))
  const using = files.filter(
    (file) =>
      !isTest(file) &&
      !inside(file, 'connect') &&
      (imports.some((one) => one.file === file && !one.types && parsers.test(one.from)) ||
        lazy(file)),
  )
  assert.ok(using.length > 20)
  assert.deepEqual(
    using.filter((file) => !table.includes(`\`${file}\``)),
    [],
  )
  assert.deepEqual(
    [...table.matchAll(/`([\w/-]+\.ts)`/g)]
      .map(([, file]) => file!)
      .filter((file) => !files.includes(file)),
    [],
  )
})

test('what reads files of strangers is loaded in reader processes', () => {
  const threads = [
    'connectors/reading.ts',
    'modules/importers.ts',
    'modules/pages/rendering/workers.ts',
  ]
  const readers = [
    'connectors/extraction.ts',
    'connectors/mail/messages.ts',
    'connectors/mail/bodies.ts',
    'connectors/mail/html.ts',
    'connectors/mail/quotes.ts',
    'modules/pages/rendering/conversions.ts',
  ]
  assert.deepEqual(
    against(
      (one) =>
        one.types || !readers.includes(one.from) || [...readers, ...threads].includes(one.file),
    ),
    [],
  )
  assert.deepEqual(
    against((one) => one.types || !threads.includes(one.from)),
    [],
  )
})

test('nothing but tests imports the test harness or a package that only tests have', () => {
  const manifest = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as {
    dependencies: object
    devDependencies: object
  }
  const packageOf = (from: string) =>
    from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/')
  assert.deepEqual(
    against((one) => !isTest(one.from)),
    [],
  )
  assert.deepEqual(
    against((one) => one.types || !(packageOf(one.from) in manifest.devDependencies)),
    [],
  )
  assert.deepEqual(
    against(
      (one) =>
        /^node:/.test(one.from) ||
        /\.(tsx?|json)$/.test(one.from) ||
        packageOf(one.from) in manifest.dependencies ||
        packageOf(one.from) in manifest.devDependencies,
    ),
    [],
  )
})

test('no file imports itself by way of others', () => {
  const edges = new Map<string, string[]>()
  for (const one of imports)
    if (!one.types) edges.set(one.file, [...(edges.get(one.file) ?? []), one.from])
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (file: string, path: string[]) => {
    if (path.includes(file))
      return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const next of edges.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  assert.deepEqual(cycles, [])
})

/** Who may speak to the network besides src/outbound, each with its reason. `names`: what of those modules they may use. */
const networkers: { files: RegExp; names: RegExp; fetches?: true; because: string }[] = [
  { files: /^outbound\//, names: /./, because: 'the door itself, which looks at every address' },
  {
    files: /^http\//,
    names: /^(create(Secure)?Server|constants|Http2\w+)$/,
    because: 'it listens, and calls nobody',
  },
  {
    files: /^connectors\/smtp\.ts$/,
    names: /^(SMTPConnection|MailComposer)$/,
    because: 'it speaks over connections that src/outbound has made',
  },
  {
    files: /^connectors\/dav-answers\.ts$/,
    names: /^davRequest$/,
    because: 'it reads an answer that has come already, which is all that its request gets',
  },
  {
    files: /^connectors\/google\/libraries\.ts$/,
    names: /^(drive|CodeChallengeMethod|OAuth2Client)$/,
    because:
      'it hands them to those beside it, who give them the requests of src/outbound to ask by',
  },
  {
    files: /^cli\/own-server\.ts$/,
    names: /^get$/,
    because:
      'it asks the own server, or the one that the user of a command names, whether it answers',
  },
  {
    files: /^doctor\/server\.ts$/,
    names: /^$/,
    fetches: true,
    because: 'a command that looks whether the own server answers',
  },
  {
    files: /^cli\/serving\.ts$/,
    names: /^createServer$/,
    because:
      'looks whether a port is free before anything is made; it listens, and connects to nobody',
  },
  {
    files: /^connect\/(remote|check)\.ts$/,
    names: /^$/,
    fetches: true,
    because: 'commands on the machine of a user, who names the workspace to connect with',
  },
]
/** Of those modules, what only reads text. */
const harmless =
  /^(constants|isIPv?[46]?|BlockList|STATUS_CODES|createSecureContext|getCACertificates|setDefaultCACertificates)$/
const networks = /^(node:)?(net|tls|https?|http2|dns(\/promises)?|dgram|quic)$/
const networkPackages =
  /^(undici|node-fetch|got|axios|ws|ky|superagent|imapflow|nodemailer(\/.*)?|tsdav|google-auth-library|@googleapis\/drive|eventsource)$/

test('nothing but src/outbound connects to anything: no sockets, no requests, no name servers elsewhere', () => {
  const may = (file: string) => networkers.filter((one) => one.files.test(file))
  const plain = (name: string) => name.replace(/^type /, '').split(' as ')[0]!
  assert.deepEqual(
    against((one) => {
      if (one.types || !(networks.test(one.from) || networkPackages.test(one.from))) return true
      const used = one.names.filter((name) => !name.startsWith('type ')).map(plain)
      return (
        used.length > 0 &&
        used.every(
          (name) => harmless.test(name) || may(one.file).some((door) => door.names.test(name)),
        )
      )
    }),
    [],
  )
  const code = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '')
      .replace(/'(?:\\.|[^'\\\n])*'/g, (text) => (networks.test(text.slice(1, -1)) ? text : "''"))
  const calls =
    /(?<![\w.#])(globalThis\.)?(fetch|require)\(|new (WebSocket|EventSource|XMLHttpRequest)\(|import\('(node:)?(net|tls|https?|http2|dns(\/promises)?|dgram)'\)|process\.getBuiltinModule/
  const loose = files.filter(
    (file) =>
      !isTest(file) &&
      !may(file).some((door) => door.fetches) &&
      calls.test(code(file).replace(/^\s*(async )?#?fetch\(.*\{$/gm, '')),
  )
  assert.deepEqual(loose, [])
  assert.deepEqual(
    networkers
      .filter((one) => !files.some((file) => one.files.test(file)))
      .map((one) => one.because),
    [],
    'an exception that is not needed any more',
  )
})

test('there is no drawer for odds and ends', () => {
  assert.deepEqual(
    files.filter(
      (file) =>
        /(^|\/)(utils?|helpers?|types|common|misc|lib)\//.test(file) ||
        /(^|\/)(utils?|helpers?|misc)\.ts$/.test(file),
    ),
    [],
  )
})

// --- Which module may import which ---

/**
 * The modules that each module may import, types included. A module names only modules above it in this table, so that none
 * depends on itself by way of others: what a lower one needs of a higher one, the higher one registers (ExtensionPoint, or a
 * property of its resource).
 */
const moduleImports: Record<string, readonly string[]> = {
  directory: [],
  portfolio: [],
  system: [],
  accounts: [],
  labels: ['directory'],
  activity: ['directory', 'portfolio'],
  notifications: ['directory'],
  knowledge: ['directory', 'portfolio'],
  webhooks: ['directory', 'portfolio', 'activity'],
  automations: ['directory', 'portfolio', 'activity'],
  views: ['directory', 'portfolio'],
  drive: ['directory', 'portfolio', 'accounts', 'labels'],
  tasks: ['directory', 'portfolio', 'system', 'labels', 'drive'],
  pages: ['directory', 'portfolio', 'labels', 'activity', 'drive'],
  time: ['directory', 'portfolio', 'labels', 'tasks'],
  chat: ['directory', 'portfolio', 'system', 'activity', 'drive', 'tasks'],
  contacts: ['directory', 'system', 'labels', 'drive', 'tasks'],
  forms: ['directory', 'webhooks', 'automations', 'drive', 'pages', 'contacts'],
  calendar: ['directory', 'system', 'accounts', 'drive', 'contacts'],
  email: [
    'directory',
    'portfolio',
    'accounts',
    'activity',
    'drive',
    'tasks',
    'contacts',
    'calendar',
  ],
  goals: ['directory', 'portfolio', 'labels', 'tasks', 'contacts', 'forms'],
  meetings: [
    'directory',
    'portfolio',
    'knowledge',
    'drive',
    'tasks',
    'pages',
    'chat',
    'contacts',
    'calendar',
    'email',
  ],
  incidents: ['directory', 'portfolio', 'labels', 'knowledge', 'tasks', 'pages', 'chat'],
  projects: ['directory', 'portfolio', 'drive', 'tasks', 'goals'],
  people: [
    'directory',
    'portfolio',
    'notifications',
    'drive',
    'tasks',
    'chat',
    'calendar',
    'email',
    'meetings',
    'incidents',
  ],
}

test('modules import only the modules below them that the table names, types included', () => {
  const names = Object.keys(moduleImports)
  const edges = new Set<string>()
  for (const { file, from } of imports.filter((one) => !isTest(one.file))) {
    const [module, other] = [moduleOf(file), moduleOf(from)]
    if (module !== undefined && other !== undefined && module !== other)
      edges.add(`${module} → ${other}`)
  }
  const allowed = Object.entries(moduleImports).flatMap(([module, others]) =>
    others.map((other) => ({ module, other, edge: `${module} → ${other}` })),
  )
  assert.deepEqual(
    allowed
      .filter(({ module, other }) => names.indexOf(other) >= names.indexOf(module))
      .map(({ edge }) => edge),
    [],
    'a module imports one that is not above it in the table',
  )
  assert.deepEqual(
    [...edges].sort(),
    allowed.map(({ edge }) => edge).sort(),
    'the imports and the table differ',
  )
  const folders = new Set(files.flatMap((file) => moduleOf(file) ?? []))
  assert.deepEqual([...folders].sort(), names.toSorted(), 'the folders and the table differ')
})
