import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { call } from '../../operations/call/index.ts'
import { Catalogue } from '../../operations/catalogue.ts'
import { modules } from '../../modules/index.ts'
import { exampleHelp, table, type CommonOptions } from '../command.ts'
import { withApp } from '../open.ts'
import { commandLineActor } from '../../identity/people.ts'
import { operationHelp } from './operation-help.ts'

const examples = exampleHelp([
  'workspace call --list',
  'workspace call create_task --help',
  'workspace call list_tasks --as ann@example.org --overdue --limit 5',
  'workspace call create_task --as ann@example.org --project-id WEB --title "Write the plan" --label-ids lbl_… --label-ids lbl_…',
  `workspace call create_task --as ann@example.org --json '{"project_id": "WEB", "title": "Write the plan"}'`,
])

/** Not created by addCommand(): the output is always JSON, so --json takes the arguments here. */
export function registerCallCommand(program: Command): void {
  const self = program
    .command('call')
    .description(
      'Calls an operation as a person, as an assistant would. Prints the result, or on stderr the error, as JSON.',
    )
    .argument('[operation]', 'name of the operation')
    .argument(
      '[fields...]',
      'arguments as --field value; repeat a field for a list, omit the value for true',
    )
    .usage('<operation> --as <email> [--field value …]')
    .option('--as <email>', 'person to call as')
    .option('--json [object]', 'arguments as a JSON object, combined with the fields')
    .option('--args <object>', 'the same as --json')
    .option('--list', 'list the operations')
    .option('--data <dir>', 'data folder (WORKSPACE_DATA)')
    .option('-h, --help', "show help; after an operation, that operation's")
    .helpOption(false)
    .allowUnknownOption()
    .addHelpText('after', examples)
  self.action((operation: string | undefined, fields: string[], options: CallOptions) =>
    runCallCommand(self, operation, fields, options),
  )
}

interface CallOptions extends Omit<CommonOptions, 'json'> {
  as?: string
  json?: string | true
  args?: string
  list?: true
  help?: true
}

async function runCallCommand(
  self: Command,
  name: string | undefined,
  fields: string[],
  options: CallOptions,
): Promise<void> {
  if (options.list) return printOperations(typeof options.json === 'boolean')
  if (options.help || name === undefined) return name === undefined ? self.help() : help(name)
  if (options.as === undefined) self.error('error: name the calling person with --as <email>')
  const args = {
    ...parseCallInput(self, options.args ?? options.json),
    ...parseFields(self, fields),
  }
  const answer = await withApp(options, async (app) => {
    const actor = await commandLineActor(app.store, options.as!)
    return call(app, actor, {
      tool: name,
      args,
      transport: 'cli',
      requestId: randomUUID(),
      route: 'workspace call',
      ip: '',
    })
  })
  process.stdout.write(`${JSON.stringify(answer.value, null, process.stdout.isTTY ? 2 : 0)}\n`)
}

function printOperations(asJson: boolean): void {
  const rows = new Catalogue(modules).entries.map(({ operation, module }) => ({
    name: operation.name,
    module,
    kind: operation.kind,
    route: operation.rest,
    about: operation.about,
  }))
  process.stdout.write(
    `${
      asJson
        ? JSON.stringify(rows)
        : table(
            ['OPERATION', 'MODULE', 'KIND', 'ABOUT'],
            rows.map((row) => [row.name, row.module, row.kind, row.about]),
          )
    }\n`,
  )
}

function help(name: string): void {
  process.stdout.write(`${operationHelp(new Catalogue(modules).requireEntry(name))}\n`)
}

function parseCallInput(self: Command, text: string | true | undefined): Record<string, unknown> {
  if (text === undefined || text === true) return {}
  try {
    const value = JSON.parse(text) as unknown
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Falls through: it is not an object.
  }
  return self.error(`error: the arguments must be one JSON object, not ${text.slice(0, 60)}`)
}

/**
 * Parses `--due-at 2026-12-01 --label-ids a --label-ids b --watching` as arguments; the pipeline interprets the
 * texts.
 */
function parseFields(self: Command, fields: readonly string[]): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (let i = 0; i < fields.length; i++) {
    const match = /^--([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(fields[i]!)
    if (!match) return self.error(`error: ${fields[i]} has no field; write --field ${fields[i]}`)
    const name = match[1]!.replaceAll('-', '_')
    const next = fields[i + 1]
    const value = match[2] ?? (next === undefined || next.startsWith('--') ? true : fields[++i])
    args[name] = name in args ? [args[name], value].flat() : value
  }
  return args
}
