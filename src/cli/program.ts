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
  orgs: { about: 'create and list organizations, give them plans', load: () => import('./orgs.ts') },
  users: { about: 'create, list, deactivate people; set their passwords', load: () => import('./users.ts') },
  keys: { about: 'create, list, revoke and check API keys', load: () => import('./keys.ts') },
  approvals: { about: 'release or deny calls of keys that may send nothing outside by themselves', load: () => import('./approvals.ts') },
  accounts: { about: 'connect mail, calendars and files that people have elsewhere', load: () => import('./accounts.ts') },
  connect: { about: 'show how an assistant is connected, write it into its configuration, check it', load: () => import('./connect.ts') },
  mcp: { about: 'speak MCP over stdio, for assistants that can only start a command', load: () => import('./mcp.ts') },
  call: { about: 'call any operation as a person', load: () => import('./call.ts') },
  backup: { about: 'back everything up, while it runs', load: () => import('./backup.ts') },
  restore: { about: 'restore a backup into an empty folder', load: () => import('./restore.ts') },
  doctor: { about: 'check configuration, files, database and machine, and say what to do', load: () => import('./doctor.ts') },
  health: { about: 'ask the running workspace whether it is ready; for containers and monitoring', load: () => import('./health.ts') },
  audit: { about: 'check that the call log is whole; export it', load: () => import('./audit.ts') },
  secrets: { about: 'show what is sealed, and seal it anew with another master key', load: () => import('./secrets.ts') },
  usage: { about: 'show how many calls were made, and what the plan allows', load: () => import('./usage.ts') },
  abuse: { about: 'show what the rules against abuse found, and release what they hold', load: () => import('./abuse.ts') },
  jobs: { about: 'show work in the background, try it again, cancel it', load: () => import('./jobs.ts') },
  search: { about: 'show what search knows of meanings, and make it anew', load: () => import('./search.ts') },
  demo: { about: 'fill an organization with a sample to try things on', load: () => import('./demo.ts') },
}

const examples = `
Examples:
  workspace serve                                               start it; the first start prints how to begin
  workspace users create --email ann@example.org --name Ann     add a colleague
  workspace keys create --user ann@example.org --name laptop    make a key, with the lines that connect an assistant
  workspace call list_tasks --as ann@example.org --overdue      do anything that an assistant could do
`

/** The command line, with those groups that these arguments ask for. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('workspace')
    .description('Work management that people share with their AI assistants.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help; works after every command')
    .addHelpText('after', examples + exitHelp)
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // runProgram tells it, in the form that was asked for
  const asked = args.find(arg => arg in groups)
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

function usage(error: CommanderError, args: readonly string[], program: Command | undefined): number {
  if (error.exitCode === 0) return exits.ok // help and version are thrown, too
  if (error.code === 'commander.help') return exits.usage // a group without a command: its help is on stderr already
  const message = error.message.replace(/^error: /, '')
  const help = ['workspace', ...commandIn(args, program), '--help'].join(' ')
  process.stderr.write(args.includes('--json') ? `${JSON.stringify({ code: 'usage', message })}\n` : `workspace: ${message}\nSee ${help}\n`)
  return exits.usage
}

/** The words of a command line that name its command. */
function commandIn(args: readonly string[], program: Command | undefined): string[] {
  const at = args.findIndex(arg => arg in groups)
  if (at < 0) return []
  const named = program?.commands.find(one => one.name() === args[at])?.commands.find(one => one.name() === args[at + 1])
  return named ? [args[at]!, named.name()] : [args[at]!]
}
