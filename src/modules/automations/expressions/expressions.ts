import {
  celEnv,
  isCelError,
  isCelList,
  isCelMap,
  isCelUint,
  parse,
  plan,
  type CelInput,
} from '@bufbuild/cel'
import { strings } from '@bufbuild/cel/ext'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import {
  budgetedEnvironment,
  iterationCounter,
  loopResult,
  mixedArithmetic,
  withBudget,
} from './budgets.ts'

// Expressions are CEL (@bufbuild/cel): they always terminate, can access only the given values, and their regular
// expressions (RE2) do not backtrack. Their cost is counted (budgets.ts).

const env = celEnv({ funcs: [...strings, ...mixedArithmetic] })
const countingEnv = budgetedEnvironment(env)
/** Maximum nesting of loops: their costs multiply. */
const maxLoopNesting = 2
const maxNesting = 60
const maxExpressionLength = 2000

/** Names that the parser expands as macros. */
const macros = {
  functions: ['has'],
  methods: ['all', 'exists', 'exists_one', 'filter', 'map'],
}

const isFunctionName = (name: string) => /^[a-z]\w*$/i.test(name)
const functionNamesOf = (isMethod: boolean) =>
  [...env.funcs].flatMap(({ name, target }) =>
    (target !== undefined) === isMethod && isFunctionName(name) ? [name] : [],
  )

/** Functions that an expression can call, and methods that it can call on a value. */
export const expressionFunctions = {
  functions: [...new Set([...macros.functions, ...functionNamesOf(false)])].toSorted(),
  methods: [...new Set([...macros.methods, ...functionNamesOf(true)])].toSorted(),
}

type Parsed = ReturnType<typeof parse>
type Program = ReturnType<typeof plan>
type Tree = Record<string, unknown>
interface Node {
  id: bigint
  exprKind: { case: string; value: Tree }
}

/** Compiled expressions, most of which run repeatedly. */
const programs = new BoundedMap<string, Program>(1000)

/** Refuses invalid expressions and unknown names, with the position. @throws Refusal invalid_argument */
export function compile(text: string, names: readonly string[], field: string): Program {
  const cached = programs.get(text)
  if (cached) return cached
  const parsed = parseExpression(text, field)
  checkTree(
    { text, field, names: new Set(names), positions: parsed.sourceInfo?.positions ?? {} },
    parsed.expr,
    new Set(),
    0,
    0,
  )
  const program = planProgram(parsed, field)
  programs.set(text, program)
  return program
}

function parseExpression(text: string, field: string): Parsed {
  if (text.length > maxExpressionLength)
    throw new Refusal('too_large', `${field}: longer than ${maxExpressionLength} characters.`, {
      field,
    })
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(field)
    const [, line, column, problem] = /^<input>:(\d+):(\d+): ([^]*)$/.exec(
      (error as Error).message,
    ) ?? [undefined, '1', '1', (error as Error).message]
    throw invalid(
      field,
      `is not a valid expression: line ${line}, column ${column}: ${problem!.slice(0, 160)}.`,
      'Write conditions in CEL, such as item.priority == "urgent".',
    )
  }
}

function planProgram(parsed: Parsed, field: string): Program {
  try {
    return plan(countingEnv, parsed.expr!)
  } catch (error) {
    throw invalid(field, `is not a valid expression: ${(error as Error).message.slice(0, 200)}.`)
  }
}

const tooDeep = (field: string) => invalid(field, `is nested more than ${maxNesting} levels deep.`)

/** Calls built into the planner. */
const builtIn = new Set([
  '_[_]',
  '_?_:_',
  '_&&_',
  '_||_',
  '@not_strictly_false',
  '__not_strictly_false__',
])
/** Type names, which an expression may use as values. */
const types = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
])

interface CheckContext {
  text: string
  field: string
  names: ReadonlySet<string>
  positions: Record<string, number>
}

/** Validates a tree, and makes its loops count their iterations. */
function checkTree(
  checking: CheckContext,
  tree: unknown,
  bound: ReadonlySet<string>,
  loops: number,
  depth: number,
): void {
  if (tree === null || typeof tree !== 'object') return
  if (depth > 4 * maxNesting) throw tooDeep(checking.field)
  if (Array.isArray(tree))
    return tree.forEach((item) => checkTree(checking, item, bound, loops, depth + 1))
  const node = tree as Partial<Node>
  const { case: kind, value } = node.exprKind ?? {}
  if (kind === 'comprehensionExpr')
    return checkLoop(checking, node as Node, bound, loops + 1, depth)
  if (kind === 'identExpr') checkName(checking, node as Node, bound)
  if (
    kind === 'callExpr' &&
    !builtIn.has(value!.function as string) &&
    !env.funcs.find(value!.function as string)
  )
    throw unknownRefusal(checking, node as Node, `function ${String(value!.function)}`)
  if (kind === 'structExpr' && value!.messageName !== '')
    throw unknownRefusal(checking, node as Node, `type ${String(value!.messageName)}`)
  for (const item of Object.values(tree)) checkTree(checking, item, bound, loops, depth + 1)
}

function checkLoop(
  context: CheckContext,
  node: Node,
  bound: ReadonlySet<string>,
  loops: number,
  depth: number,
): void {
  if (loops > maxLoopNesting)
    throw invalid(
      context.field,
      `has more than ${maxLoopNesting} nested loops${positionText(context, node)}.`,
    )
  const { value } = node.exprKind
  const boundInLoop = new Set([...bound, value.iterVar as string, value.accuVar as string])
  checkTree(context, value.iterRange, bound, loops - 1, depth + 1)
  for (const name of ['accuInit', 'loopCondition', 'loopStep', 'result'])
    checkTree(context, value[name], boundInLoop, loops, depth + 1)
  value.loopCondition = wrapInCall(value.loopCondition as Node, iterationCounter)
  value.result = wrapInCall(value.result as Node, loopResult)
}

function wrapInCall(node: Node, name: string): Node {
  return { ...node, exprKind: { case: 'callExpr', value: { function: name, args: [node] } } }
}

function checkName(checking: CheckContext, node: Node, bound: ReadonlySet<string>): void {
  const name = node.exprKind.value.name as string
  if (bound.has(name) || checking.names.has(name) || types.has(name)) return
  throw unknownRefusal(
    checking,
    node,
    `name ${name}`,
    `An expression can use ${[...checking.names].join(', ')}.`,
  )
}

function unknownRefusal(context: CheckContext, node: Node, what: string, hint?: string): Refusal {
  return invalid(context.field, `unknown ${what.slice(0, 80)}${positionText(context, node)}.`, hint)
}

function positionText({ text, positions }: CheckContext, { id }: Node): string {
  const at = positions[String(id)]
  if (at === undefined) return ''
  const lines = text.slice(0, at).split('\n')
  return `, line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}

/** Evaluates an expression with these values and returns plain JSON. @throws Error that says why there is no result */
export function evaluateProgram(
  program: Program,
  scope: Readonly<Record<string, unknown>>,
): unknown {
  const values = Object.fromEntries(
    Object.entries(scope).map(([name, item]) => [name, toCel(item)]),
  )
  const value = withBudget(() => program(values))
  if (isCelError(value)) throw new Error(value.message)
  return toPlainJson(value, { left: 20_000 })
}

function toCel(value: unknown): CelInput {
  if (Array.isArray(value)) return value.map(toCel)
  if (value !== null && typeof value === 'object')
    return new Map(Object.entries(value).map(([name, item]) => [name, toCel(item)]))
  return (Number.isSafeInteger(value) ? BigInt(value as number) : (value ?? null)) as CelInput
}

/** Converts a result to plain JSON. */
function toPlainJson(value: unknown, budget: { left: number }): unknown {
  if (--budget.left < 0) throw new Error('its result is too large')
  if (typeof value === 'bigint') return Number(value)
  if (isCelUint(value)) return Number(value.value)
  if (isCelList(value)) return [...value].map((celValue) => toPlainJson(celValue, budget))
  if (isCelMap(value))
    return Object.fromEntries(
      [...value.entries()].map(([name, item]) => [String(name), toPlainJson(item, budget)]),
    )
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? value
    : String(value)
}
