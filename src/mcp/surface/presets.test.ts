import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { Catalogue } from '../../operations/catalogue.ts'
import { operation } from '../../operations/operation.ts'
import { modules } from '../../modules/index.ts'
import {
  alwaysLoaded,
  callToolName,
  compactTools,
  coreTools,
  type presetNames,
  toolsOfPreset,
} from './presets.ts'

const catalogue = new Catalogue(modules)
const presetTools = (preset: (typeof presetNames)[number]) =>
  [...toolsOfPreset(catalogue, preset)!].map((entry) => entry.operation.name)

/** Future modules, and their tools in the lists here. */
const futureTools: Readonly<Record<string, readonly string[]>> = {
  knowledge: ['search_workspace', 'find_related_items'],
  email: [
    'search_emails',
    'list_email_threads',
    'get_email_thread',
    'create_email_draft',
    'reply_to_email',
    'archive_emails',
  ],
  calendar: ['list_events', 'create_event', 'find_meeting_time'],
  drive: ['search_files', 'get_file_content'],
  chat: ['list_channels', 'list_messages', 'send_message', 'reply_to_message'],
  pages: ['search_pages', 'get_page', 'create_page', 'edit_page_section'],
  incidents: ['list_incidents', 'get_incident'],
  contacts: ['search_contacts', 'get_contact'],
  meetings: ['get_meeting_brief'],
}

test('the core has 40 tools; those missing from the catalogue belong to future modules', () => {
  assert.equal(new Set(coreTools).size, 40)
  const snapshot = readFileSync(new URL('../../catalogue.snapshot', import.meta.url), 'utf8')
  const exists = (name: string) => new RegExp(`^${name}  \\(`, 'm').test(snapshot)
  assert.deepEqual(presetTools('core').sort(), coreTools.filter(exists).sort())
  const missing = coreTools.filter((name) => !exists(name)).sort()
  const existingModules = new Set(catalogue.modules.map((module) => module.name))
  assert.deepEqual(
    missing,
    Object.entries(futureTools)
      .filter(([module]) => !existingModules.has(module))
      .flatMap(([, names]) => names)
      .sort(),
  )
})

test('daily contains the core, adds nothing destructive, and omits setup tools', () => {
  const daily = presetTools('daily')
  for (const name of presetTools('core')) assert.ok(daily.includes(name), name)
  for (const name of daily)
    assert.ok(
      coreTools.includes(name) || catalogue.requireEntry(name).operation.kind !== 'destructive',
      name,
    )
  for (const name of [
    'reopen_task',
    'assign_task',
    'get_person',
    'update_project',
    'list_labels',
    'undo_api_call',
  ])
    assert.ok(daily.includes(name), name)
  for (const name of [
    'set_project_workflow',
    'bulk_update_tasks',
    'create_custom_field',
    'list_api_keys',
    'delete_task',
  ])
    assert.ok(!daily.includes(name), name)
  assert.ok(daily.length <= 120)
})

test('compact has two tools besides call_tool, and no operation takes that name', () => {
  assert.deepEqual(presetTools('compact').sort(), [...compactTools].sort())
  assert.equal(catalogue.find(callToolName), undefined)
})

test('a catalogue without any of its tools makes a preset empty, not broken', () => {
  const bare = new Catalogue([
    {
      name: 'bare',
      about: 'x',
      operations: [
        operation({
          name: 'list_bare',
          kind: 'read',
          rest: 'GET /api/bare',
          about: 'x',
          output: z.object({}),
          handle: async () => ({}),
        }),
      ],
    },
  ])
  for (const preset of ['core', 'daily', 'compact'] as const)
    assert.equal(toolsOfPreset(bare, preset)!.size, 0)
})

test('alwaysLoaded has only tools that exist or belong to future modules', () => {
  const others = [
    'send_message',
    'list_events',
    'search_emails',
    'get_page',
    'search_workspace',
    callToolName,
  ]
  for (const name of alwaysLoaded) assert.ok(catalogue.find(name) || others.includes(name), name)
  assert.ok(alwaysLoaded.size <= 16)
})
