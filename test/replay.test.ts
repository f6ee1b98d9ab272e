// Answers stay the same, byte for byte except for ids and times: two hundred reads of a workspace with one item of
// every type are compared with recorded answers. After an intended change, record again:
// WORKSPACE_REPLAY_TO=/tmp/after npm test -- test/replay.test.ts
// writes the answers of this tree to a folder (compare two trees with `diff -r`), and `recorded-answers.json`, which
// belongs here.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Refusal } from '../src/kernel/refusal.ts'
import type { Ids } from '../src/testing/fixtures/fixture.ts'
import { plantHidden, plantOpen } from '../src/testing/fixtures/organization.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'
import { leastArguments, waysToRead } from '../src/testing/least-calls.ts'

const calls = 200
const recordedAt = new URL('recorded-answers.json', import.meta.url)

interface Call {
  tool: string
  args: Record<string, unknown>
}

let workspace: TestWorkspace
let visibleIds: Ids

before(async () => {
  workspace = await makeWorkspace()
  const { ann } = workspace
  const open = await plantOpen(ann, 'harbor')
  const hidden = await plantHidden(workspace, ann, {
    word: 'budget',
    key: 'PUMP',
    label: open.label![0],
  })
  visibleIds = { ...open, ...hidden }
  await workspace.app.searchEngine.maintain()
})
after(() => workspace.close())

/** Every read in its simplest form, then with further arguments, until there are enough. */
function readsOf({ app }: TestWorkspace): Call[] {
  const reads = app.catalogue.entries.filter(({ operation }) => operation.kind === 'read')
  const ways = reads.map((entry) => ({
    tool: entry.operation.name,
    ways: waysToRead(entry, visibleIds, ['budget harbor']).slice(1),
  }))
  const readCalls: Call[] = reads.map((entry) => ({
    tool: entry.operation.name,
    args: leastArguments(entry, visibleIds),
  }))
  for (let i = 0; readCalls.length < calls; i++)
    for (const { tool, ways: samples } of ways) {
      const args = samples[i]
      if (args) readCalls.push({ tool, args })
    }
  return readCalls.slice(0, calls)
}

/** Times and random values: cursors, key prefixes, addresses of forms and of planted mailboxes. */
const masks: readonly [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[+-]\d\d:\d\d)?/g, 'time'],
  [/"(p95|duration)_ms": \d+/g, '"$1_ms": 0'],
  [/"(next_)?cursor": "[^"]*"/g, '"cursor": ""'],
  [/\bsvc_[0-9A-Za-z]{8}…/g, 'svc_…'],
  [/(?<=\/f\/)[\w-]{22}\b/g, 'form'],
  [/\b\d{8}T\d{6}Z\b/g, 'time'],
  [/UID:[0-9a-f-]{36}/g, 'UID:uid'],
  [/\bbudget-[0-9a-z]{6}\b/g, 'budget'],
]

/** Numbers ids in order of appearance, so that equal answers have equal text. */
class Names {
  readonly #known = new Map<string, string>()

  text(value: unknown): string {
    return masks
      .reduce(
        (text, [pattern, mask]) => text.replaceAll(pattern, mask),
        JSON.stringify(value, null, 1),
      )
      .replaceAll(/\b([a-z]{2,5})_[0-9a-z]{26}\b/g, (id, prefix: string) => this.#name(id, prefix))
  }

  #name(id: string, prefix: string): string {
    const replacement = this.#known.get(id)
    if (replacement) return replacement
    const placeholder = `${prefix}_${this.#known.size}`
    this.#known.set(id, placeholder)
    return placeholder
  }
}

async function outcomeOf({ tool, args }: Call): Promise<unknown> {
  try {
    return await workspace.ann.call(tool, args)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error
    return { refused: code, message }
  }
}

test(`${calls} reads return the recorded responses`, async () => {
  const answers: Answer[] = []
  for (const [i, call] of readsOf(workspace).entries()) {
    const names = new Names()
    const callText = `${call.tool} ${names.text(call.args).replaceAll(/\s+/g, ' ')}`
    const isTwice = answers.some((answer) => answer.call === callText) // with another id
    const answer = names.text(await outcomeOf(call))
    const hash = createHash('sha256').update(answer).digest('hex').slice(0, 12)
    answers.push({ call: isTwice ? `${callText} (${i})` : callText, answer, hash })
  }
  assert.equal(answers.length, calls)
  const folder = process.env.WORKSPACE_REPLAY_TO
  if (folder !== undefined) record(folder, answers)
  const recorded = JSON.parse(readFileSync(recordedAt, 'utf8')) as Record<string, string>
  for (const { call, answer, hash } of answers)
    assert.equal(hash, recorded[call], `${call} answers otherwise than was recorded:\n${answer}`)
})

interface Answer {
  call: string
  answer: string
  hash: string
}

function record(folder: string, answers: readonly Answer[]) {
  mkdirSync(folder, { recursive: true })
  const hashes = Object.fromEntries(answers.map(({ call, hash }) => [call, hash]))
  writeFileSync(join(folder, 'recorded-answers.json'), `${JSON.stringify(hashes, null, 2)}\n`)
  for (const [i, { call, answer }] of answers.entries())
    writeFileSync(join(folder, `${i}.txt`), `${call}\n${answer}\n`)
}
