import { Command, CommanderError } from 'commander'
import { exitHelp, exits, tell } from './exit.ts'
import { version } from './version.ts'

interface Group {
  about: string
  load: () => Promise<{ register: (program: Command) => void }>
}

/** The commands. Only the one that is asked for is loaded, so that help and version come at once. */
const groups: Record<string, Group> = {
  serve: { about: 'start the workspace', load: () => import('./serve.ts') },
  orgs: { about: 'create and list organizations, assign plans', load: () => import('./orgs.ts') },
  users: {
    about: 'create, list and deactivate people; set roles and passwords',
    load: () => import('./users.ts'),
  },
  keys: { about: 'create, list, revoke and check API keys', load: () => import('./keys.ts') },
  approvals: {
    about: 'approve or deny outbound calls that wait for approval',
    load: () => import('./approvals.ts'),
  },
  accounts: {
    about: 'connect external mail, calendar and file accounts',
    load: () => import('./accounts.ts'),
  },
  connect: {
    about: 'connect an assistant: show how, write its configuration, check it',
    load: () => import('./connect.ts'),
  },
  mcp: {
    about: 'MCP over stdio, for assistants that can only start a command',
    load: () => import('./mcp.ts'),
  },
  call: { about: 'call any operation as a person', load: () => import('./call.ts') },
  backup: { about: 'back everything up while it runs', load: () => import('./backup.ts') },
  restore: { about: 'restore a backup into an empty folder', load: () => import('./restore.ts') },
  doctor: {
    about: 'check configuration, files, database and machine; suggest fixes',
    load: () => import('./doctor.ts'),
  },
  health: {
    about: 'check whether the running workspace is ready (for containers and monitoring)',
    load: () => import('./health.ts'),
  },
  audit: { about: 'verify and export the call log', load: () => import('./audit.ts') },
  secrets: {
    about: 'show the sealed secrets; change the master key',
    load: () => import('./secrets.ts'),
  },
  usage: { about: 'show calls made and plan limits', load: () => import('./usage.ts') },
  abuse: {
    about: 'show findings of the abuse rules; release held keys',
    load: () => import('./abuse.ts'),
  },
  jobs: { about: 'list, retry and cancel background jobs', load: () => import('./jobs.ts') },
  search: {
    about: 'show and rebuild the semantic search index',
    load: () => import('./search.ts'),
  },
  demo: { about: 'create an organization with sample data', load: () => import('./demo.ts') },
}

const examples = `
Examples:
  workspace serve                                               start it; the first start prints a setup link
  workspace users create --email ann@example.org --name Ann     add a colleague
  workspace keys create --user ann@example.org --name laptop    create a key and show how to connect an assistant
  workspace call list_tasks --as ann@example.org --overdue      call any operation, as an assistant would
`

/** The command line, with those groups that these arguments ask for. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('workspace')
    .description('A workspace that people share with their AI assistants.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help; works after every command')
    .addHelpText('after', examples + exitHelp)
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // runProgram tells it, in the form that was asked for
  const asked = args.find((arg) => arg in groups)
  for (const [name, { about, load }] of Object.entries(groups)) {
    if (name === asked) (await load()).register(program)
    else program.command(name).description(about)
  }
  return program
}

/** Runs a command line to its end. Returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let program: Command | undefined
  try {
    program = await programFor(args)
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? exits.ok)
  } catch (error) {
    if (error instanceof CommanderError) return usage(error, args, program)
    return tell(error, args.includes('--json') || args[0] === 'call')
  }
}

function usage(
  error: CommanderError,
  args: readonly string[],
  program: Command | undefined,
): number {
  if (error.exitCode === 0) return exits.ok // help and version are thrown, too
  if (error.code === 'commander.help') return exits.usage // a group without a command: its help is on stderr already
  const message = error.message.replace(/^error: /, '')
  const help = ['workspace', ...commandIn(args, program), '--help'].join(' ')
  process.stderr.write(
    args.includes('--json')
      ? `${JSON.stringify({ code: 'usage', message })}\n`
      : `workspace: ${message}\nSee ${help}\n`,
  )
  return exits.usage
}

/** The words of a command line that name its command. */
function commandIn(args: readonly string[], program: Command | undefined): string[] {
  const at = args.findIndex((arg) => arg in groups)
  if (at < 0) return []
  const named = program?.commands
    .find((one) => one.name() === args[at])
    ?.commands.find((one) => one.name() === args[at + 1])
  return named ? [args[at]!, named.name()] : [args[at]!]
}
