import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkable } from '../../../../modules/knowledge/access.ts'
import { linkableKinds } from './linkable.ts'

test('the app offers links between exactly the kinds that link_items accepts', () => {
  assert.deepEqual(linkableKinds, linkable)
})
