// Counts names and comments discouraged by docs/STYLE.md. The counts are limits in tools/ratchet.json: a hit is a place
// to reread, and a clean line can still be poor English. `npm run prose` lists the places; `npm run prose -- src/mcp`
// those of a folder.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const opening = /^(What|Who|Whom|Whose|Whoever|Those|How|As|Of|So|Where|Which|Thus|There)\b/
const variable =
  /\b(?:const|let) (found|made|own|given|asked|some|kept|most|longest|shortest|atOnce|patience|usual|said|told|taken|held|of|one|known|shown|meant|begun|heard|gone|named)\b/
const verb = /\b(?:function|const) ((?:demand|show|tell|most|longest|usual|hear|say)[A-Z]\w*)\b/
const declaredFunction = /\bfunction (\w+)\b|^(?:export )?const (\w+) = (?:async )?\(/
const reason =
  /\b(because|since|so that|otherwise|else|must|would|could|cannot|until|unless|only|without|instead)\b|@(throws|param|example)/
const maxFilesOfName = 4
const maxCommentLength = 360 // three lines
const rules = ['openings', 'variables', 'verbs', 'repeated functions', 'long comments'] as const

type Rule = (typeof rules)[number]
interface ProsePlace {
  rule: Rule
  file: string
  line: number
  text: string
}

/** Number of hits of each rule, by its name in tools/ratchet.json. */
export function proseCounts(): Record<string, number> {
  const places = prosePlaces()
  return Object.fromEntries(
    rules.map((rule) => [`prose/${rule}`, places.filter((place) => place.rule === rule).length]),
  )
}

function prosePlaces(): ProsePlace[] {
  const files = globSync('{src,test,tools,bench}/**/*.{ts,tsx,mjs}')
    .filter(
      (file) => !/src\/db\/tables\.ts$|\/texts\/|\/api\/operations\.ts$|\/runtime\//.test(file),
    )
    .toSorted()
  const places: ProsePlace[] = []
  const filesOfFunctions = new Map<string, Set<string>>()
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n')
    places.push(...placesIn(file, lines))
    if (/^src\/(?!web-tests|testing)/.test(file) && !file.endsWith('.test.ts'))
      for (const line of lines) if (!isComment(line)) addFunction(filesOfFunctions, line, file)
  }
  for (const [name, inFiles] of filesOfFunctions)
    if (inFiles.size > maxFilesOfName)
      places.push({
        rule: 'repeated functions',
        file: [...inFiles].join(', '),
        line: 0,
        text: name,
      })
  return places
}

function addFunction(files: Map<string, Set<string>>, line: string, file: string): void {
  const [, declared, assigned] = declaredFunction.exec(line) ?? []
  const name = declared ?? assigned
  if (name !== undefined) files.set(name, (files.get(name) ?? new Set()).add(file))
}

function* placesIn(file: string, lines: readonly string[]): Generator<ProsePlace> {
  for (const [at, text] of lines.entries()) {
    const place = { file, line: at + 1 }
    const comment = commentAt(lines, at)
    if (comment !== undefined && opening.test(comment))
      yield { ...place, rule: 'openings', text: comment }
    if (comment !== undefined && comment.length > maxCommentLength && !reason.test(comment))
      yield { ...place, rule: 'long comments', text: comment }
    const name = variable.exec(text)?.[0]
    if (name !== undefined) yield { ...place, rule: 'variables', text: name }
    const called = verb.exec(text)?.[1]
    if (called !== undefined) yield { ...place, rule: 'verbs', text: called }
  }
}

/** The comment that starts on a line, without comment markers. */
function commentAt(lines: readonly string[], at: number): string | undefined {
  if (!isComment(lines[at]) || (isComment(lines[at - 1]) && !lines[at - 1]?.includes('*/')))
    return undefined
  let end = at
  while (isComment(lines[end + 1]) && !lines[end]?.includes('*/')) end++
  const block = lines.slice(at, end + 1)
  const text = block.map((line) => line.replace(/^\s*(\/\*\*?|\*\/|\/\/|\*)\s?|\s*\*\/\s*$/g, ''))
  return text.join(' ').trim()
}

const isComment = (line: string | undefined) => /^\s*(\/\/|\/\*|\*)/.test(line ?? '')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = ''] = process.argv.slice(2)
  for (const { rule, file, line, text } of prosePlaces())
    if (file.startsWith(folder)) console.log(`${rule}: ${file}:${line} ${text.slice(0, 100)}`)
}
