// node --hash-seed=1 --random-seed=1 --no-flush-bytecode --single-threaded-gc compile.cjs <configuration of the blob> <compiled form>: the
// form for main.cjs, with all functions that run while the modules of a server are loaded. Without these flags, no two forms would be the
// same; that they were set here must not be seen in the form, for V8 takes only one that was made under its own flags.

const { readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

const [config, target] = process.argv.slice(2)
const held = JSON.parse(readFileSync(config, 'utf8')).assets
const script = new Script(readFileSync(held['cli.js'], 'latin1'), { filename: 'workspace.js' })
let said = ''

/** What the executable will hold, as node:sea tells of it. */
const sea = {
  isSea: () => true,
  getAssetKeys: () => Object.keys(held),
  getAsset: (name, encoding) => readFileSync(held[name], encoding),
  getRawAsset: (name) => new Uint8Array(readFileSync(held[name])).buffer,
}

// A server whose certificate is not there loads all of its modules, and ends before it opens anything.
const missing = join(dirname(config), 'missing.pem')
for (const name of Object.keys(process.env))
  if (name.startsWith('WORKSPACE_')) delete process.env[name]
const flags = ['--json', '--data', join(dirname(config), 'data')]
flags.push('--tls-cert', missing, '--tls-key', missing)
process.argv.splice(1, 3, 'workspace', 'serve', ...flags)
process.stderr.write = (text) => {
  said += text
  return true
}
process.on('exit', keep)
script.runInThisContext()((name) => (name === 'node:sea' ? sea : require(name)), module, exports)

function keep() {
  if (!said.includes(missing)) throw new Error(`The server did not end where it should: ${said}`)
  process.exitCode = 0
  for (const flag of ['--hash-seed=0', '--random-seed=0', '--flush-bytecode'])
    setFlagsFromString(flag)
  writeFileSync(target, script.createCachedData())
}
