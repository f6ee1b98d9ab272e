import { literals, type Planter } from './planter.ts'

/** An automation of the maker's project with a run that nobody goes on with, one that is called from outside, and one in the trash. */
export const automations: Planter = {
  async plant(make, say, { project }) {
    const trigger = { type: 'manual', params: {} }
    const actions = [
      {
        type: 'create_task',
        params: { project_id: project![0]!, title: say('task of an automation') },
      },
    ]
    const rule = await make('create_automation', {
      name: say('automation'),
      trigger,
      conditions: [{ expression: `item.title == "${say('condition')}"` }],
      actions,
      project_id: project![0]!,
    })
    await make('enable_automation', { automation_id: rule.id })
    const run = await make('run_automation', {
      automation_id: rule.id,
      input: { text: say('input') },
    })
    const hook = await make('create_automation', {
      name: say('hook'),
      trigger: { type: 'webhook', params: {} },
      actions,
    })
    const gone = await make('create_automation', {
      name: say('trashed automation'),
      trigger,
      actions,
    })
    await make('delete_automation', { automation_id: gone.id })
    return { automation: [rule.id, hook.id], automation_run: [run.id], trashed: [gone.id] }
  },
  rows: (planted) => ({
    automations: `id IN (${literals([...(planted.automation ?? []), ...(planted.trashed ?? [])])})`,
    automation_runs: `id IN (${literals(planted.automation_run)})`,
    automation_steps: `run_id IN (${literals(planted.automation_run)})`,
  }),
  inside: (_, planted) => [
    [
      'create_automation',
      {
        name: 'x',
        trigger: {
          type: 'event',
          params: { event: 'task.*', filter: { project_ids: [planted.project![0]!] } },
        },
        actions: [{ type: 'list_tasks', params: {} }],
      },
      'project',
    ],
  ],
}
