import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** One import line: importer, target (a path below src, or a package), names; `types`: type-only import. */
interface Import {
  file: string
  from: string
  names: string[]
  types: boolean
}

const root = new URL('../src/', import.meta.url).pathname
const files = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.startsWith('web/') && !file.includes('node_modules'))
  .sort()
const imports = files.flatMap(importsOf)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/`(?:\\.|[^`\\])*`/gs, '``')
  const matches = text.matchAll(/^(?:import|export) (type )?(?:([^'"]*?) from )?['"]([^'"]+)['"]/gm)
  return [...matches].map(([, type, what = '', target]) => ({
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

/** Tests, and files imported only by tests, such as the harness. */
const isTest = (file: string) =>
  file.endsWith('.test.ts') || /(^|\/)(testing(\.ts$|\/)|web-tests\/)/.test(file)
const inside = (path: string, ...folders: string[]) =>
  folders.some((folder) => path.startsWith(`${folder}/`))
const moduleOf = (path: string) => /^modules\/([^/]+)\//.exec(path)?.[1]

/** Sources that the build turns into pages: at run time, their packages do not exist. */
const isForBrowsers = (file: string) => inside(file, 'apps')

/** Describes violations of a rule; empty if it holds. */
function against(rule: (item: Import) => boolean): string[] {
  return imports
    .filter((item) => !isTest(item.file) && !rule(item))
    .map((item) => `${item.file} imports ${item.from}`)
}

test('import lines are found', () => {
  assert.ok(imports.length > 200)
  assert.ok(
    imports.some(
      (item) =>
        item.file === 'operations/call/call.ts' && item.from === 'records/rows.ts' && !item.types,
    ),
  )
  assert.ok(
    imports.some(
      (item) => item.file === 'db/tables.ts' && item.from === 'kernel/ids.ts' && item.types,
    ),
  )
})

test('every import of a project file names an existing file', () => {
  const ours = imports.filter(
    (item) =>
      /\.tsx?$/.test(item.from) && !/^(@|\.\.)/.test(item.from) && !inside(item.from, 'web'),
  )
  assert.deepEqual(
    ours.filter((our) => !files.includes(our.from)).map((our) => `${our.file} imports ${our.from}`),
    [],
  )
})

/**
 * The layers below src from the bottom up, each with everything it may import, including types; unlisted imports are
 * forbidden.
 */
const rooms: Record<string, readonly string[]> = {
  apps: [],
  assistants: [],
  'executable.ts': [],
  kernel: [],
  db: ['executable.ts', 'kernel'],
  audit: ['db', 'kernel'],
  files: ['audit', 'db', 'kernel'],
  'native.ts': ['executable.ts'],
  outbound: ['kernel'],
  config: ['kernel', 'outbound'],
  records: ['db', 'kernel'],
  notify: ['db', 'kernel', 'records'],
  keys: ['audit', 'db', 'kernel', 'notify', 'records'],
  events: ['db', 'kernel', 'keys', 'records'],
  limits: ['audit', 'config', 'db', 'kernel', 'keys', 'notify'],
  sandbox: ['executable.ts', 'kernel'],
  connectors: ['sandbox'],
  search: ['config', 'connectors', 'db', 'executable.ts', 'kernel', 'outbound', 'records'],
  privacy: ['db', 'kernel', 'records', 'search'],
  secrets: ['audit', 'db', 'kernel', 'records'],
  operations: [
    'audit',
    'config',
    'db',
    'events',
    'files',
    'kernel',
    'keys',
    'limits',
    'notify',
    'outbound',
    'records',
    'search',
    'secrets',
  ],
  identity: [
    'audit',
    'config',
    'db',
    'kernel',
    'keys',
    'limits',
    'notify',
    'operations',
    'records',
  ],
  oauth: ['audit', 'db', 'kernel', 'keys', 'limits', 'notify', 'operations', 'outbound', 'records'],
  sso: [
    'audit',
    'db',
    'identity',
    'kernel',
    'keys',
    'limits',
    'notify',
    'operations',
    'outbound',
    'records',
  ],
  demo: ['db', 'identity', 'kernel', 'keys', 'operations'],
  jobs: ['audit', 'db', 'kernel', 'notify', 'operations', 'records', 'search'],
  mcp: ['db', 'kernel', 'operations', 'records'],
  modules: [
    'audit',
    'config',
    'connectors',
    'db',
    'events',
    'files',
    'identity',
    'kernel',
    'keys',
    'limits',
    'notify',
    'operations',
    'outbound',
    'privacy',
    'records',
    'sandbox',
    'search',
  ],
  'start.ts': [
    'audit',
    'config',
    'db',
    'events',
    'kernel',
    'keys',
    'limits',
    'operations',
    'outbound',
    'search',
    'secrets',
  ],
  tls: ['kernel'],
  http: [
    'assistants',
    'audit',
    'db',
    'files',
    'identity',
    'kernel',
    'keys',
    'limits',
    'mcp',
    'notify',
    'oauth',
    'operations',
    'outbound',
    'records',
    'sso',
    'tls',
  ],
  ops: ['audit', 'db', 'files', 'kernel', 'keys', 'search', 'secrets', 'tls'],
  cli: [
    'assistants',
    'audit',
    'config',
    'db',
    'demo',
    'executable.ts',
    'http',
    'identity',
    'jobs',
    'kernel',
    'keys',
    'limits',
    'modules',
    'oauth',
    'operations',
    'ops',
    'records',
    'search',
    'secrets',
    'sso',
    'start.ts',
    'tls',
  ],
}
const roomOf = (path: string) => path.split('/')[0]!

test('each top-level folder imports only allowed ones below it, types included', () => {
  const ours = (path: string) => /\.tsx?$/.test(path) && !/^(\.|@|web\/)/.test(path)
  assert.deepEqual(
    against(
      ({ file, from }) =>
        !ours(from) ||
        roomOf(file) === roomOf(from) ||
        (rooms[roomOf(file)] ?? []).includes(roomOf(from)),
    ),
    [],
  )
  const order = Object.keys(rooms)
  assert.deepEqual(
    order.filter((room, at) => rooms[room]!.some((other) => order.indexOf(other) >= at)),
    [],
    'a room that imports one above it',
  )
  const seen = new Set(
    imports
      .filter((item) => !isTest(item.file))
      .map((item) => `${roomOf(item.file)} ${roomOf(item.from)}`),
  )
  assert.deepEqual(
    order
      .flatMap((room) => rooms[room]!.map((other) => `${room} ${other}`))
      .filter((pair) => !seen.has(pair)),
    [],
    'an arrow that nobody needs any more',
  )
})

test('no folder holds more than twenty source files', () => {
  const sizes = Map.groupBy(
    globSync('**/*.{ts,tsx}', { cwd: root }).filter(
      (file) => !isTest(file) && !file.includes('node_modules'),
    ),
    (file) => dirname(file),
  )
  assert.deepEqual(
    [...sizes].filter(([, inFolder]) => inFolder.length > 20).map(([folder]) => folder),
    [],
  )
})

test('a module imports its own files, only access.ts and shapes.ts of others, and nothing that serves it', () => {
  assert.deepEqual(
    against((item) => {
      const ownModule = moduleOf(item.file)
      if (ownModule === undefined) return true
      const other = moduleOf(item.from)
      if (other !== undefined && other !== ownModule)
        return /^modules\/\w+\/(access|shapes)\.ts$/.test(item.from)
      return !inside(item.from, 'http', 'mcp', 'cli', 'web') && item.from !== 'modules/index.ts'
    }),
    [],
  )
})

/** Search requests vectors and reranking in the middle of a query, directly and without a module or job in between. */
const speaksItself = (item: Import) =>
  (/^search\/(sources\/provider|provider-space)\.ts$/.test(item.file) &&
    item.from === 'connectors/embeddings.ts') ||
  (item.file === 'search/reranker.ts' && item.from === 'connectors/rerank.ts')

test('connectors import only the reader processes of ours, and are imported only by syncing, sending, jobs and search sources', () => {
  assert.deepEqual(
    against(
      (item) =>
        !inside(item.file, 'connectors') ||
        !inside(
          item.from,
          ...new Set(files.map((file) => file.split('/')[0]!)).difference(
            new Set(['connectors', 'sandbox']),
          ),
        ),
    ),
    [],
  )
  assert.deepEqual(
    against(
      (item) =>
        !inside(item.from, 'connectors') ||
        inside(item.file, 'connectors', 'jobs') ||
        speaksItself(item) ||
        /\/((sync|delivery)\/[\w-]+|(sync|delivery|accounts)[\w-]*)\.ts$/.test(item.file),
    ),
    [],
  )
})

test('reader processes import only refusals and the program start of ours', () => {
  assert.deepEqual(
    against(
      (item) =>
        !inside(item.file, 'sandbox') ||
        inside(item.from, 'sandbox') ||
        ['kernel/refusal.ts', 'executable.ts'].includes(item.from) ||
        !/\.(tsx?|json)$/.test(item.from),
    ),
    [],
  )
})

test('assistants imports nothing of ours, and only commands, pages and tools import it', () => {
  assert.deepEqual(
    against(
      (item) =>
        !inside(item.file, 'assistants') ||
        inside(item.from, 'assistants') ||
        !/\.(tsx?|json)$/.test(item.from),
    ),
    [],
  )
  assert.deepEqual(
    against(
      (item) =>
        !inside(item.from, 'assistants') || inside(item.file, 'assistants', 'cli', 'http', 'web'),
    ),
    [],
  )
})

/**
 * Permitted cross-references that connect the parts: the server mounts MCP, the commands start the server and its
 * jobs.
 */
const joints = [
  ['http/', 'mcp/handler.ts'],
  ['http/', 'mcp/tools/results.ts'],
  ['http/', 'mcp/surface/selection.ts'],
  ['http/', 'mcp/surface/surface.ts'],
  ['http/', 'web/places.ts'],
  ['cli/', 'http/server.ts'],
  ['cli/', 'jobs/scheduler.ts'],
  ['cli/', 'jobs/upkeep.ts'],
  ['cli/', 'jobs/queue.ts'],
  ['cli/', 'jobs/watch-runner.ts'],
  ['cli/', 'jobs/control.ts'],
] as const

test('http, mcp, cli and web import the folders below and the module list, never a module, and each other only at the declared joints', () => {
  const served = ['http', 'mcp', 'cli', 'web', 'jobs']
  assert.deepEqual(
    against((item) => {
      const ownFolder = served.find((folder) => inside(item.file, folder))
      if (!ownFolder) return true
      if (moduleOf(item.from) !== undefined) return false
      const other = served.find((folder) => folder !== ownFolder && inside(item.from, folder))
      return (
        other === undefined ||
        joints.some(([file, from]) => item.file.startsWith(file) && item.from === from)
      )
    }),
    [],
  )
})

test('only access files, ingest files, core, search and db access whole tables or write SQL by hand', () => {
  const may = (file: string) =>
    inside(
      file,
      'db',
      'records',
      'operations',
      'search',
      'notify',
      'events',
      'files',
      'privacy',
      'jobs',
    ) ||
    /^sso\/scim\/access-\w+\.ts$/.test(file) ||
    /^modules\/\w+\/([\w-]+\/)?(access(-\w+)*|sync(\/|-)?[\w-]*|ingest[\w-]*)\.ts$/.test(file)
  assert.deepEqual(
    against((item) => item.from !== 'records/access-scope.ts' || item.types || may(item.file)),
    [],
  )
  assert.deepEqual(
    against((item) => item.from !== 'kysely' || !item.names.includes('sql') || may(item.file)),
    [],
  )
})

test('only db, search and tools know SQLite: everything else sends statements to a connection', () => {
  const may = (file: string) => inside(file, 'db', 'search', 'ops', 'cli')
  assert.deepEqual(
    against((item) => item.from !== 'better-sqlite3' || may(item.file)),
    [],
  )
})

/** Packages that parse, unpack or expand content sent by people. */
const parsers =
  /^(csv-parse|fflate|ical\.js|postal-mime|mammoth|unpdf|read-excel-file|tsdav|yaml|jsonc-parser|markdown-it|liquidjs|@bufbuild\/cel|chrono-node|croner|rrule-temporal|libphonenumber-js|diff|unified|rehype-[\w-]+|remark-[\w-]+)(\/|$)/

test('every file that parses user input is in the table of docs/security.md, with its limit', () => {
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
      !inside(file, 'assistants') &&
      (imports.some((item) => item.file === file && !item.types && parsers.test(item.from)) ||
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

test('code that reads untrusted files is loaded only in reader processes', () => {
  const threads = [
    'connectors/reading.ts',
    'modules/importers.ts',
    'modules/pages/rendering/renderers.ts',
  ]
  const readers = [
    'connectors/extraction.ts',
    'connectors/documents/office.ts',
    'connectors/documents/pdf.ts',
    'connectors/documents/text.ts',
    'connectors/mail/messages.ts',
    'connectors/mail/bodies.ts',
    'connectors/mail/html.ts',
    'connectors/mail/html-divisions.ts',
    'connectors/mail/html-layout.ts',
    'connectors/mail/quotes.ts',
    'modules/pages/rendering/conversions.ts',
  ]
  assert.deepEqual(
    against(
      (item) =>
        item.types || !readers.includes(item.from) || [...readers, ...threads].includes(item.file),
    ),
    [],
  )
  assert.deepEqual(
    against((item) => item.types || !threads.includes(item.from)),
    [],
  )
})

test('only tests import the test harness or test dependencies', () => {
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
    against((item) => !isTest(item.from)),
    [],
  )
  assert.deepEqual(
    against(
      (item) =>
        item.types ||
        isForBrowsers(item.file) ||
        !(packageOf(item.from) in manifest.devDependencies),
    ),
    [],
  )
  assert.deepEqual(
    against(
      (item) =>
        /^node:/.test(item.from) ||
        /\.(tsx?|json)$/.test(item.from) ||
        (isForBrowsers(item.file) && item.from.endsWith('.css')) ||
        packageOf(item.from) in manifest.dependencies ||
        packageOf(item.from) in manifest.devDependencies,
    ),
    [],
  )
})

/** Import cycles, each as an ordered list of files. */
function circles(lines: readonly Import[]): string[][] {
  const edges = Map.groupBy(
    lines.filter(({ file }) => !isTest(file)),
    ({ file }) => file,
  )
  const done = new Set<string>()
  const cycles: string[][] = []
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) return void cycles.push(path.slice(path.indexOf(file)))
    if (done.has(file)) return
    for (const { from } of edges.get(file) ?? []) walk(from, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) walk(file, [])
  return cycles
}

test('no file imports itself indirectly', () => {
  assert.deepEqual(circles(imports.filter((line) => !line.types)), [])
})

test('type imports are not circular either', () => {
  assert.deepEqual(circles(imports), [])
})

/** Files that may access the network besides src/outbound, each with its reason. `names`: the imports they may use. */
const networkers: { files: RegExp; names: RegExp; fetches?: true; because: string }[] = [
  { files: /^outbound\//, names: /./, because: 'the door itself, which looks at every address' },
  {
    files: /^http\//,
    names: /^(create(Secure)?Server|constants|Http2\w+)$/,
    because: 'it listens, and calls nobody',
  },
  {
    files: /^connectors\/smtp\/smtp\.ts$/,
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
    files: /^cli\/server\/own-server\.ts$/,
    names: /^get$/,
    because:
      'it asks the own server, or the one that the user of a command names, whether it answers',
  },
  {
    files: /^ops\/(doctor\/server|discovery\/requests)\.ts$/,
    names: /^$/,
    fetches: true,
    because:
      'a command that looks whether the own server answers, at its own and its public address',
  },
  {
    files: /^cli\/server\/ports\.ts$/,
    names: /^createServer$/,
    because:
      'looks whether a port is free before anything is made; it listens, and connects to nobody',
  },
  {
    files: /^assistants\/(remote|check)\.ts$/,
    names: /^$/,
    fetches: true,
    because: 'commands on the machine of a user, who names the workspace to connect with',
  },
]
/** Exports of those modules that only process text. */
const harmless =
  /^(constants|isIPv?[46]?|BlockList|STATUS_CODES|createSecureContext|getCACertificates|setDefaultCACertificates)$/
const networks = /^(node:)?(net|tls|https?|http2|dns(\/promises)?|dgram|quic)$/
const networkPackages =
  /^(undici|node-fetch|got|axios|ws|ky|superagent|imapflow|nodemailer(\/.*)?|tsdav|google-auth-library|@googleapis\/drive|eventsource)$/

test('only src/outbound makes connections: there are no sockets, requests or name lookups elsewhere', () => {
  const may = (file: string) => networkers.filter((networker) => networker.files.test(file))
  const plain = (name: string) => name.replace(/^type /, '').split(' as ')[0]!
  assert.deepEqual(
    against((item) => {
      if (item.types || !(networks.test(item.from) || networkPackages.test(item.from))) return true
      const used = item.names.filter((name) => !name.startsWith('type ')).map(plain)
      return (
        used.length > 0 &&
        used.every(
          (name) => harmless.test(name) || may(item.file).some((door) => door.names.test(name)),
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
      .filter((networker) => !files.some((file) => networker.files.test(file)))
      .map((networker) => networker.because),
    [],
    'an exception that is not needed any more',
  )
})

test('there are no utils, helpers or misc folders and files', () => {
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
 * The modules that each module may import, including types. A module lists only modules above it in this table, so
 * there are no indirect cycles: a lower module gets what it needs from a higher one through a registration
 * (ExtensionPoint, or a property of its resource).
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
  tasks: ['directory', 'portfolio', 'system', 'labels', 'activity', 'drive'],
  pages: ['directory', 'portfolio', 'labels', 'activity', 'drive'],
  time: ['directory', 'portfolio', 'labels', 'tasks'],
  chat: ['directory', 'portfolio', 'system', 'activity', 'drive', 'tasks'],
  contacts: ['directory', 'system', 'labels', 'drive', 'tasks'],
  forms: ['directory', 'webhooks', 'automations', 'drive', 'pages', 'contacts'],
  calendar: ['directory', 'system', 'accounts', 'activity', 'drive', 'contacts'],
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

test('modules import only modules below them that the table allows, types included', () => {
  const names = Object.keys(moduleImports)
  const edges = new Set<string>()
  for (const { file, from } of imports.filter((item) => !isTest(item.file))) {
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
