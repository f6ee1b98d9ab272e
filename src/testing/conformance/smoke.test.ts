import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conformanceExtras } from './extras.ts'
import { startInProcess } from './instance.ts'
import { runSuite } from './suite.ts'
import { faultsOf, scoredSuites } from './suites.ts'

for (const suite of scoredSuites.slice(1)) {
  test(`the official conformance suite passes: requirements of ${suite.name}`, async (t) => {
    const instance = await startInProcess(conformanceExtras())
    t.after(() => instance.close())
    assert.deepEqual(faultsOf(await runSuite(suite, instance.url)), [])
  })
}
