import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'

// install.sh as people run it, with archives structured like a release. Their program is a script that starts this
// checkout, so that each version is one line; the installed program really runs, with a real data folder.

const root = fileURLToPath(new URL('..', import.meta.url))
const launcher = join(root, 'bin/workspace')

interface Ran {
  code: number
  output: string
}

interface Machine {
  home: string
  prefix: string
  /** Default data folder. */
  data: string
  env: NodeJS.ProcessEnv
  /**
   * An unpacked archive of a version. `program`: its script; default: one that starts this checkout as that version.
   */
  archive(version: string, program?: string): string
  install(archive: string, ...args: string[]): Promise<Ran>
  /** Runs the installed program. */
  run(...args: string[]): Ran
}

/** Reverts a database to before the newest migrations, as far as opening it is concerned. */
function makeOlder(file: string): void {
  const db = new Database(file)
  db.exec('DROP TABLE sso_providers')
  db.pragma('user_version = 40')
  db.close()
}

/** A script that runs this checkout under another version. */
const programOf = (version: string, instead = '') =>
  `#!/bin/sh\n[ "$1" != --version ] || { echo ${version}; exit; }\n${instead}\nexec '${process.execPath}' '${launcher}' "$@"\n`

/** A new home, with a shell for the installer. */
function machine(t: TestContext, shell = ['sh']): Machine {
  const home = mkdtempSync(join(tmpdir(), 'workspace-install-'))
  t.after(() => {
    endService(home)
    rmSync(home, { recursive: true, force: true })
  })
  const prefix = join(home, '.local')
  const env: NodeJS.ProcessEnv = {
    HOME: home,
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  }
  return {
    home,
    prefix,
    data: join(home, '.local/share/workspace'),
    env,
    archive(version, program = programOf(version)) {
      const folder = join(home, 'archives', `workspace-${version}`)
      mkdirSync(join(folder, 'docs'), { recursive: true })
      writeFileSync(join(folder, 'workspace'), program, { mode: 0o755 })
      copyFileSync(join(root, 'install.sh'), join(folder, 'install.sh'))
      cpSync(join(root, 'packaging/systemd'), join(folder, 'packaging/systemd'), {
        recursive: true,
      })
      copyFileSync(join(root, 'docs/install.md'), join(folder, 'docs/install.md'))
      writeFileSync(join(folder, 'README.md'), `# Workspace ${version}\n`)
      seal(folder)
      return folder
    },
    install: (archive, ...args) =>
      new Promise((resolve) =>
        execFile(
          shell[0]!,
          [...shell.slice(1), join(archive, 'install.sh'), '--prefix', prefix, ...args],
          { env },
          (error, stdout, stderr) =>
            resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
        ),
      ),
    run(...args) {
      const { status, stdout, stderr } = spawnSync(join(prefix, 'bin/workspace'), args, {
        env,
        encoding: 'utf8',
      })
      return { code: status ?? 1, output: stdout + stderr }
    },
  }
}

/** Stops the service that the fake systemd started, if one runs. */
function endService(home: string): void {
  const file = join(home, 'pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8'))
  const signalled = (signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(pid, signal)
    } catch {
      return false // it is gone
    }
  }
  if (signalled('SIGTERM'))
    while (signalled(0)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}

const filesOf = (folder: string) =>
  globSync('**', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes SHA256SUMS like the release. */
function seal(folder: string): void {
  const names = filesOf(folder).filter((name) => name !== 'SHA256SUMS')
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    names.map((name) => `${sumOf(join(folder, name))}  ${name}\n`).join(''),
  )
}

/** Installation below the prefix: the linked version, all versions, and incomplete ones. */
function installed({ prefix }: Machine): {
  version: string | undefined
  versions: string[]
  rest: string[]
} {
  const link = join(prefix, 'bin/workspace')
  const lib = join(prefix, 'lib/workspace')
  const names = existsSync(lib) ? readdirSync(lib).sort() : []
  return {
    version: existsSync(link)
      ? /^\.\.\/lib\/workspace\/(.+)\/workspace$/.exec(readlinkSync(link))?.[1]
      : undefined,
    versions: names.filter((name) => /^\d/.test(name)),
    rest: names.filter((name) => !/^\d/.test(name) && name !== '.lock' && name !== 'previous'),
  }
}

/** Creates an organization in the data folder with the installed program. */
function begin(on: Machine): void {
  assert.equal(on.run('orgs', 'create', '--name', 'Acme').code, 0)
}

const backupsOf = ({ data }: Machine) =>
  existsSync(join(data, 'backups')) ? readdirSync(join(data, 'backups')) : []

/** Raises the schema version of the data, like a newer release, and keeps the same backup copy. */
const migrating = (data: string) => `'${process.execPath}' --input-type=module --eval '
import { renameSync } from "node:fs"
import { createRequire } from "node:module"
const Database = createRequire("${root}package.json")("better-sqlite3")
const db = new Database("${data}/workspace.db")
db.prepare("VACUUM INTO ?").run("${data}/workspace.db-before-999.part")
renameSync("${data}/workspace.db-before-999.part", "${data}/workspace.db-before-999")
db.pragma("user_version = 999")
'`

test('shellcheck reports nothing', {
  skip: spawnSync('shellcheck', ['--version']).status !== 0 && 'there is no shellcheck',
}, () => {
  const { stdout } = spawnSync(
    'shellcheck',
    [join(root, 'install.sh'), join(root, 'packaging/systemd/workspace-service')],
    { encoding: 'utf8' },
  )
  assert.equal(stdout, '')
})

for (const shell of [['dash'], ['bash', '--posix'], ['busybox', 'sh']]) {
  const skip =
    spawnSync(shell[0]!, [...shell.slice(1), '-c', ':']).status !== 0 && `there is no ${shell[0]}`
  test(`an archive is installed, upgraded, rolled back and removed, by ${shell.join(' ')}`, {
    skip,
  }, async (t) => {
    const on = machine(t, shell)
    const first = await on.install(on.archive('1.2.0'))
    assert.equal(first.code, 0, first.output)
    assert.match(
      first.output,
      /Workspace 1\.2\.0 is installed in .*\/lib\/workspace\/1\.2\.0\.\nLinked .*\/bin\/workspace\.\n/,
    )
    assert.deepEqual(installed(on), { version: '1.2.0', versions: ['1.2.0'], rest: [] })
    assert.deepEqual(
      filesOf(join(on.prefix, 'lib/workspace/1.2.0')),
      filesOf(join(on.home, 'archives/workspace-1.2.0')),
    )
    const second = await on.install(on.archive('1.10.0'))
    assert.equal(second.code, 0, second.output)
    assert.match(second.output, /There is no data in .* yet/)
    assert.deepEqual(installed(on), { version: '1.10.0', versions: ['1.10.0', '1.2.0'], rest: [] })
    assert.equal(
      (await on.install(join(on.home, 'archives/workspace-1.10.0'), '--rollback')).code,
      0,
    )
    assert.equal(installed(on).version, '1.2.0')
    assert.equal((await on.install(on.archive('1.11.0-rc.1'))).code, 0)
    assert.deepEqual(
      installed(on),
      { version: '1.11.0-rc.1', versions: ['1.11.0-rc.1', '1.2.0'], rest: [] },
      'the version before stays, older ones go',
    )
    const uninstall = await on.install(join(on.prefix, 'lib/workspace/1.11.0-rc.1'), '--uninstall')
    assert.equal(uninstall.code, 0, uninstall.output)
    assert.ok(
      !existsSync(join(on.prefix, 'lib/workspace')) &&
        !existsSync(join(on.prefix, 'bin/workspace')),
    )
    const nothing = await on.install(join(on.home, 'archives/workspace-1.2.0'), '--uninstall')
    assert.match(nothing.output, /nothing to remove/)
  })
}

test('the data is backed up before a new version, and survives uninstalling', async (t) => {
  const on = machine(t)
  assert.equal((await on.install(on.archive('1.0.0'))).code, 0)
  begin(on)
  const second = await on.install(on.archive('1.1.0'))
  assert.match(second.output, /Backing up .*\n.*\/backups\/workspace-.*\.tar\.zst\n.*Verified/)
  assert.equal(backupsOf(on).length, 1)
  assert.match(on.run('orgs', 'list').output, /Acme/)
  const third = await on.install(on.archive('1.2.0'), '--no-backup')
  assert.match(third.output, /No backup was made, as you asked/)
  const uninstall = await on.install(join(on.prefix, 'lib/workspace/1.2.0'), '--uninstall')
  assert.ok(uninstall.output.includes(on.data), 'it says where the data is')
  assert.equal(backupsOf(on).length, 1)
  assert.ok(existsSync(join(on.data, 'workspace.db')))
})

test('an archive replaces a checkout, with a backup', async (t) => {
  const on = machine(t)
  mkdirSync(join(on.prefix, 'bin'), { recursive: true })
  symlinkSync(launcher, join(on.prefix, 'bin/workspace'))
  begin(on)
  const { code, output } = await on.install(on.archive('9.0.0'))
  assert.equal(code, 0, output)
  assert.equal(backupsOf(on).length, 1)
  assert.equal(installed(on).version, '9.0.0')
})

test('an archive with a changed, missing or extra file is refused, and nothing is installed', async (t) => {
  const on = machine(t)
  const spoiled: [RegExp, (folder: string) => void][] = [
    [
      /files differ from what was released: README\.md/,
      (folder) => appendFileSync(join(folder, 'README.md'), '!'),
    ],
    [
      /files differ from what was released: workspace\./,
      (folder) => appendFileSync(join(folder, 'workspace'), '\n'),
    ],
    [
      /is incomplete\. Missing: docs\/install\.md/,
      (folder) => rmSync(join(folder, 'docs/install.md')),
    ],
    [
      /is incomplete\. Not part of it: docs\/more\.md/,
      (folder) => writeFileSync(join(folder, 'docs/more.md'), 'more'),
    ],
    [
      /not plain files: \.\/docs\/link/,
      (folder) => symlinkSync('/etc/passwd', join(folder, 'docs/link')),
    ],
    [/SHA256SUMS is damaged/, (folder) => appendFileSync(join(folder, 'SHA256SUMS'), 'cut sho')],
    [
      /names files outside/,
      (folder) => appendFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  ../elsewhere\n`),
    ],
  ]
  for (const [expected, spoil] of spoiled) {
    const folder = on.archive('1.0.0')
    spoil(folder)
    const { code, output } = await on.install(folder)
    assert.equal(code, 1, output)
    assert.match(output, expected)
    rmSync(folder, { recursive: true })
  }
  assert.deepEqual(installed(on), { version: undefined, versions: [], rest: [] })
})

test('an archive for another processor and a system that is too old are refused with the reason', async (t) => {
  const on = machine(t)
  const header = (machineCode: number) =>
    Buffer.concat([
      Buffer.from('7f454c460201010000000000000000000300', 'hex'),
      Buffer.from([machineCode, 0]),
      Buffer.alloc(64),
    ])
  const elf = (machineCode: number) => {
    const folder = on.archive(`0.0.${machineCode}`)
    writeFileSync(join(folder, 'workspace'), header(machineCode))
    seal(folder)
    return folder
  }
  const ownMachine = process.arch === 'arm64' ? 0xb7 : 0x3e
  const other = await on.install(elf(ownMachine === 0x3e ? 0xb7 : 0x3e))
  assert.match(other.output, /this archive is for (aarch64|x86_64), and this machine is/)
  const programs = join(on.home, 'programs')
  mkdirSync(programs)
  on.env.PATH = `${programs}${delimiter}${on.env.PATH}`
  for (const [libc, expected] of [
    ['glibc 2.31', /needs glibc 2\.34 or newer, and this system has 2\.31/],
    ['', /a different C library/],
  ] as const) {
    writeFileSync(join(programs, 'getconf'), `#!/bin/sh\n${libc ? `echo ${libc}` : 'exit 1'}\n`, {
      mode: 0o755,
    })
    const { code, output } = await on.install(elf(ownMachine))
    assert.equal(code, 1)
    assert.match(output, expected)
  }
  assert.deepEqual(installed(on), { version: undefined, versions: [], rest: [] })
})

test('a program that does not start is not installed; the previous version stays in use', async (t) => {
  const on = machine(t)
  assert.equal((await on.install(on.archive('1.0.0'))).code, 0)
  for (const [program, expected] of [
    ['#!/bin/sh\necho broken >&2\nexit 1\n', /does not start on this system/],
    ['#!/bin/sh\necho ../../1.1.0\n', /does not print its version/],
  ] as const) {
    const { code, output } = await on.install(on.archive('1.1.0', program))
    assert.equal(code, 1)
    assert.match(output, expected)
  }
  assert.deepEqual(installed(on), { version: '1.0.0', versions: ['1.0.0'], rest: [] })
})

test('an older version is refused unless requested; reinstalling the same one repairs it', async (t) => {
  const on = machine(t)
  assert.equal((await on.install(on.archive('1.0.0'))).code, 0)
  const place = join(on.prefix, 'lib/workspace/1.0.0')
  const before = filesOf(place)
  rmSync(join(place, 'README.md'))
  writeFileSync(join(place, 'stray'), '')
  chmodSync(join(place, 'workspace'), 0o644)
  const again = await on.install(join(on.home, 'archives/workspace-1.0.0'))
  assert.equal(again.code, 0, again.output)
  assert.deepEqual(filesOf(place), before)
  assert.equal(on.run('--version').output, '1.0.0\n')
  for (const older of ['0.9.9', '1.0.0-rc.2', '1.0.0-1']) {
    const { code, output } = await on.install(on.archive(older))
    assert.equal(code, 1)
    assert.match(output, new RegExp(`version 1\\.0\\.0 is installed, and ${older} is older`))
  }
  assert.deepEqual(installed(on), { version: '1.0.0', versions: ['1.0.0'], rest: [] })
  assert.equal((await on.install(join(on.home, 'archives/workspace-0.9.9'), '--downgrade')).code, 0)
  assert.equal(on.run('--version').output, '0.9.9\n')
})

test('a failing backup aborts the upgrade before anything is changed', async (t) => {
  const on = machine(t)
  assert.equal((await on.install(on.archive('1.0.0'))).code, 0)
  begin(on)
  writeFileSync(join(on.data, 'backups'), 'no folder')
  const { code, output } = await on.install(on.archive('1.1.0'))
  assert.equal(code, 1)
  assert.match(output, /the backup failed, see above\. Nothing was changed/)
  assert.equal(installed(on).version, '1.0.0')
})

test('if killed at any moment, a version is installed whole or not at all, and the next run succeeds', async (t) => {
  const on = machine(t)
  const archive = on.archive('2.0.0')
  const expected = filesOf(archive)
  const programs = join(on.home, 'programs')
  mkdirSync(programs)
  const plainPath = on.env.PATH
  const path = `${programs}${delimiter}${plainPath}`
  for (const [name, times] of [
    ['mkdir', 2],
    ['cp', 1],
    ['chmod', 1],
    ['sync', 1],
    ['mv', 2],
    ['ln', 1],
  ] as const) {
    for (let nth = 1; nth <= times; nth++) {
      const counter = join(on.home, 'count')
      // The shell that runs the installer is killed at its nth call of this program, in half of the cases after the
      // work was done.
      for (const after of [false, true]) {
        rmSync(on.prefix, { recursive: true, force: true })
        const real = spawnSync('sh', ['-c', `command -v ${name}`], {
          env: { PATH: plainPath },
          encoding: 'utf8',
        }).stdout.trim()
        writeFileSync(
          join(programs, name),
          `#!/bin/sh\necho x >>'${counter}'\n[ $(wc -l <'${counter}') = ${nth} ] || exec ${real} "$@"\n${after ? `${real} "$@"\n` : ''}kill -9 $PPID\n`,
          { mode: 0o755 },
        )
        rmSync(counter, { force: true })
        on.env.PATH = path
        const child = spawn('sh', [join(archive, 'install.sh'), '--prefix', on.prefix], {
          env: on.env,
          stdio: 'ignore',
        })
        const [, signal] = await once(child, 'exit')
        rmSync(join(programs, name))
        on.env.PATH = plainPath
        assert.equal(signal, 'SIGKILL', `${name} ${nth} ${after}`)
        const { version, versions } = installed(on)
        for (const item of versions)
          assert.deepEqual(
            filesOf(join(on.prefix, 'lib/workspace', item)),
            expected,
            `${name} ${nth}`,
          )
        if (version) assert.equal(on.run('--version').output, '2.0.0\n')
        const next = await on.install(archive)
        assert.equal(next.code, 0, next.output)
        assert.deepEqual(
          installed(on),
          { version: '2.0.0', versions: ['2.0.0'], rest: [] },
          `${name} ${nth}`,
        )
        assert.deepEqual(readdirSync(join(on.prefix, 'bin')), ['workspace'])
      }
    }
  }
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
const noSystemd = !hasSystemd && 'there is no systemd-analyze'

for (const [scope, unit] of [
  ['--system', 'workspace.service'],
  ['--user', 'user/workspace.service'],
] as const) {
  test(`systemd accepts the unit, ${scope}`, { skip: noSystemd }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'workspace-unit-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'workspace.service')
    writeFileSync(
      file,
      readFileSync(join(root, 'packaging/systemd', unit), 'utf8').replace(
        /^ExecStart=.*$/m,
        `ExecStart=${process.execPath} serve`,
      ),
    )
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [scope, 'verify', file], {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder },
    })
    assert.deepEqual([status, stdout, stderr], [0, '', ''])
  })
}

test('the system unit has an exposure level of at most 2.5 of 10', {
  skip: noSystemd,
}, () => {
  const { stdout, stderr } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', join(root, 'packaging/systemd/workspace.service')],
    { encoding: 'utf8' },
  )
  const level = /Overall exposure level for workspace\.service: ([\d.]+)/.exec(stdout)?.[1]
  assert.ok(Number(level) <= 2.5, `${level}: ${stderr}`)
})

/** Unit file that systemd would read, and the data folder of the service. */
interface Service {
  unit: string
  settings: string
  data: string
}

const ofPerson = (home: string): Service => ({
  unit: join(home, '.config/systemd/user/workspace.service'),
  settings: join(home, '.config/workspace/workspace.env'),
  data: join(home, '.local/share/workspace'),
})
const ofSystem: Service = {
  unit: '/etc/systemd/system/workspace.service',
  settings: '/etc/workspace/workspace.env',
  data: '/var/lib/private/workspace',
}

/** Puts programs at the front of PATH. */
function standIns({ home, env }: Machine, programs: Record<string, string>): void {
  const folder = join(home, 'programs')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, name), text, { mode: 0o755 })
  env.PATH = `${folder}${delimiter}${env.PATH}`
}

/** Tests may run as root, which would change the machine. */
const asPerson = '#!/bin/sh\necho 1000\n'

/**
 * A fake systemd with the functions used by the installer: it starts the unit's command, and returns once that is
 * ready.
 */
const systemctl = (home: string, { unit, settings, data }: Service) => `#!${process.execPath}
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const [verb, ...rest] = process.argv.slice(2).filter(word => word !== '--user')
fs.appendFileSync('${home}/calls', process.argv.slice(2).join(' ') + '\\n')
const pidFile = '${home}/pid'
const pid = fs.existsSync(pidFile) ? Number(fs.readFileSync(pidFile)) : 0
const lives = () => { try { return pid > 0 && process.kill(pid, 0) } catch { return false } }
const stop = () => { if (lives()) process.kill(pid, 'SIGTERM'); while (lives()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); fs.rmSync(pidFile, { force: true }) }
const start = () => {
  const text = fs.readFileSync('${unit}', 'utf8')
  const [program, ...args] = /^ExecStart=(.*)$/m.exec(text)[1].split(' ')
  const settings = Object.fromEntries(fs.readFileSync('${settings}', 'utf8').split('\\n').filter(line => /^[A-Z_]+=/.test(line)).map(line => line.split(/=(.*)/s)))
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', fs.openSync('${home}/journal', 'a')], env: { ...process.env, WORKSPACE_DATA: '${data}', ...settings } })
  fs.writeFileSync(pidFile, String(child.pid))
  child.on('exit', () => process.exit(1))
  child.stdout.on('data', part => { if (String(part).includes('Data')) process.exit(0) })
}
if (verb === 'is-active') process.exit(lives() ? 0 : 3)
if (verb === 'stop' || (verb === 'disable' && rest.includes('--now'))) stop()
if (verb === 'restart') { stop(); start() }
`

const callsOf = ({ home }: Machine) => readFileSync(join(home, 'calls'), 'utf8').trim().split('\n')

/** True if the service that uses this data folder responds. */
async function answers(data: string): Promise<boolean> {
  const { url } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as { url: string }
  return (await fetch(`${url}/readyz`)).ok
}

test('as a service: started, upgraded, rolled back with its data if a new version fails, removed', async (t) => {
  const on = machine(t)
  const service = ofPerson(on.home)
  standIns(on, { id: asPerson, systemctl: systemctl(on.home, service) })

  const first = await on.install(
    on.archive('1.0.0'),
    '--systemd',
    '--port',
    '0',
    '--host=localhost',
  )
  assert.equal(first.code, 0, first.output)
  assert.ok(
    readFileSync(service.unit, 'utf8').includes(`\nExecStart=${on.prefix}/bin/workspace serve\n`),
  )
  assert.deepEqual(callsOf(on), [
    '--user show-environment',
    '--user daemon-reload',
    '--user enable --quiet workspace',
    '--user restart workspace',
  ])
  assert.equal(statSync(service.settings).mode & 0o777, 0o640)
  assert.ok(await answers(on.data))
  begin(on)

  appendFileSync(service.settings, 'WORKSPACE_CURRENCY=CHF\n')
  const second = await on.install(on.archive('1.1.0'), '--systemd', '--host', '127.0.0.1')
  assert.equal(second.code, 0, second.output)
  assert.deepEqual(readFileSync(service.settings, 'utf8').split('\n').slice(1), [
    'WORKSPACE_PORT=0',
    'WORKSPACE_CURRENCY=CHF',
    'WORKSPACE_HOST=127.0.0.1',
    '',
  ])
  assert.equal(backupsOf(on).length, 1)
  assert.ok(await answers(on.data))

  writeFileSync(join(on.data, 'workspace.db-before-999'), 'of an attempt long ago')
  const third = await on.install(
    on.archive('1.2.0', programOf('1.2.0', `${migrating(on.data)}\nexit 70`)),
  )
  assert.equal(third.code, 1)
  assert.match(
    third.output,
    /version 1\.2\.0 does not answer; .* The previous version was restored and answers\. Your data is unchanged\./,
  )
  assert.equal(installed(on).version, '1.1.0')
  assert.ok(await answers(on.data))
  assert.match(on.run('orgs', 'list').output, /Acme/)
  assert.ok(
    existsSync(join(on.data, 'workspace.db-of-1.2.0')),
    'what the newer version made of the data is kept',
  )
  const previous = readFileSync(join(on.prefix, 'lib/workspace/previous'), 'utf8')
  assert.equal(previous, '1.0.0\n', 'the one to roll back to is not the one that failed')

  const uninstall = await on.install(join(on.prefix, 'lib/workspace/1.1.0'), '--uninstall')
  assert.equal(uninstall.code, 0, uninstall.output)
  assert.ok(!existsSync(service.unit))
  assert.ok(!existsSync(join(on.data, 'server.json')), 'the server was stopped')
  assert.ok(existsSync(service.settings) && existsSync(join(on.data, 'workspace.db')))
})

/** Root in its own namespace, with its own /etc and /var/lib. */
const apart = [
  'unshare',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount --bind "$0/etc" /etc && mount --bind "$0/var" /var/lib && exec "$@"',
]
const cannotBeApart =
  spawnSync(apart[0]!, [...apart.slice(1, -1), 'mount --bind /tmp /mnt']).status !== 0 &&
  'this system allows no namespaces'

test('as a system service: a key, settings and data for root only, and a command that works on the data', {
  skip: cannotBeApart,
}, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'workspace-root-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const on = { ...machine(t, [...apart, home, 'sh']), data: join(home, 'var/private/workspace') }
  for (const folder of ['etc/systemd/system', 'var/private'])
    mkdirSync(join(home, folder), { recursive: true })
  if (existsSync('/etc/alternatives'))
    cpSync('/etc/alternatives', join(home, 'etc/alternatives'), {
      recursive: true,
      verbatimSymlinks: true,
    }) // where Debian leads awk
  const systemdRun = `#!${process.execPath}
const words = process.argv.slice(process.argv.indexOf('--') + 1).map(word => word.replace(/\\$(\\$|\\w+)/g, (_, name) => (name === '$' ? '$' : (process.env[name] ?? '')))) // as systemd does
process.exitCode = require('node:child_process').spawnSync(words[0], words.slice(1), { stdio: 'inherit', env: { ...process.env, WORKSPACE_DATA: '${ofSystem.data}' } }).status
`
  standIns(on, { systemctl: systemctl(on.home, ofSystem), 'systemd-run': systemdRun })
  const modeOf = (name: string) => statSync(join(home, 'etc/workspace', name)).mode & 0o777

  const first = await on.install(on.archive('1.0.0'), '--systemd', '--port', '0')
  assert.equal(first.code, 0, first.output)
  assert.deepEqual(
    [modeOf(''), modeOf('workspace.env'), modeOf('master.key')],
    [0o750, 0o640, 0o600],
  )
  const key = readFileSync(join(home, 'etc/workspace/master.key'), 'utf8')
  assert.equal(Buffer.from(key.trim().split('\n').at(-1)!, 'base64').length, 32)
  assert.ok(
    readFileSync(join(home, 'etc/systemd/system/workspace.service'), 'utf8').includes(
      `\nExecStart=${on.prefix}/bin/workspace serve\n`,
    ),
  )
  assert.ok(await answers(on.data))
  const orgCreation = spawnSync(
    apart[0]!,
    [
      ...apart.slice(1),
      home,
      join(on.prefix, 'sbin/workspace-service'),
      'orgs',
      'create',
      '--name',
      'Acme at $HOME',
    ],
    { env: on.env, encoding: 'utf8' },
  )
  assert.equal(orgCreation.status, 0, orgCreation.stderr)
  assert.ok(orgCreation.stdout.includes('Acme at $HOME'), orgCreation.stdout)

  const second = await on.install(on.archive('1.1.0'))
  assert.equal(second.code, 0, second.output)
  assert.equal(backupsOf(on).length, 1)
  assert.equal(callsOf(on).at(-1), 'restart workspace')
  assert.ok(await answers(on.data))
  assert.equal(readFileSync(join(home, 'etc/workspace/master.key'), 'utf8'), key)

  const uninstall = await on.install(join(on.prefix, 'lib/workspace/1.1.0'), '--uninstall')
  assert.equal(uninstall.code, 0, uninstall.output)
  assert.deepEqual(
    [readdirSync(join(home, 'etc/systemd/system')), readdirSync(join(on.prefix, 'sbin'))],
    [[], []],
  )
  assert.ok(
    existsSync(join(home, 'etc/workspace/master.key')) && existsSync(join(on.data, 'workspace.db')),
  )
})

/** The same without a user namespace, so that other users than root exist. */
const apartAsRoot = apart.filter((word) => word !== '--map-root-user')
const cannotBeRoot =
  spawnSync(apartAsRoot[0]!, [...apartAsRoot.slice(1, -1), 'mount --bind /tmp /mnt']).status !==
    0 && 'this needs root'

test('root restores the database of a service as the service user: links in its folder are not followed', {
  skip: cannotBeRoot,
}, async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'workspace-root-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  chmodSync(home, 0o755)
  const on = {
    ...machine(t, [...apartAsRoot, home, 'sh']),
    data: join(home, 'var/private/workspace'),
  }
  for (const folder of ['etc/systemd/system', 'var/private', 'elsewhere'])
    mkdirSync(join(home, folder), { recursive: true })
  if (existsSync('/etc/alternatives'))
    cpSync('/etc/alternatives', join(home, 'etc/alternatives'), {
      recursive: true,
      verbatimSymlinks: true,
    })
  standIns(on, { systemctl: systemctl(on.home, ofSystem), 'systemd-run': '#!/bin/sh\nexit 1\n' })
  const failing = (version: string, more: string) =>
    programOf(
      version,
      `${migrating(ofSystem.data)}\ncd ${ofSystem.data}\n${more}\nchown -hR 12345:12345 .\nexit 70`,
    )

  assert.equal((await on.install(on.archive('1.0.0'), '--systemd', '--port', '0')).code, 0)
  const second = await on.install(on.archive('1.1.0', failing('1.1.0', ':')), '--no-backup')
  assert.match(second.output, /The previous version was restored and answers/)
  assert.ok(await answers(on.data))
  assert.equal(statSync(join(on.data, 'workspace.db-of-1.1.0')).uid, 12345)

  const third = await on.install(
    on.archive('1.2.0', failing('1.2.0', `ln -s ${join(home, 'elsewhere')} workspace.db-of-1.2.0`)),
    '--no-backup',
  )
  assert.match(third.output, /The previous version was restored and answers/)
  assert.equal(statSync(join(on.data, 'workspace.db-of-1.2.0')).uid, 12345)
  assert.deepEqual(readdirSync(join(home, 'elsewhere')), [])
  assert.equal(installed(on).version, '1.0.0')
})

test('data in a folder with a quoted name in the settings is backed up, too', async (t) => {
  const on = machine(t)
  standIns(on, { id: asPerson, systemctl: '#!/bin/sh\nexit 1\n' })
  assert.equal((await on.install(on.archive('1.0.0'), '--systemd')).code, 0)
  const data = join(on.home, 'my data')
  appendFileSync(ofPerson(on.home).settings, `WORKSPACE_DATA="${data}"\n`)
  assert.equal(on.run('orgs', 'create', '--name', 'Acme', '--data', data).code, 0)
  const second = await on.install(on.archive('1.1.0'))
  assert.equal(second.code, 0, second.output)
  assert.equal(backupsOf({ ...on, data }).length, 1, second.output)
})

test('root does not accidentally install into the home of another user', async (t) => {
  const on = machine(t)
  const archive = on.archive('1.0.0')
  standIns(on, { id: '#!/bin/sh\necho 0\n' })
  if (process.geteuid?.() === 0) chownSync(on.home, 12345, 12345)
  const { status, stderr } = spawnSync('sh', [join(archive, 'install.sh')], {
    env: on.env,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /you are root, and .* belongs to another user/)
  assert.ok(!existsSync(on.prefix))
})

test('a checkout becomes a service through its release', async (t) => {
  const on = machine(t)
  const release = on.archive('3.0.0')
  standIns(on, {
    id: asPerson,
    systemctl: '#!/bin/sh\nexit 1\n',
    node: `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
  })
  const checkout = join(on.home, 'checkout')
  for (const folder of ['node_modules/vite', 'tools'])
    mkdirSync(join(checkout, folder), { recursive: true })
  writeFileSync(
    join(checkout, 'package.json'),
    JSON.stringify({
      version: '3.0.0',
      type: 'module',
      scripts: {
        build: `mkdir -p dist/release && cp -R '${release}' dist/release/workspace-3.0.0-linux-x64`,
      },
    }),
  )
  for (const name of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(join(checkout, name), '{}')
  for (const name of ['install.sh', 'tools/node.mjs'])
    copyFileSync(join(root, name), join(checkout, name))
  const { code, output } = await on.install(checkout, '--systemd')
  assert.equal(code, 0, output)
  assert.match(
    output,
    /Building the release \.\.\.\n[\s\S]*systemd is not running here, so the service was not started\. When it is:\n {2}systemctl --user daemon-reload/,
  )
  assert.deepEqual(installed(on), { version: '3.0.0', versions: ['3.0.0'], rest: [] })
  assert.ok(existsSync(ofPerson(on.home).unit))
})

test('a checkout is pruned of build dependencies, stays built, and is reinstalled only if needed', async (t) => {
  const on = machine(t)
  // npm records its arguments; the rest of the checkout is real: the stamp, the launcher's check, and the installer.
  const npm = `#!/bin/sh
echo "$1" >>'${on.home}/npm-calls'
case $1 in
  ci)
    rm -rf node_modules/*
    mkdir -p node_modules/vite
    for system in linux/x64 linux/arm64 darwin/arm64 win32/x64; do mkdir -p node_modules/onnxruntime-node/bin/napi-v6/$system; done
    ;;
  prune) rm -rf node_modules/vite ;;
esac
echo "{ \\"after\\": \\"$1\\" }" >node_modules/.package-lock.json
`
  standIns(on, { npm, node: `#!/bin/sh\nexec '${process.execPath}' "$@"\n` })
  const checkout = join(on.home, 'checkout')
  for (const folder of ['tools', 'src', 'bin'])
    mkdirSync(join(checkout, folder), { recursive: true })
  writeFileSync(join(checkout, 'package.json'), '{"version":"3.0.0","type":"module"}')
  writeFileSync(join(checkout, 'package-lock.json'), '{}')
  writeFileSync(join(checkout, 'src/main.ts'), '// first')
  writeFileSync(join(checkout, 'bin/workspace'), '#!/bin/sh\necho 3.0.0\n', { mode: 0o755 })
  writeFileSync(
    join(checkout, 'tools/build.mjs'),
    'import { mkdirSync, writeFileSync } from "node:fs"; import { stampFile, stampOfSources } from "./stamp.mjs"; mkdirSync("dist/web", { recursive: true }); writeFileSync("dist/web/index.html", ""); writeFileSync(stampFile, stampOfSources())',
  )
  for (const name of ['install.sh', 'tools/node.mjs', 'tools/stamp.mjs'])
    copyFileSync(join(root, name), join(checkout, name))
  const isBuilt = () =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        'import { isBuilt } from "./tools/stamp.mjs"; process.exitCode = isBuilt() ? 0 : 1',
      ],
      { cwd: checkout },
    ).status === 0
  const npmCalls = () =>
    existsSync(join(on.home, 'npm-calls'))
      ? readFileSync(join(on.home, 'npm-calls'), 'utf8').trim().split('\n')
      : []
  const run = async (...args: string[]) => {
    rmSync(join(on.home, 'npm-calls'), { force: true })
    const { code, output } = await on.install(checkout, ...args)
    assert.equal(code, 0, output)
    return npmCalls()
  }
  assert.deepEqual(await run(), ['ci', 'prune'])
  assert.ok(isBuilt(), 'the build is still the one that starts')
  assert.ok(!existsSync(join(checkout, 'node_modules/vite')))
  assert.deepEqual(
    globSync('node_modules/onnxruntime-node/bin/napi-v6/*/*', { cwd: checkout }),
    [`node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`],
    'the encoder keeps the runtime of this system only',
  )
  assert.deepEqual(await run(), [], 'nothing changed, nothing to do')
  writeFileSync(join(checkout, 'src/main.ts'), '// an update')
  assert.deepEqual(
    await run(),
    ['ci', 'prune'],
    'an update is built, which needs the packages again',
  )
  assert.ok(isBuilt())
  spawnSync(join(on.home, 'programs/npm'), ['ci'], { cwd: checkout })
  assert.deepEqual((await run()).slice(1), [], 'what somebody installed with npm ci stays')
  assert.ok(existsSync(join(checkout, 'node_modules/vite')))
  rmSync(join(checkout, 'node_modules'), { recursive: true })
  assert.deepEqual(await run('--keep-dev'), ['ci'])
  assert.ok(existsSync(join(checkout, 'node_modules/vite')))
})

/** A checkout with this one's program, so that nothing must be built. */
function builtCheckout(on: Machine): string {
  const npm = `#!/bin/sh\nmkdir -p node_modules/vite\necho {} >node_modules/.package-lock.json\n`
  standIns(on, { npm, node: `#!/bin/sh\nexec '${process.execPath}' "$@"\n` })
  const checkout = join(on.home, 'checkout')
  for (const folder of ['tools', 'src', 'bin'])
    mkdirSync(join(checkout, folder), { recursive: true })
  writeFileSync(join(checkout, 'package.json'), '{"version":"3.0.0","type":"module"}')
  writeFileSync(join(checkout, 'package-lock.json'), '{}')
  writeFileSync(join(checkout, 'bin/workspace'), programOf('3.0.0'), { mode: 0o755 })
  writeFileSync(
    join(checkout, 'tools/build.mjs'),
    'import { mkdirSync, writeFileSync } from "node:fs"; import { stampFile, stampOfSources } from "./stamp.mjs"; mkdirSync("dist/web", { recursive: true }); writeFileSync("dist/web/index.html", ""); writeFileSync(stampFile, stampOfSources())',
  )
  for (const name of ['install.sh', 'tools/node.mjs', 'tools/stamp.mjs'])
    copyFileSync(join(root, name), join(checkout, name))
  return checkout
}

const backupsIn = (on: Machine) =>
  existsSync(join(on.data, 'backups')) ? readdirSync(join(on.data, 'backups')) : []

test('a checkout backs up the data only before a version that upgrades it', async (t) => {
  const on = machine(t)
  const checkout = builtCheckout(on)
  const first = await on.install(checkout)
  assert.equal(first.code, 0, first.output)
  assert.doesNotMatch(first.output, /back/i, 'there is no data yet')
  assert.equal(on.run('orgs', 'create', '--name', 'Acme').code, 0)
  const same = await on.install(checkout)
  assert.match(same.output, /no upgrade is due, so no backup was made/)
  assert.deepEqual(backupsIn(on), [])
  makeOlder(join(on.data, 'workspace.db'))
  const upgraded = await on.install(checkout)
  assert.equal(upgraded.code, 0, upgraded.output)
  assert.match(upgraded.output, /backups\/workspace-.*\n.*Verified/)
  assert.equal(backupsIn(on).length, 1)
  const without = await on.install(checkout, '--no-backup')
  assert.equal(without.code, 0, without.output)
  assert.equal(backupsIn(on).length, 1)
  const diagnosis = on.run('doctor')
  assert.doesNotMatch(diagnosis.output, /FAIL/, 'nothing is wrong with an older database')
  assert.match(diagnosis.output, /→ workspace backup, then workspace serve/)
  assert.equal(on.run('backup', '--to', join(on.home, 'elsewhere')).code, 0, 'as doctor advises')
})

test('a failing backup in a checkout aborts the installation, and says that the data is unchanged', async (t) => {
  const on = machine(t)
  const checkout = builtCheckout(on)
  await on.install(checkout)
  assert.equal(on.run('orgs', 'create', '--name', 'Acme').code, 0)
  makeOlder(join(on.data, 'workspace.db'))
  writeFileSync(join(on.data, 'backups'), 'a file where the folder should be')
  const { code, output } = await on.install(checkout)
  assert.equal(code, 1)
  assert.match(output, /was not backed up, see above[\s\S]*--no-backup/)
})

test('data in PostgreSQL blocks an upgrade until it is backed up with PostgreSQL tools', async (t) => {
  const on = machine(t)
  const archive = (version: string) => on.archive(version)
  assert.equal((await on.install(archive('1.0.0'))).code, 0)
  mkdirSync(on.data, { recursive: true })
  writeFileSync(join(on.data, 'search.db'), '')
  const refused = await on.install(archive('2.0.0'))
  assert.equal(refused.code, 1)
  assert.match(refused.output, /PostgreSQL.*pg_dump.*--no-backup/)
  assert.equal(installed(on).version, '1.0.0')
  rmSync(join(on.data, 'search.db'))
  on.env.WORKSPACE_DATABASE = 'postgres://localhost/workspace'
  const again = await on.install(archive('2.0.0'))
  assert.match(again.output, /PostgreSQL.*pg_dump/)
  assert.equal(installed(on).version, '1.0.0')
  assert.equal((await on.install(archive('2.0.0'), '--no-backup')).code, 0)
  assert.equal(installed(on).version, '2.0.0')
})

test('conflicting options are refused', async (t) => {
  const on = machine(t)
  const archive = on.archive('1.0.0')
  for (const [args, expected] of [
    [['--port', '80'], /add --systemd/],
    [
      ['--systemd', '--base-url', 'https://x\nWORKSPACE_DATA=/'],
      /cannot be written to a settings file/,
    ],
    [['--systemd', '--data', 'here'], /begins with \//],
    [['--no-link'], /for a checkout/],
    [['--prefix'], /--prefix needs a value/],
    [['--unknown'], /unknown option --unknown/],
  ] as const) {
    const { code, output } = await on.install(archive, ...args)
    assert.equal(code, 1, output)
    assert.match(output, expected)
  }
})

test('a file or link that is not ours at the place of the link is left alone', async (t) => {
  const on = machine(t)
  mkdirSync(join(on.prefix, 'bin'), { recursive: true })
  writeFileSync(join(on.prefix, 'bin/workspace'), 'something else')
  const archive = on.archive('1.0.0')
  const isLeftAlone = async () => {
    const { code, output } = await on.install(archive)
    assert.equal(code, 1)
    assert.match(output, /bin\/workspace is not part of this installation/)
    assert.equal(readFileSync(join(on.prefix, 'bin/workspace'), 'utf8'), 'something else')
  }
  await isLeftAlone()
  const other = join(on.home, 'other/bin/workspace')
  mkdirSync(join(other, '..'), { recursive: true })
  renameSync(join(on.prefix, 'bin/workspace'), other)
  symlinkSync(other, join(on.prefix, 'bin/workspace'))
  await isLeftAlone()
  rmSync(join(on.prefix, 'bin/workspace'))
  assert.equal((await on.install(archive)).code, 0)
  const notes = join(on.prefix, 'lib/workspace/2026-notes')
  mkdirSync(notes)
  const uninstall = await on.install(archive, '--uninstall')
  assert.match(uninstall.output, /was not removed: there is something else in it/)
  assert.ok(existsSync(notes))
})
