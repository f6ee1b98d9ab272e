import type { Argument, Command, Option } from 'commander'
import { exitHelp } from '../src/cli/exit.ts'
import { programFor } from '../src/cli/program.ts'
import { settingList } from '../src/config/settings.ts'
import { cell } from './cells.ts'

/** The command line reference page, generated from the commands. */
export async function cliPage(): Promise<string> {
  const program = await programFor([])
  const groups = await Promise.all(
    program.commands.map(
      async (command) =>
        (await programFor([command.name()])).commands.find(
          (subcommand) => subcommand.name() === command.name(),
        )!,
    ),
  )
  return [
    '# Commands',
    '',
    'Every command answers `--help`. With `--json` a command prints one JSON value on standard output, and a failure as `{"code", "message"}` on standard error. `--data` names the folder of the workspace (`WORKSPACE_DATA`); both are left out below.',
    '',
    ...exitTable(),
    '',
    ...groups.flatMap((group) => groupText(group)),
  ].join('\n')
}

function exitTable(): string[] {
  const rows = [...exitHelp.matchAll(/^\s*(\d+)\s{2}(.+)$/gm)].map(
    ([, code, meaning]) => `| ${code} | ${cell(meaning!)} |`,
  )
  return ['| exit code | |', '| --- | --- |', ...rows]
}

function groupText(group: Command): string[] {
  if (group.commands.length === 0) return commandText(group, '##')
  return [
    `## workspace ${group.name()}`,
    '',
    `${sentence(group.description())}`,
    '',
    ...group.commands.flatMap((command) =>
      command.commands.length > 0 ? groupText(command) : commandText(command, '###'),
    ),
  ]
}

function commandText(command: Command, heading: string): string[] {
  const examples = examplesOf(command)
  return [
    `${heading} ${nameOf(command)}`,
    '',
    `\`${nameOf(command)} ${command.usage()}\``,
    '',
    sentence(command.description()),
    '',
    ...table(
      command.registeredArguments
        .filter(
          (registeredArgument) => registeredArgument.description || registeredArgument.argChoices,
        )
        .map(argumentRow),
      'argument',
    ),
    ...table(command.options.filter((option) => isOwn(option, command)).map(optionRow), 'option'),
    ...(command.name() === 'serve'
      ? ['Every setting is an option, too: [settings.md](settings.md).', '']
      : []),
    ...(examples.length > 0 ? ['```text', ...examples, '```', ''] : []),
  ]
}

function table(rows: readonly string[], what: string): string[] {
  return rows.length === 0 ? [] : [`| ${what} | |`, '| --- | --- |', ...rows, '']
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

const settingFlags = new Set(Object.values(settingList).map((item) => item.flag.split(' ')[0]!))

/** True for a command's own options; those of every command, and server settings, are documented elsewhere. */
function isOwn(option: Option, command: Command): boolean {
  return (
    !option.hidden &&
    !['--data', '--json'].includes(option.long ?? '') &&
    !(command.name() === 'serve' && settingFlags.has(option.long ?? ''))
  )
}

function optionRow(option: Option): string {
  const preset =
    option.defaultValue === undefined || Array.isArray(option.defaultValue)
      ? ''
      : `; default \`${String(option.defaultValue)}\``
  return `| \`${cell(option.flags)}\`${option.mandatory ? ' (needed)' : ''} | ${cell(option.description)}${choices(option.argChoices)}${preset} |`
}

function argumentRow(argument: Argument): string {
  return `| \`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\` | ${cell(argument.description)}${choices(argument.argChoices)} |`
}

function choices(all: readonly string[] | undefined): string {
  return all ? `; one of ${all.map((name) => `\`${name}\``).join(', ')}` : ''
}

/** The lines after "Examples:" in a command's help. */
function examplesOf(command: Command): string[] {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  const [, examples = ''] = help.split('\nExamples:\n')
  return examples
    .split('\n\n')[0]!
    .trimEnd()
    .split('\n')
    .map((part) => part.trim())
    .filter(Boolean)
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!]$/.test(text) ? '' : '.'}`
}
