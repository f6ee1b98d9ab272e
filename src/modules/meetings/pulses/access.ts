import { sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { part } from '../../../records/part.ts'
import { type Row, resource } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'

/** The actor's active teams, as lead or member. */
function ownTeams(scope: AccessScope, role?: 'lead') {
  const teams = scope.all
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('team_members.team_id')
    .where('team_members.person_id', '=', scope.actor.id)
  const untrashed = scope.trash ? teams : teams.where('teams.deleted_at', 'is', null)
  return role ? untrashed.where('team_members.role', '=', role) : untrashed
}

/**
 * Pulses: visible to members and lead of the team, not to administrators outside it. Changed by their creator and the
 * lead.
 */
export const pulse = resource(
  'pulses',
  {
    type: 'pulse',
    prefix: 'pul',
    see: (s) => s.all.selectFrom('pulses').where('pulses.team_id', 'in', ownTeams(s)),
    edit: (s) => editablePulses(s),
    own: (s) => editablePulses(s),
    rule: {
      edit: 'Only the creator of a pulse or the lead of its team may change it.',
      own: 'Only the creator of a pulse or the lead of its team may delete it.',
    },
    names: {
      columns: ['name'],
      details: (row) => ({ team_id: row.team_id, active: row.active === 1 }),
    },
    list: { tool: 'list_pulses' },
    title: (row) => row.name,
    path: (row) => `pulses/${row.id}`,
    unaudited: ['next_at', 'next_on', 'look_at', 'rule_start'],
  },
  { trash: true },
)

function editablePulses(scope: AccessScope) {
  return scope.all
    .selectFrom('pulses')
    .where('pulses.team_id', 'in', ownTeams(scope))
    .where((eb) =>
      eb.or([
        eb('pulses.created_by', '=', scope.actor.id),
        eb('pulses.team_id', 'in', ownTeams(scope, 'lead')),
      ]),
    )
}

/** Rounds of a pulse; written only internally, below. */
export const pulseRound = part('pulse_rounds', {
  table: 'pulses',
  by: 'pulse_id',
  unique: ['pulse_id', 'occurrence_on'],
  field: 'rounds',
  touch: 'time',
})

/** Answers in open rounds of non-anonymous pulses: readable by the whole team, changed only by their author. */
export const pulseResponse = resource('pulse_responses', {
  type: 'pulse_response',
  prefix: 'pur',
  see: (s) => s.all.selectFrom('pulse_responses').where(pulse.holds(s, 'pulse_responses.pulse_id')),
  inheritsVisibilityFrom: 'pulse_id',
  edit: (s) =>
    s.all
      .selectFrom('pulse_responses')
      .where(pulse.holds(s, 'pulse_responses.pulse_id'))
      .where('pulse_responses.created_by', '=', s.actor.id),
  title: (row) => row.occurrence_on,
  path: (row) => `pulses/${row.pulse_id}`,
  partOf: {
    table: 'pulses',
    by: 'pulse_id',
    field: 'responses',
    value: (row) => row.created_by,
    touch: 'time',
    level: 'see',
  },
})

export type RoundRow = Row<'pulse_rounds'>
export type PulseRow = Row<'pulses'>

/** Ids of a team's active people: those expected to answer. */
export async function activeMembers(viewer: Viewer, teamId: Id<'teams'>): Promise<Id<'users'>[]> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.person_id')
    .select('users.id')
    .where('team_members.team_id', '=', teamId)
    .where('users.status', '=', 'active')
    .orderBy('team_members.role') // the lead first
    .orderBy('team_members.added_at')
    .orderBy('users.id')
    .execute()
  return rows.map((row) => row.id)
}

// Rounds open and close by themselves. That is the system's own work and not recorded as anyone's change, so it has no
// activity and no undo.

function untrashedPulses({ all }: Pick<TickContext, 'all'>) {
  return all
    .selectFrom('pulses')
    .innerJoin('teams', 'teams.id', 'pulses.team_id')
    .selectAll('pulses')
    .where('pulses.deleted_at', 'is', null)
    .where('teams.deleted_at', 'is', null)
}

/** Pulses with a round to open or to close. */
export function duePulses(system: TickContext, limit: number): Promise<PulseRow[]> {
  return untrashedPulses(system)
    .where('pulses.look_at', '<=', system.now)
    .orderBy('pulses.look_at')
    .limit(limit)
    .execute()
}

/** Pulses whose open round was opened in the future, because the clock was wrong and has been set back. */
export function pulsesOpenedInFuture(
  system: TickContext,
  tolerance: number,
  limit: number,
): Promise<PulseRow[]> {
  return untrashedPulses(system)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pulse_rounds')
          .select('pulse_rounds.pulse_id')
          .whereRef('pulse_rounds.pulse_id', '=', 'pulses.id')
          .where('pulse_rounds.closed_at', 'is', null)
          .where('pulse_rounds.opened_at', '>', system.now + tolerance),
      ),
    )
    .limit(limit)
    .execute()
}

/** Sets the next check of a pulse. */
export async function setPulseTimes(
  { all }: Pick<AccessScope, 'all'>,
  id: Id<'pulses'>,
  times: Pick<PulseRow, 'look_at'> & Partial<Pick<PulseRow, 'next_at' | 'next_on'>>,
): Promise<void> {
  await all.updateTable('pulses').set(times).where('id', '=', id).execute()
}

/** Does the same as `setPulseTimes`, from inside a call. */
export function setPulseTimesInCall(
  viewer: Viewer,
  id: Id<'pulses'>,
  times: Parameters<typeof setPulseTimes>[2],
): Promise<void> {
  return setPulseTimes(accessScopeOf(viewer), id, times)
}

export async function addRound(reader: Viewer, pulse: PulseRow, on: string): Promise<RoundRow> {
  const { all, now } = accessScopeOf(reader)
  const row: RoundRow = {
    pulse_id: pulse.id,
    occurrence_on: on,
    org_id: pulse.org_id,
    opened_at: now,
    closed_at: null,
    answered: 0,
    expected: null,
    missing_json: null,
    scores_json: null,
    meeting_id: null,
    problem: null,
    answers_json: null,
  }
  await all.insertInto('pulse_rounds').values(row).execute()
  return row
}

export async function changeRound(
  viewer: Viewer,
  { pulse_id, occurrence_on }: RoundRow,
  patch: Partial<RoundRow>,
): Promise<void> {
  await accessScopeOf(viewer)
    .all.updateTable('pulse_rounds')
    .set(patch)
    .where('pulse_id', '=', pulse_id)
    .where('occurrence_on', '=', occurrence_on)
    .execute()
}

/** Deletes and returns the answers of a round; closing stores them with the round. */
export async function removeResponses(
  reader: Viewer,
  { pulse_id, occurrence_on }: RoundRow,
): Promise<Row<'pulse_responses'>[]> {
  const { all } = accessScopeOf(reader)
  const rows = await all
    .selectFrom('pulse_responses')
    .selectAll()
    .where('pulse_id', '=', pulse_id)
    .where('occurrence_on', '=', occurrence_on)
    .orderBy('id')
    .execute()
  await all
    .deleteFrom('pulse_responses')
    .where('pulse_id', '=', pulse_id)
    .where('occurrence_on', '=', occurrence_on)
    .execute()
  return rows
}

/** Deletes sealed answers of erased pulses; returns their number. */
export async function deleteOrphanedSecrets({ all }: Pick<TickContext, 'all'>): Promise<number> {
  const { numDeletedRows } = await all
    .deleteFrom('secrets')
    .where('table_name', '=', 'pulses')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pulses')
            .select('pulses.id')
            .where('pulses.id', '=', sql.ref<Id<'pulses'>>('secrets.row_id')),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
