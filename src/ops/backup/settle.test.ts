import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { portableSchema, sqliteAdditions, strict } from '../../db/schema.ts'
import { settleRestored } from './settle.ts'

const now = Date.UTC(2026, 10, 20)

/** An instance of the current schema, with foreign keys off and each of these activities in progress. */
function databaseInProgress(): Database.Database {
  const db = new Database(':memory:')
  db.exec(strict(portableSchema()) + sqliteAdditions())
  db.pragma('foreign_keys = OFF')
  db.exec(`
    INSERT INTO web_sessions (id, org_id, person_id, token_hash, created_at, expires_at, last_used_at, verified_at, ip) VALUES ('s', 'o', 'p', 'x', 0, ${now + 1000}, 0, 0, '');
    INSERT INTO passkey_challenges VALUES ('x', 'sign_in', 'x', ${now + 1000});
    INSERT INTO oauth_tokens (token_hash, key_id, kind, generation, created_at, expires_at) VALUES ('x', 'k', 'refresh', 1, 0, ${now + 1000});
    INSERT INTO oauth_codes (code_hash, key_id, challenge, expires_at) VALUES ('x', 'k', 'x', ${now + 1000});
    INSERT INTO oauth_requests (token_hash, client_id, redirect_uri, challenge, resource, scope, issuer, ip, created_at, expires_at) VALUES ('x', 'c', 'r', 'x', 'r', 's', 'i', '', 0, ${now + 1000});
    INSERT INTO invitations (id, org_id, role, mail, mails, created_at, created_by, expires_at) VALUES ('i', 'o', 'member', 'none', 0, 0, 'p', ${now + 1000});
    INSERT INTO password_resets VALUES ('x', 'o', 'p', 0, 'p', ${now + 1000});
    INSERT INTO approvals (id, org_id, key_id, owner_id, tool, arguments_json, arguments_hash, asked_via, request_id, ip, state, created_at, expires_at) VALUES ('a', 'o', 'k', 'p', 't', '{}', 'x', 'mcp', 'r', '', 'pending', 0, ${now + 1000});
    INSERT INTO webhooks (id, org_id, owner_id, name, address, events_json, active, since_seq, failures, revision, created_at, updated_at, created_by, created_via) VALUES ('w', 'o', 'p', 'n', 'https://x.test', '[]', 1, 0, 0, 1, 0, 0, 'p', 'web');
    INSERT INTO webhook_deliveries (id, org_id, webhook_id, change_seq, event, status, attempts, aside, next_attempt_at, created_at) VALUES ('d', 'o', 'w', 1, 'e', 'pending', 1, 0, 0, 0);
    INSERT INTO automations (id, org_id, owner_id, name, trigger_type, trigger_json, conditions_json, actions_json, plan_id, outbound, shared, status, since_seq, failures, runs_succeeded, runs_failed, runs_skipped, revision, created_at, updated_at, created_by, created_via) VALUES ('u', 'o', 'p', 'n', 'manual', '{}', '[]', '[]', 'x', 0, 0, 'enabled', 0, 0, 0, 0, 0, 1, 0, 0, 'p', 'web');
    INSERT INTO automation_runs (id, org_id, automation_id, automation_name, owner_id, plan_id, trigger_type, root_id, depth, held, status, resume_at, created_at, updated_at) VALUES ('r', 'o', 'u', 'n', 'p', 'x', 'manual', 'r', 0, 0, 'running', 0, 0, 0);
    INSERT INTO job_schedules (id, org_id, owner_id, name, defined, kind, arguments_json, cron, timezone, created_at) VALUES ('j', 'o', 'p', 'u', 0, 'fire_automation', '{}', '* * * * *', 'UTC', 0);
  `)
  return db
}

test('after a restore all sessions, pending approvals, webhooks and automations are inactive', () => {
  const db = databaseInProgress()
  const settled = settleRestored(db, '2026-11-19T00:00:00.000Z', now)
  for (const table of [
    'web_sessions',
    'passkey_challenges',
    'oauth_tokens',
    'oauth_codes',
    'oauth_requests',
    'invitations',
    'password_resets',
    'approvals',
    'webhooks',
    'webhook_deliveries',
    'automations',
    'automation_runs',
    'job_schedules',
  ])
    assert.equal(settled.find((item) => item.table === table)?.rows, 1, table)
  assert.equal(db.prepare('SELECT count(*) FROM web_sessions').pluck().get(), 0)
  assert.equal(db.prepare('SELECT expires_at FROM invitations').pluck().get(), now)
  assert.equal(db.prepare('SELECT expires_at FROM approvals').pluck().get(), now)
  assert.deepEqual(db.prepare('SELECT active, pause FROM webhooks').get(), {
    active: 0,
    pause: 'restored',
  })
  assert.deepEqual(db.prepare('SELECT status, finished_at FROM webhook_deliveries').get(), {
    status: 'failed',
    finished_at: now,
  })
  assert.deepEqual(db.prepare('SELECT status, reason FROM automations').get(), {
    status: 'suspended',
    reason: 'a backup was restored',
  })
  assert.deepEqual(db.prepare('SELECT status, ended_at FROM automation_runs').get(), {
    status: 'failed',
    ended_at: now,
  })
  assert.ok(
    settleRestored(db, '2026-11-19T00:00:00.000Z', now).every((item) => item.rows === 0),
    'a second time nothing is left to do',
  )
})

test('a schema without the tables has nothing to settle', () => {
  assert.deepEqual(settleRestored(new Database(':memory:'), '2026-11-19T00:00:00.000Z', now), [])
})
