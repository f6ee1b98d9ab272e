import { version } from './version.ts'

const args = process.argv.slice(2)

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0) // `workspace … | head`
  throw error
})

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V'))
  process.stdout.write(`${version}\n`)
else void runMain() // without top-level await, so that the executable can contain this as a classic script

async function runMain(): Promise<void> {
  const { runProgram } = await import('./program.ts')
  process.exitCode = await runProgram(args)
}
