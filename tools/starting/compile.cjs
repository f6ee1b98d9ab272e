// node --hash-seed=1 compile.cjs <script> <compiled form>: the form for main.cjs. With a seed of its own in each process, no two forms would be
// the same; that it was fixed here must not be seen in the form, for V8 takes only one that was made under its own flags.

const { readFileSync, writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

const [source, target] = process.argv.slice(2)
const script = new Script(readFileSync(source, 'latin1'), { filename: 'workspace.js' })
setFlagsFromString('--hash-seed=0')
writeFileSync(target, script.createCachedData())
