import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layersOf, newLayer, parseRotation, layerInput } from './layers.ts'

test('rotations are read in every form of a schedule', () => {
  assert.deepEqual(parseRotation('weekly'), { count: 1, unit: 'week' })
  assert.deepEqual(parseRotation('daily'), { count: 1, unit: 'day' })
  assert.deepEqual(parseRotation('every 12 hours'), { count: 12, unit: 'hour' })
  assert.deepEqual(parseRotation('every 1 week'), { count: 1, unit: 'week' })
})

test('an unchanged rotation is sent as it was', () => {
  const layer = {
    level: 2,
    people: [{ id: 'usr_1', title: 'Ann', url: '' }],
    rotation: 'every 2 weeks',
    starts_on: '2026-11-02',
    handover: { time: '08:30', weekday: 'mon' as const },
    hours: { mon: [{ from: '18:00', to: '08:00' }], sun: [{ from: '00:00', to: '24:00' }] },
  }
  const [draft] = layersOf({ layers: [layer] })
  assert.ok(draft)
  assert.deepEqual(layerInput(draft), { ...layer, people: ['usr_1'] })
})

test('a weekday is sent only for weekly rotations, and hours only if there are some', () => {
  const draft = { ...newLayer([{ id: 'usr_1', name: 'Ann' }], 1), weekday: 'tue' as const }
  assert.deepEqual(layerInput({ ...draft, unit: 'day', count: 3 }), {
    people: ['usr_1'],
    level: 1,
    rotation: 'every 3 days',
    handover: { time: '09:00' },
  })
  assert.deepEqual(layerInput(draft).handover, { time: '09:00', weekday: 'tue' })
})
