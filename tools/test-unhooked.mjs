// Loaded ahead of node:test in every test file. To blame an error that no one catches on the right test, node:test watches the making and
// the end of every promise; that takes a tenth of all the time that the tests need. Here it watches none: such an error is shown as it
// stands, and fails its file.

import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks
asyncHooks.createHook = () => {
  asyncHooks.createHook = createHook // for all others
  return createHook({})
}

process.on('uncaughtExceptionMonitor', (error) => console.error(error))
process.on('unhandledRejection', (error) => console.error(error))
