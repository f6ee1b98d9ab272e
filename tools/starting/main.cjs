// What the executable starts with: the script of the server, in its compiled form. Node can keep such a form by itself (useCodeCache), but
// that is another one at every build.

const { Script } = require('node:vm')
const { getAsset, getRawAsset } = require('node:sea')

if (process.argv[2] === '--reader-process') {
  // A process that reads what strangers made (src/sandbox) needs nothing of the server.
  new Script(`(function (require, module, exports) {${getAsset('threads/host.js', 'utf8')}\n})`, {
    filename: 'host.js',
  }).runInThisContext()(require, module, exports)
} else {
  start()
}

function start() {
  const source = Buffer.from(getRawAsset('cli.js')).toString('latin1')
  const script = new Script(source, {
    filename: 'workspace.js',
    cachedData: Buffer.from(getRawAsset('cli.compiled')),
  })
  script.runInThisContext()(require, module, exports)
}
