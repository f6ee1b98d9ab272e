// node check.cjs <script> <compiled form>: fails where V8 does not take the form. At a start it would say nothing, and compile everything anew.

const { readFileSync } = require('node:fs')
const { Script } = require('node:vm')

const [source, form] = process.argv.slice(2)
const script = new Script(readFileSync(source, 'latin1'), {
  filename: 'workspace.js',
  cachedData: readFileSync(form),
})
if (script.cachedDataRejected) throw new Error('V8 does not take the compiled form.')
