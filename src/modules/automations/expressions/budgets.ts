import {
  celFunc,
  celList,
  CelScalar,
  isCelList,
  isCelMap,
  type CelEnv,
  type CelValue,
} from '@bufbuild/cel'

// Limits the cost of an expression. Cost is counted, not timed, so an expression passes or fails the same on slow and
// fast machines.
// CEL has no infinite loops, but nested loops, strings that double, and lists of lists of lists can come close.

/** Step limit of an expression; a few thousand take a millisecond. */
const maxSteps = 40_000
/** Cost of each function call in addition to its work, and of each loop iteration. */
const callCost = 8
const maxTextLength = 100_000
const maxListLength = 10_000

/** Evaluation is synchronous, so one counter is enough. */
let stepsLeft = 0

class TooCostly extends Error {}

function spend(steps: number): void {
  stepsLeft -= steps
  if (!(stepsLeft >= 0)) throw new TooCostly('it needs too many steps')
}

/**
 * Runs work with a new budget. A loop can create an error per iteration, and most of its cost is the stack trace,
 * which is never read.
 */
export function withBudget<T>(work: () => T): T {
  stepsLeft = maxSteps
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const weights = new WeakMap<object, number>()

/** Approximate size of a value that a function processes: shared parts count each time. */
function weightOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return 1 + value.length / 64
  if (!isCelList(value) && !isCelMap(value)) return 1
  const cachedWeight = weights.get(value)
  if (cachedWeight !== undefined) return cachedWeight
  let weight = 1
  for (const celValue of isCelList(value) ? value : [...value.entries()].flat())
    weight += weightOf(celValue)
  weights.set(value, weight)
  return weight
}

const textLengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)

/** A regular expression with repetition costs as much as its expansion. */
function patternSize(pattern: string): number {
  const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) =>
    Math.max(2, Number(to || from)),
  )
  return repeats.reduce((size, n) => size * n, pattern.length)
}

/** Costs of functions that do more than read their arguments once. */
const costs: Record<string, (args: readonly unknown[]) => number> = {
  size: ([value]) => (typeof value === 'string' ? 1 + value.length / 8 : 1),
  '_+_': ([a, b]) =>
    isCelList(a) && isCelList(b)
      ? 2 + (a.size + b.size) / 8
      : 1 + (textLengthOf(a) + textLengthOf(b)) / 32,
  matches: ([text, pattern]) => 100 + patternSize(String(pattern)) * (4 + textLengthOf(text) / 4),
  replace: ([text, part, replacement]) =>
    1 +
    ((1 + textLengthOf(text)) *
      (textLengthOf(text) +
        (textLengthOf(text) / Math.max(1, textLengthOf(part))) * textLengthOf(replacement))) /
      2000,
  split: ([text]) => 1 + textLengthOf(text) / 4,
  ...Object.fromEntries(
    ['lowerAscii', 'upperAscii', 'trim', 'reverse', 'quote', 'strings.quote'].map((name) => [
      name,
      ([text]: readonly unknown[]) => 1 + textLengthOf(text) / 8,
    ]),
  ),
  format: (args) => args.reduce<number>((sum, arg) => sum + 4 * weightOf(arg), 10),
  ...Object.fromEntries(
    ['int', 'uint', 'double', 'timestamp', 'duration'].map((name) => [
      name,
      ([text]: readonly unknown[]) => 2 + (textLengthOf(text) * (100 + textLengthOf(text))) / 1000,
    ]),
  ),
}

function costOf(name: string, args: readonly unknown[]): number {
  const cost = costs[name]
  if (cost) return cost(args)
  if (name.startsWith('get') && args.length === 2) return 500 // with a time zone: its calendar is computed each time
  return args.reduce<number>((sum, arg) => sum + weightOf(arg), 0)
}

function checkResult(value: unknown): void {
  if (textLengthOf(value) > maxTextLength)
    throw new TooCostly(`it produces a text of more than ${maxTextLength} characters`)
  if (isCelList(value) && value.size > maxListLength)
    throw new TooCostly(`it produces a list of more than ${maxListLength} entries`)
}

type Func = NonNullable<ReturnType<CelEnv['funcs']['find']>>

function budgetedFunction(name: string, func: Func): Func {
  const call: Func['call'] = (id, target, args) => {
    spend(callCost + costOf(name, target === undefined ? args : [target, ...args]))
    const value = func.call(id, target, args)
    checkResult(value)
    return value
  }
  return { ...func, call } as Func
}

/**
 * Names that no expression can contain: they count loop iterations, and flatten the results that a loop builds step
 * by step.
 */
export const iterationCounter = '@round'
export const loopResult = '@laid_out'
const overrides: Record<string, Func> = {
  [iterationCounter]: {
    call: (_, __, args) => {
      spend(callCost)
      return args[0]
    },
  } as Func,
  [loopResult]: { call: (_, __, args) => flattened(args[0]!) } as Func,
}

function flattened(value: CelValue): CelValue {
  return isCelList(value) ? (celList([...value]) as CelValue) : value
}

/** The same environment, with every call counted. */
export function budgetedEnvironment(env: CelEnv): CelEnv {
  const functions = new Map<string, Func>()
  const find = (name: string) => {
    const func = overrides[name] ?? functions.get(name)
    if (func) return func
    const original = env.funcs.find(name)
    if (original) functions.set(name, budgetedFunction(name, original))
    return functions.get(name)
  }
  return {
    namespace: env.namespace,
    registry: env.registry,
    variables: env.variables,
    funcs: { find },
  } as CelEnv
}

const arithmetic: Record<string, (a: number, b: number) => number> = {
  '_+_': (a, b) => a + b,
  '_-_': (a, b) => a - b,
  '_*_': (a, b) => a * b,
  '_/_': (a, b) => a / b,
}

/** Integers and doubles may be mixed: JSON does not distinguish them. */
export const mixedArithmetic = Object.entries(arithmetic).flatMap(([name, sum]) => [
  celFunc(name, [CelScalar.INT, CelScalar.DOUBLE], CelScalar.DOUBLE, (a, b) => sum(Number(a), b)),
  celFunc(name, [CelScalar.DOUBLE, CelScalar.INT], CelScalar.DOUBLE, (a, b) => sum(a, Number(b))),
])
