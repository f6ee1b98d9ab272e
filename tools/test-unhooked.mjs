// Preloaded before node:test in every test file. To attribute uncaught errors to the right test, node:test tracks the
// creation and end of every promise, which takes a tenth of the tests' time. This disables the tracking: such an error
// is printed as it is, and fails its file.

import asyncHooks from 'node:async_hooks'

const { createHook } = asyncHooks
asyncHooks.createHook = () => {
  asyncHooks.createHook = createHook // for all others
  return createHook({})
}

process.on('uncaughtExceptionMonitor', (error) => console.error(error))
process.on('unhandledRejection', (error) => console.error(error))
