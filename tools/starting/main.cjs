// What the executable starts with: the script of the server, in its compiled form. Node can keep such a form by itself (useCodeCache), but
// that is another one at every build.

const { Script } = require('node:vm')
const { getRawAsset } = require('node:sea')

const source = Buffer.from(getRawAsset('cli.js')).toString('latin1')
const script = new Script(source, { filename: 'workspace.js', cachedData: Buffer.from(getRawAsset('cli.compiled')) })
script.runInThisContext()(require, module, exports)
