import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { Entry } from '../../../operations/entry.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../../records/paging.ts'
import { itemResources } from '../../../records/resource.ts'
import { lean, toJson, type JsonSchema } from '../../../operations/schemas.ts'
import { expressionFunctions } from '../expressions/expressions.ts'
import { functionNotes } from '../expressions/function-notes.ts'
import { templateFilters } from '../expressions/templates.ts'
import { knownEvents } from '../triggers/event-matches.ts'
import { actionEntry } from './action-tools.ts'
import { readerToolOf } from './item-lookups.ts'
import { controls, EventParams, ScheduleParams } from './plans.ts'
import { schemaPieces } from './schema-pieces.ts'

const kinds = ['trigger', 'condition', 'action'] as const

const AutomationPart = shape('AutomationPart', {
  kind: z.enum(kinds),
  type: z.string(),
  event: z.string().optional().describe('triggers of type event: params.event'),
  summary: z.string(),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema; with type; of a long one, each page has other properties'),
  module: z.string(),
  outbound: z.boolean().describe('sends something outside, always or depending on its arguments'),
})
type AutomationPart = z.infer<typeof AutomationPart>

export const listAutomationCatalog = operation({
  name: 'list_automation_catalog',
  searchHint: 'what can be automated, available triggers, zapier',
  kind: 'read',
  rest: 'GET /api/automation-catalog',
  about:
    'Triggers, conditions and actions for building automations; with type, one of them and its fields',
  input: {
    kind: z.enum(kinds).optional(),
    type: shortText(100)
      .optional()
      .describe('an action, an event such as task.created, or a type of item for its fields'),
    query: shortText(200).optional(),
    ...paging,
  },
  output: pageOf(AutomationPart),
  async handle({ kind, type, query, limit, cursor }, ctx) {
    const words = (query ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
    const matches =
      query !== undefined && words.length === 0
        ? []
        : allParts(ctx).filter(
            (item) =>
              (kind === undefined || item.kind === kind) &&
              (type === undefined || item.name === type) &&
              words.every((word) => item.text.includes(word)),
          )
    const parts = type === undefined ? matches.map(summaryPart) : matches.flatMap(partsWithParams)
    const start = cursor === undefined ? 0 : catalogStartAfter(parts, cursor)
    const items = parts.slice(start, start + limit)
    const pageItems = type === undefined ? items : fittingPage(items)
    const hasMore = start + pageItems.length < parts.length
    return omitNullish({
      items: pageItems.map((item) => item.part),
      has_more: hasMore,
      next_cursor: hasMore ? encodeCursor([pageItems.at(-1)!.key]) : undefined,
    })
  },
})

/** Maximum characters of a page, and of one part's fields in it. */
const maxPageCharacters = 5500
const maxParamsCharacters = 5000

interface KeyedPart {
  /** Key for cursors. */
  key: string
  part: AutomationPart
}

const summaryPart = (item: LazyPart): KeyedPart => ({ key: keyOf(item), part: item.part })

/** A part with its fields; split into several if they are long. */
function partsWithParams(item: LazyPart): KeyedPart[] {
  const { params = {}, ...part } = item.withParams()
  return [...schemaPieces(params, maxParamsCharacters)].map((piece, i) => ({
    key: `${keyOf(item)} ${i}`,
    part: { ...part, params: piece },
  }))
}

/** The first parts that fit on a page; at least one. */
function fittingPage(items: readonly KeyedPart[]): readonly KeyedPart[] {
  let sum = 0
  const firstBeyond = items.findIndex(({ part }, i) => {
    sum += JSON.stringify(part).length
    return i > 0 && sum > maxPageCharacters
  })
  return firstBeyond < 0 ? items : items.slice(0, firstBeyond)
}

/** A part whose parameters are generated only when shown. */
interface LazyPart {
  kind: AutomationPart['kind']
  /** Unique among the parts of its kind; requested by the argument `type`. */
  name: string
  /** Text that searches match against. */
  text: string
  part: AutomationPart
  withParams(): AutomationPart
}

const keyOf = ({ kind, name }: LazyPart) => `${kind} ${name}`

function catalogStartAfter(parts: readonly KeyedPart[], cursor: string): number {
  const [key] = decodeCursor(cursor)
  const at = parts.findIndex((item) => item.key === key)
  if (at < 0) throw badCursor()
  return at + 1
}

function allParts(ctx: ReadContext): LazyPart[] {
  return [...triggers(ctx), ...conditions(ctx), ...actions(ctx)]
}

const lazyPart = (
  name: string,
  part: Omit<AutomationPart, 'params'>,
  params: () => JsonSchema,
): LazyPart => ({
  kind: part.kind,
  name,
  part,
  text: `${part.type} ${part.summary} ${part.module}`.toLowerCase(),
  withParams: () => ({ ...part, params: params() }),
})

const automationsModule = { module: 'automations', outbound: false } as const

/** The trigger of all events, with their common fields. */
function anyEvent(): LazyPart {
  return lazyPart(
    'event',
    {
      kind: 'trigger',
      type: 'event',
      summary:
        'Runs when something happens; gives item with its fields, event {name, at, via}, actor {id, title} and changes {field: {from, to}}',
      ...automationsModule,
    },
    () => lean(toJson(EventParams, 'input')),
  )
}

function triggers(ctx: ReadContext): LazyPart[] {
  const moduleOf = modulesOfTypes(ctx)
  const event = (name: string) => {
    const type = name.slice(0, name.indexOf('.'))
    const schema = lean(toJson(EventParams, 'input'))
    const params = () => ({
      ...schema,
      properties: { ...(schema.properties as object), event: { const: name } },
    })
    return lazyPart(
      name,
      {
        kind: 'trigger',
        type: 'event',
        event: name,
        summary: `${name}: item is ${withArticle(type)}`,
        module: moduleOf.get(type) ?? 'activity',
        outbound: false,
      },
      params,
    )
  }
  return [
    anyEvent(),
    ...knownEvents(ctx.catalogue).map(event),
    lazyPart(
      'schedule',
      {
        kind: 'trigger',
        type: 'schedule',
        summary: 'Runs on a cron schedule in a time zone (default: yours)',
        ...automationsModule,
      },
      () => lean(toJson(ScheduleParams, 'input')),
    ),
    lazyPart(
      'webhook',
      {
        kind: 'trigger',
        type: 'webhook',
        summary: 'Runs when JSON is posted to its secret address; gives trigger.payload',
        ...automationsModule,
      },
      noParams,
    ),
    lazyPart(
      'manual',
      {
        kind: 'trigger',
        type: 'manual',
        summary: 'Runs only on run_automation, which gives item and input',
        ...automationsModule,
      },
      noParams,
    ),
  ]
}

const noParams = (): JsonSchema => ({ type: 'object', properties: {} })

/** The module of each item type. */
function modulesOfTypes({ catalogue }: ReadContext): Map<string, string> {
  const eventModules = catalogue.modules.flatMap((module) =>
    (module.events ?? []).map((name) => [name.slice(0, name.indexOf('.')), module.name] as const),
  )
  const readerModules = itemResources().flatMap(({ definition: { type } }) => {
    const entry =
      catalogue.find(`get_${type}`) ??
      catalogue.find(`list_${type}s`) ??
      catalogue.find(`create_${type}`)
    return entry ? [[type, entry.module] as const] : []
  })
  return new Map([...eventModules, ...readerModules])
}

function conditions(ctx: ReadContext): LazyPart[] {
  const expression = (name: string, module: string, summary: string, params: () => JsonSchema) =>
    lazyPart(
      name,
      { kind: 'condition', type: 'expression', summary, module, outbound: false },
      params,
    )
  const expressionParams = (): JsonSchema => ({
    type: 'object',
    properties: { expression: { type: 'string', description: 'CEL' } },
    required: ['expression'],
  })
  const items = itemResources().flatMap(({ definition: { type } }) => {
    const tool = readerToolOf(ctx.catalogue, type)
    const entry = tool === undefined ? undefined : ctx.catalogue.find(tool)
    return entry && !ctx.refusalFor(entry)
      ? [
          expression(
            type,
            entry.module,
            `item.<field> of ${withArticle(type)}${formValuesNote(type)}; params is the item as conditions see it`,
            () => itemSchemaOf(entry),
          ),
        ]
      : []
  })
  return [
    ...[...functionNotes, functionList, filterList].map(([name, summary]) =>
      expression(`function ${name}`, 'automations', `${name}: ${summary}`, expressionParams),
    ),
    ...items,
  ]
}

/** All functions, by name only. */
const functionList = [
  'functions',
  [
    ...expressionFunctions.functions.map((name) => `${name}()`),
    ...expressionFunctions.methods.map((name) => `.${name}()`),
  ].join(', '),
] as const

/** Filters for templates in action texts, which are not expressions. */
const filterList = [
  'filters of templates',
  `{{ name | filter }}: ${templateFilters.join(', ')}`,
] as const

const formValuesNote = (type: string) =>
  type === 'form_response' ? ', plus values.<field id>' : ''

/** Schema of one item that the operation returns; for a list, of its entries. */
function itemSchemaOf({ schemas }: Entry): JsonSchema {
  const outputSchema = lean(toJson(schemas.output, 'output'))
  return schemas.itemFields
    ? ((outputSchema.properties as Record<string, JsonSchema>).items!.items as JsonSchema)
    : outputSchema
}

function actions(ctx: ReadContext): LazyPart[] {
  const controlParts = Object.entries(controls).map(([type, schema]) =>
    lazyPart(
      type,
      {
        kind: 'action',
        type,
        summary: controlNotes[type as keyof typeof controls],
        ...automationsModule,
      },
      () => lean(toJson(schema, 'input')),
    ),
  )
  const actionEntries = ctx.catalogue.entries.filter(
    (entry) => actionEntry(ctx.catalogue, entry.operation.name) && !ctx.refusalFor(entry),
  )
  return [
    ...controlParts,
    ...actionEntries.map((entry) =>
      lazyPart(
        entry.operation.name,
        {
          kind: 'action',
          type: entry.operation.name,
          summary: entry.operation.about,
          module: entry.module,
          outbound: entry.operation.outbound !== undefined,
        },
        () => paramsOf(entry),
      ),
    ),
  ]
}

const controlNotes: Record<keyof typeof controls, string> = {
  wait: 'Waits for a period or until a given time; at most 30 days',
  branch: 'Runs one of two lists of actions, depending on a condition',
  for_each: 'Runs actions for each entry of a list of at most 100; they see it as each and index',
  stop: 'Ends the run; it counts as succeeded',
}

function paramsOf({ schemas }: Entry): JsonSchema {
  const {
    idempotency_key: _,
    dry_run: __,
    ...properties
  } = schemas.toolJson.properties as Record<string, JsonSchema>
  return { ...schemas.toolJson, properties }
}

/** A type's name with its article. */
function withArticle(type: string): string {
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type.replaceAll('_', ' ')}`
}
