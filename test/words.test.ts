import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'

// Enforces the word list of docs/STYLE.md: abandoned names must not return.

const root = new URL('..', import.meta.url).pathname
const sources = globSync(['src/**/*.{ts,tsx}', 'bench/**/*.ts', 'tools/**/*.ts'], {
  cwd: root,
  exclude: [
    'src/**/*.test.ts',
    'src/web/api/operations.ts',
    'src/web/api/item-paths.ts',
    'tools/runtime/**',
  ],
})

/** Formerly exported names, with their current ones. */
const glossary: Record<string, string> = {
  Sight: 'AccessScope',
  Seer: 'Viewer',
  seer: 'viewerOf',
  Need: 'RowParam',
  AnyItemNeed: 'AnyItemParam',
  Needs: 'RowParams',
  mend: 'coerce',
  mender: 'coercer',
  hot: 'prepared',
  tell: 'notify…',
  tellAdmins: 'notifyAdmins',
  told: 'notify…, …Text',
  sightOf: 'accessScopeOf',
  toldOf: 'filterableEvent',
  ToldEvent: 'FeedEvent',
  untold: 'typeOnlyInLog',
  useTold: 'useEventsOfTypes',
  useToldOf: 'useEventsWhere',
  toldChanges: 'shownChanges',
  tellSight: 'notifyVisibilityChange',
  waysOf: 'channelPreferences',
  usualWays: 'defaultChannels',
  LetIn: 'AdmittedCall',
  Standing: 'RateLimitStatus, CallerRole, …',
  Asked: '…Request, …Filter',
  Place: '…Location, …Position, …Endpoint',
  Outcome: '…Outcome, with what it is of',
  Draft: '…Draft, with what it is of',
  Found: '…Match, …Hit',
  Findable: 'Searchable',
  findable: 'searchable',
  Look: 'SearchRequest',
  Looked: 'SearchResult',
  Letter: 'OutgoingMessage, ReceivedMessage',
  Said: '…Input, …Statement',
  Wanted: '…Request',
  Held: '…Session, Queued…',
  Stretch: '…Range, …Interval',
  Told: '…Notification, …Report',
  Written: 'Written…, with what it is',
  Settled: '…Decision, …Validity',
  settle: 'end…, finish…, resolve…',
  act: 'actAsUser, performAction, …',
  inWords: 'describe…',
  textOf: '…Text, extractText, …',
  placeOf: '…Location, …Place',
  hashOf: '…Hash',
  narrowed: 'filter…',
  showOne: 'present…',
  takeIn: 'store…, add…',
  takeOut: 'remove…, exclude…',
  keepText: 'store…Text',
  one: 'the noun',
}

/** Context and definition members with standard names. */
const members: Record<string, string> = {
  beforehand: 'prepare',
  bring: 'fetch',
  brought: 'prefetched',
  elsewhere: 'argumentHints',
  undoneWhole: 'atomicUndo',
  everyKey: 'openToAllKeys',
  takeBack: 'undoCreate',
  goneOut: 'irreversible',
  goneFor: 'tombstoneVisibleTo',
}

/** Words in -ing that are nouns. */
const nouns =
  /(^|-)(setting|paging|pruning|signing|tracing|encoding|testing|nesting|finding|waiting|probing|reading|sending|meeting|string|ping|ranking|rating|heading|mapping|building|bundling|scheduling)$/

const exported = new Map<string, Set<string>>()
for (const file of sources)
  for (const [, name] of readFileSync(root + file, 'utf8').matchAll(
    /^export (?:default )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm,
  ))
    exported.set(name!, (exported.get(name!) ?? new Set()).add(file))

test('exported names are found', () => {
  assert.ok(exported.size > 3_000)
  assert.ok(exported.get('AccessScope')?.has('src/records/access-scope.ts'))
})

test('no exported name is one replaced by the glossary', () => {
  const old = Object.keys(glossary).filter((name) => exported.has(name))
  assert.deepEqual(
    old.map((name) => `${name} in ${[...exported.get(name)!].join(', ')}: ${glossary[name]}`),
    [],
  )
})

test('no file declares a local type with such a vague name either', () => {
  const left = [
    'bench/',
    'src/testing/',
    'src/operations/search/',
    'src/modules/tasks/lists/',
    'src/web/keys/',
  ]
  const vague = /^(?:interface|type) (Asked|Place|Found|Held|Look|Said|Seer|Sight|Told|Wanted)\b/gm
  const vagueTypes = sources
    .filter((file) => !left.some((path) => file.startsWith(path)))
    .flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(vague)].map(([, name]) => `${file}: ${name}`),
    )
  assert.deepEqual(vagueTypes, [])
})

test('definitions of operations and resources use the standard member names', () => {
  const definitions = ['src/operations', 'src/records'].flatMap((folder) =>
    globSync('**/*.ts', { cwd: root + folder }).map((file) => `${folder}/${file}`),
  )
  const violations = definitions.flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)]
      .map(([, name]) => name!)
      .filter((name) => Object.hasOwn(members, name))
      .map((name) => `${file}: ${name} is ${members[name]}`),
  )
  assert.deepEqual(violations, [])
})

test('an exported name is declared in at most two files of src', () => {
  const often = [...exported]
    .map(([name, files]) => [name, [...files].filter((file) => file.startsWith('src/'))] as const)
    .filter(([, files]) => files.length > 2)
  assert.deepEqual(
    often.map(([name, files]) => `${name}: ${files.join(', ')}`),
    [],
  )
})

test('files are named with nouns', () => {
  const gerunds = sources
    .filter((file) => !file.includes('/web-tests/'))
    .filter((file) => {
      const name = basename(file).replace(/\.\w+$/, '')
      return name.endsWith('ing') && !nouns.test(name.toLowerCase())
    })
  assert.deepEqual(gerunds, [])
})

test('callback parameters are named after what they hold', () => {
  const vague = globSync(
    ['src/**/*.{ts,tsx}', '{test,bench}/**/*.{ts,mjs}', 'tools/{,new/,starting/}*.{ts,mjs}'],
    { cwd: root },
  )
    .filter((file) => /(^|[\s(,])\(one\) =>/m.test(readFileSync(root + file, 'utf8')))
    .filter((file) => file !== 'test/words.test.ts')
  assert.deepEqual(vague, [])
})

test('no variable, parameter or property is named told, sight or mend', () => {
  const dialect =
    /(?:\b(?:const|let|function) [^='"`*]*\b(?:told|sight|mend\w*)\b|^\s*(?:readonly )?(?:told|sight|mend\w*)\??: )/
  const violations = sources.flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .filter((line) => dialect.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(violations, [])
})

test('source comments use anyone who, no one and someone', () => {
  const dialect = /\b(?:whoever|nobody|somebody)\b/i
  const prose = /^\s*(?:\/\/|\/?\*)|\s\/\/\s/
  const violations = sources.flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .filter((line) => prose.test(line) && dialect.test(line.replace(/^.*?\s\/\/\s/, '')))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(violations, [])
})

test('files named in comments exist', () => {
  const names = new Set(
    globSync(['{src,test,tools,bench}/**/*', '*'], {
      cwd: root,
      exclude: ['**/node_modules/**', 'tools/runtime/**'],
    }).map((path) => basename(path)),
  )
  const generated = ['operations.ts', 'item-paths.ts']
  const fileName = /(?<![\w./:@*-])(?:[\w-]+\/)*(\w[\w.-]*\.(?:tsx?|mjs|sql))\b(?!\.)/g
  const comment = /^\s*(?:\/\/|\/?\*)(.*)|\s\/\/\s(.*)/
  const missing = [...sources, ...globSync(['src/**/*.test.ts', 'test/**/*.ts'], { cwd: root })]
    .flatMap((file) =>
      readFileSync(root + file, 'utf8')
        .split('\n')
        .map((line) => comment.exec(line))
        .flatMap((match) => [...(match?.[1] ?? match?.[2] ?? '').matchAll(fileName)])
        .map(([, name]) => ({ file, name: name! })),
    )
    .filter(({ name }) => !names.has(name) && !generated.includes(name))
  assert.deepEqual(missing, [])
})

test('the documentation uses anyone who, no one and someone, too', () => {
  const violations = globSync(['docs/**/*.md', 'README.md', 'CONTRIBUTING.md'], { cwd: root })
    .filter((file) => !['docs/STYLE.md', 'docs/glossary.md'].includes(file))
    .filter((file) => /\b(?:whoever|nobody|somebody)\b/i.test(readFileSync(root + file, 'utf8')))
  assert.deepEqual(violations, [])
})
