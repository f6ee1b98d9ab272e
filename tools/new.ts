// `npm run new operation <module> <name>`, `npm run new module <plural> <singular>` and `npm run new screen <name>`:
// generates the files described in docs/writing-an-operation.md and docs/web-app.md, registers them, and writes a test
// that fails until they are completed.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleFiles } from './new/module.ts'
import { operationFiles } from './new/operation.ts'
import { screenFiles } from './new/screen.ts'
import { InvalidName, type Plan } from './new/plan.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `Usage: npm run new operation <module> <name>   e.g. labels merge_labels
       npm run new module <plural> <singular>  e.g. assets asset
       npm run new screen <name>               e.g. team-calendar`

function main([kind, ...names]: string[]): void {
  try {
    const plan = planOf(kind, names)
    if (!plan) return stop(USAGE)
    lay(plan)
  } catch (error) {
    if (!(error instanceof InvalidName)) throw error
    stop(error.message)
  }
}

function planOf(kind: string | undefined, names: string[]): Plan | undefined {
  const [first, second] = names
  if (kind === 'operation' && first && second && names.length === 2)
    return operationFiles(ROOT, first, second)
  if (kind === 'module' && first && second && names.length === 2)
    return moduleFiles(ROOT, first, second)
  if (kind === 'screen' && first && names.length === 1) return screenFiles(ROOT, first)
  return undefined
}

function lay({ created, changed, commands = [], next }: Plan): void {
  const existing = Object.keys(created).find((path) => existsSync(join(ROOT, path)))
  if (existing) throw new InvalidName(`${existing} exists already. Choose another name.`)
  for (const [path, text] of Object.entries({ ...created, ...changed })) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
  format([...Object.keys(created), ...Object.keys(changed)].filter((path) => path.endsWith('.ts')))
  for (const command of commands) generate(command)
  const lines = [
    ...Object.keys(created).map((path) => `created  ${path}`),
    ...Object.keys(changed).map((path) => `changed  ${path}`),
    '',
    'Next:',
    ...next.map((step, index) => `${index + 1}. ${step}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function generate(command: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command.join(' ')} failed:\n${stderr}`)
}

function format(paths: string[]): void {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const { status, stderr } = spawnSync(process.execPath, [biome, 'format', '--write', ...paths], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The new files could not be formatted:\n${stderr}`)
}

function stop(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

main(process.argv.slice(2))
