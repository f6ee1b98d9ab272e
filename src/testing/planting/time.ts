import { dayCounter, literals, type Planter } from './planter.ts'

/** Time on a task and on a project, a timer that runs, and an entry in the trash. */
export const time: Planter = {
  async plant(make, say, around) {
    const [project_id, task_id] = [around.project![0], around.task![0]]
    const day = await dayCounter(make)
    const onTask = await make('create_time_entry', {
      task_id,
      duration_minutes: 30,
      spent_on: day(-1),
      note: say('time'),
    })
    const onProject = await make('create_time_entry', {
      project_id,
      duration_minutes: 45,
      spent_on: day(11),
      note: say('time of the project'),
      billable: true,
    })
    const gone = await make('create_time_entry', {
      task_id,
      duration_minutes: 5,
      spent_on: day(-2),
      note: say('trashed time'),
    })
    await make('delete_time_entry', { entry_id: gone.id })
    const timer = await make('start_timer', { task_id, note: say('timer') })
    return { time_entry: [onTask.id, onProject.id, timer.id], trashed: [gone.id] }
  },
  rows: (planted) => ({
    time_entries: `id IN (${literals([...(planted.time_entry ?? []), ...(planted.trashed ?? [])])})`,
  }),
}
