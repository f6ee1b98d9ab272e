import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../testing/properties.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { checkExpression, evaluateExpression } from './conditions.ts'
import { checkTemplates, render } from './templates.ts'
import { exampleScope } from './testing.ts'

const repeated = (part: string, times: number) => part.repeat(times)
const attacks = [
  'item.constructor.constructor("return process")()',
  '"".constructor',
  'item["__proto__"]["polluted"]',
  'trigger.payload.__proto__.polluted',
  'item.many.all(a, item.many.all(b, true))',
  'item.many.map(x, x).map(x, x)',
  `["aaaaaaaaaa"]${repeated('.map(x, x + x + x + x)', 80)}.size() > 0`,
  `[1]${repeated('.map(x, [x, x, x])', 60)} == [1]`,
  `[1]${repeated('.map(x, [x, x, x])', 60)}`,
  `[[1]]${repeated('.map(x, x + x)', 90)} == [1]`,
  'item.long.matches("(a+)+$")',
  'item.long.matches("(a?){500}a{500}")',
  'item.long.matches("(((a{30}){30}){30})b")',
  'item.list.all(x, item.long.matches("(a|aa)+b"))',
  'item.long.replace("a", item.long)',
  'item.long.replace("", "bb")',
  'item.long.split("")',
  'item.long.split("").join(item.long)',
  'item.list.map(x, item.long.lowerAscii())',
  'item.list.map(x, item.long.size())',
  'item.list.map(x, item.long + x)',
  'item.list.map(x, item.many == item.many)',
  'item.list.all(x, item.list.all(y, timestamp(now).getHours("Europe/Berlin") > 0))',
  '"%1000000d".format([1])',
  '"%s".format([item.many])',
  'item.list.map(x, "%s".format([item.many]))',
  'int(item.long.replace("a", "9"))',
  'item.list.exists(x, item.list.exists(y, x == y + "q"))',
  `${'('.repeat(990)}1${')'.repeat(990)}`,
  '['.repeat(990),
  `${'{1:'.repeat(400)}1${'}'.repeat(400)}`,
  `${'!'.repeat(1900)}true`,
  `${'-'.repeat(1900)}1`,
  `true${repeated(' ? true : true', 120)}`,
  `1${repeated(' + 1', 490)}`,
  `item${repeated('["a"]', 350)}`,
  `${repeated('[1].all(x, ', 100)}true${')'.repeat(100)}`,
  `"${'\\'.repeat(1800)}`,
  '9223372036854775807 * 2',
  '-9223372036854775808 / -1',
  '1u - 2u',
  'bytes(item.long) == bytes(item.long)',
  'type(type(type(1)))',
  'dyn(dyn)',
  '{"a": 1, "a": 2}',
  'duration("999999999999999h")',
  'timestamp("9999-12-31T23:59:59Z") + duration("9999h")',
]
const liquidAttacks = [
  '{{ item.constructor.constructor }}',
  '{% assign __proto__ = item %}{{ __proto__.n }}',
  '{% assign constructor = item %}',
  '{{ item | map: "constructor" }}',
  '{{ item.list | where: "__proto__" }}',
  '{% for i in (1..1000000000) %}x{% endfor %}',
  '{% for i in (1..99999) %}{% for j in (1..99999) %}x{% endfor %}{% endfor %}',
  '{% for i in item.many %}{% for j in item.many %}{{ item.long }}{% endfor %}{% endfor %}',
  '{{ (1..1000000000) | join }}',
  '{% assign x = "a" %}{% for i in (1..100) %}{% assign x = x | append: x %}{% endfor %}{{ x }}',
  '{{ item.long | replace: "a", item.long }}',
  '{{ "now" | date: "%100000000Y" }}',
  '{% capture x %}{% for i in (1..100000) %}{{ item.long }}{% endfor %}{% endcapture %}{{ x | size }}',
  '{{ item.many | json | append: item.long | split: "" | sort | uniq | join: "," }}',
  `{{ item.long | slice: 0, 9000 | split: ""${repeated(' | sort_natural | reverse', 700)} | size }}`,
  '{{'.repeat(3000),
  '{% if true %}'.repeat(1500),
  `{{ item${'[item'.repeat(3000)} }}`,
  `{{ item${'.a'.repeat(9000)} }}`,
  `{% if true${' and true'.repeat(1500)} %}x{% endif %}`,
  '{% include "/etc/passwd" %}',
  '{% render "x" %}',
  '{% tablerow i in (1..100000) %}x{% endtablerow %}',
  '{% liquid\nassign x = 1\necho x %}',
  '{{ item.long | strip_html | escape | url_encode | base64_encode }}',
  '{{ item.long | truncatewords: 99999999 }}',
  '{{ 1 | divided_by: 0 }}',
  '{{ item | inspect }}',
  '{% raw %}{{ x }}',
  '{% comment %}',
  '{% cycle 1, 2 %}{% increment item %}',
]

const operands = fc.constantFrom(
  'item',
  'item.many',
  'item.list',
  'item.long',
  'changes',
  'now',
  'index',
  'x',
  'constructor',
  '__proto__',
  'item.constructor',
  '1',
  '"a"',
  '-1',
  '2.5',
  '[]',
  '{}',
  'null',
  'true',
  '9223372036854775807',
)
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression')
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      operands,
      fc
        .tuple(
          inner,
          fc.constantFrom('+', '-', '*', '/', '%', '==', '<', '&&', '||', 'in', '.', '?'),
          inner,
        )
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc
        .tuple(inner, fc.constantFrom('all', 'exists', 'map', 'filter', 'exists_one'), inner)
        .map(([a, loop, b]) => `${a}.${loop}(x, ${b})`),
      fc
        .tuple(
          inner,
          fc.constantFrom(
            'size',
            'matches',
            'replace',
            'split',
            'join',
            'contains',
            'format',
            'lowerAscii',
            'substring',
            'getHours',
            'constructor',
            '__defineGetter__',
            'toString',
          ),
          fc.array(inner, { maxLength: 2 }),
        )
        .map(([a, name, args]) => `${a}.${name}(${args.join(', ')})`),
      fc.array(inner, { maxLength: 4 }).map((all) => `[${all.join(', ')}]`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(inner, inner).map(([a, b]) => `${a}[${b}]`),
      fc.tuple(inner, inner).map(([a, b]) => `{${a}: ${b}}`),
      fc.string({ maxLength: 12 }),
    ),
  }
})

const { template } = fc.letrec<{ template: string }>((tie) => {
  const inner = tie('template')
  const filter = fc.constantFrom(
    'json',
    'size',
    'split: ""',
    'join',
    'sort',
    'reverse',
    'append: item.long',
    'replace: "a", item.long',
    'times: 1e308',
    'date: "%Y"',
    'map: "constructor"',
    'concat: item.many',
    'first',
    'slice: -1, 99999',
    'where: "x"',
    'default: item',
    'plain_text',
    'quote',
  )
  const output = fc
    .tuple(operands, fc.array(filter, { maxLength: 4 }))
    .map(([name, filters]) => `{{ ${[name, ...filters].join(' | ')} }}`)
  return {
    template: fc.oneof(
      { maxDepth: 4 },
      output,
      fc.tuple(operands, inner).map(([name, body]) => `{% for x in ${name} %}${body}{% endfor %}`),
      fc.tuple(operands, inner).map(([name, body]) => `{% if ${name} %}${body}{% endif %}`),
      fc
        .tuple(fc.constantFrom('x', '__proto__', 'constructor', 'item'), operands)
        .map(([name, value]) => `{% assign ${name} = ${value} %}`),
      fc.tuple(inner, inner).map((all) => all.join('')),
      fc.string({ maxLength: 12 }).map((text) => `{{ ${text} }}`),
    ),
  }
})

/** Milliseconds of processor time. Quadratic work takes seconds; on shared cores, the same work takes twice as long. */
const maxCostMs = 100

/**
 * Processor time, since the machine has other work; the best of three, since a garbage collection may occur at any
 * time.
 */
async function costOf(work: () => Promise<void>): Promise<number> {
  let best = Infinity
  for (let n = 0; n < 3 && best > maxCostMs; n++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

async function allowRefusal(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

const expressionWork = (text: string) => async () => {
  await allowRefusal(() => checkExpression(text, 'condition'))
  await allowRefusal(() => evaluateExpression(text, exampleScope))
}
const templateWork = (text: string) => async () => {
  await allowRefusal(() => checkTemplates(text, 'text'))
  await allowRefusal(() => render({ text }, exampleScope))
}

/** Snapshot of global state that no expression may change. */
function globalState(): string {
  const prototypes = [Object, Array, String, Number, Map, Function, Promise].map(
    (item) => Object.getOwnPropertyNames(item.prototype).length,
  )
  return JSON.stringify([
    Object.getOwnPropertyNames(globalThis).length,
    prototypes,
    ({} as { polluted?: unknown }).polluted ?? null,
    exampleScope,
  ])
}

test('known attacks end quickly with a result or a refusal and have no side effects', async () => {
  const before = globalState()
  const slow: [string, number][] = []
  for (const work of [
    ...attacks.map((text) => [text, expressionWork(text)] as const),
    ...liquidAttacks.map((text) => [text, templateWork(text)] as const),
  ]) {
    const cost = await costOf(work[1])
    if (cost > maxCostMs) slow.push([work[0].slice(0, 80), cost])
  }
  assert.deepEqual(slow, [])
  assert.equal(globalState(), before)
})

test('5,000 random expressions and templates neither crash, nor take long, nor have side effects', async () => {
  const before = globalState()
  const check = (texts: fc.Arbitrary<string>, prepare: (text: string) => () => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(texts, async (text) =>
        assert.ok((await costOf(prepare(text))) <= maxCostMs, text),
      ),
      { numRuns: 2500, seed: 6 },
    )
  await check(expression, expressionWork)
  await check(template, templateWork)
  assert.equal(globalState(), before)
})
