import { quarterOf } from '../days.ts'
import { literals, nowOf, type Planter } from './planter.ts'

/** A personal goal, with key results by hand and fed from a project, a check-in, a goal below it and one in the trash. */
export const goals: Planter = {
  async plant(make, say, around) {
    const of = { level: 'personal', period: quarterOf(await nowOf(make)) }
    const [project] = around.project!
    const goal = await make('create_goal', {
      ...of,
      title: say('goal'),
      description_markdown: say('why'),
      project_ids: [project],
      key_results: [
        { title: say('key result'), metric: 'number', target_value: 10, unit: say('unit') },
        {
          title: say('fed key result'),
          metric: 'percent',
          target_value: 100,
          source: { kind: 'tasks', params: { project_id: project } },
        },
        {
          title: say('key result of deals'),
          metric: 'number',
          target_value: 10,
          source: { kind: 'deals' },
        },
      ],
    })
    await make('update_goal', { goal_id: goal.id, status: 'active' })
    const child = await make('create_goal', { ...of, title: say('goal below'), parent_id: goal.id })
    const [byHand, fed] = goal.key_results.map((keyResult: { id: string }) => keyResult.id)
    await make('record_goal_checkin', {
      goal_id: goal.id,
      values: { [byHand]: 1 },
      confidence: 'low',
      note_markdown: say('check-in'),
    })
    const gone = await make('create_goal', { ...of, title: say('trashed goal') })
    await make('delete_goal', { goal_id: gone.id })
    return { goal: [goal.id, child.id], key_result: [byHand, fed], trashed: [gone.id] }
  },
  rows: (planted) => ({
    goals: `id IN (${literals([...(planted.goal ?? []), ...(planted.trashed ?? [])])})`,
    key_results: `goal_id IN (${literals(planted.goal)})`,
    goal_checkins: `goal_id IN (${literals(planted.goal)})`,
    goal_projects: `goal_id IN (${literals(planted.goal)})`,
  }),
  inside(own, planted) {
    const goal_id = own.goal![0]
    const fedFrom = (params: Record<string, unknown>) => ({
      title: 'x',
      metric: 'number',
      target_value: 1,
      source: { kind: 'tasks', params },
    })
    const fedFromDeals = (params: Record<string, unknown>) => ({
      title: 'x',
      metric: 'number',
      target_value: 1,
      source: { kind: 'deals', params },
    })
    const draft = (more: Record<string, unknown>) => ({
      title: 'x',
      level: 'personal',
      period: '2026',
      key_results: [more],
    })
    return [
      ...planted.project!.flatMap((project_id): [string, Record<string, unknown>, string][] => [
        ['create_key_result', { goal_id, ...fedFrom({ project_id }) }, 'project'],
        [
          'update_key_result',
          { key_result_id: own.key_result![0], source: fedFrom({ project_id }).source },
          'project',
        ],
        ['create_goal', draft(fedFrom({ project_id })), 'project'],
      ]),
      ...(planted.company ?? []).map((company_id): [string, Record<string, unknown>, string] => [
        'create_key_result',
        { goal_id, ...fedFromDeals({ company_id }) },
        'company',
      ]),
      ...(planted.person ?? []).map((owner_id): [string, Record<string, unknown>, string] => [
        'create_key_result',
        { goal_id, ...fedFromDeals({ owner_id }) },
        'person',
      ]),
      ...planted.milestone!.map((milestone_id): [string, Record<string, unknown>, string] => [
        'create_key_result',
        { goal_id, ...fedFrom({ milestone_id }) },
        'milestone',
      ]),
      ...(planted.label ?? []).map((label_id): [string, Record<string, unknown>, string] => [
        'create_key_result',
        { goal_id, ...fedFrom({ project_id: own.project![0], label_id }) },
        'label',
      ]),
      ...planted.key_result!.map((id): [string, Record<string, unknown>, string] => [
        'record_goal_checkin',
        { goal_id, values: { [id]: 1 } },
        'key_result',
      ]),
      ...(planted.person ?? []).map((owner_id): [string, Record<string, unknown>, string] => [
        'create_goal',
        draft({ title: 'x', metric: 'number', target_value: 1, owner_id }),
        'person',
      ]),
    ]
  },
}
