// What the executable starts with: the script of the server, in its compiled form. Node can keep such a form by itself (useCodeCache), but
// that is another one at every build.

const { Script } = require('node:vm')
const { getAsset, getRawAsset } = require('node:sea')

if (process.argv[2] === '--child') {
  // A process of its own (src/executable.ts) needs nothing of the server.
  const name = process.argv[3]
  new Script(
    `(function (require, module, exports) {${getAsset(`threads/${name}.js`, 'utf8')}\n})`,
    { filename: `${name}.js` },
  ).runInThisContext()(require, module, exports)
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
