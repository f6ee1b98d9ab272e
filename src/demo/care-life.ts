// Three months of the studio's everyday work: cycles are planned, tasks done on their days, and leftovers carried over.

import { care, careTasksOf, cycleDays, cycleStart, type CareTask } from './sample-care.ts'
import type { Studio } from './seeder.ts'

/** Tasks created together in one transaction. */
const batchSize = 20
const hour = 3600_000

interface CreatedTask {
  id: string
  task: CareTask
}

interface Step {
  day: number
  run: () => Promise<unknown>
}

/** Creates the work in day order, so that other activities can be created in between. */
export class CareSimulation {
  readonly #studio: Studio
  readonly #tasks: CareTask[]
  readonly #sprints: string[] = []
  readonly #steps: Step[] = []

  constructor(studio: Studio, count: number) {
    this.#studio = studio
    this.#tasks = careTasksOf(count)
  }

  /** Creates the project and plans its cycles. */
  async begin(): Promise<void> {
    const { key, name, about, lead, members, cycles } = care
    const studio = this.#studio
    studio.advanceTo(studio.daysFromNow(care.firstCycle - 3))
    await studio.call(lead, 'create_project', {
      name,
      key,
      description_markdown: about,
      member_ids: members.map((who) => studio.email(who)),
      starts_on: studio.date(care.firstCycle),
    })
    await studio.call(lead, 'update_project', { project_id: key, status: 'active' })
    for (let n = 0; n < cycles; n++) {
      const from = cycleStart(n)
      this.#sprints.push(
        await studio.createNamed(`${key} cycle ${n}`, lead, 'create_sprint', {
          project_id: key,
          name: `Cycle ${n + 1}`,
          starts_on: studio.date(from),
          ends_on: studio.date(from + cycleDays - 1),
        }),
      )
      this.#steps.push({ day: from - 1, run: () => this.#plan(n) })
    }
  }

  /** Continues until a day, counted from today. */
  async runUntil(day: number): Promise<void> {
    for (;;) {
      this.#steps.sort((a, b) => a.day - b.day)
      const step = this.#steps[0]
      if (!step || step.day >= day) return
      this.#steps.shift()
      this.#studio.advanceTo(this.#studio.daysFromNow(step.day) + 1 * hour)
      await step.run()
    }
  }

  async #plan(cycle: number): Promise<void> {
    const from = cycleStart(cycle)
    const isLast = cycle === care.cycles - 1
    const tasks = this.#tasks.filter(
      (task) => task.cycle === cycle || (isLast && task.cycle === undefined),
    )
    const createdTasks: CreatedTask[] = []
    for (let done = 0; done < tasks.length; done += batchSize)
      createdTasks.push(
        ...(await Promise.all(
          tasks
            .slice(done, done + batchSize)
            .map(async (task) => ({ task, id: await this.#make(task) })),
        )),
      )
    this.#steps.push({ day: from, run: () => this.#startCycle(cycle) })
    const days = Map.groupBy(createdTasks, ({ task }) => task.doneOn)
    for (const [day, tasksOfDay] of days)
      if (day !== undefined)
        this.#steps.push({ day: from + day, run: () => this.#finish(tasksOfDay) })
  }

  /** Ends a cycle and starts the next one. */
  async #startCycle(cycle: number): Promise<void> {
    const [before, now] = [this.#sprints[cycle - 1], this.#sprints[cycle]]
    if (before !== undefined)
      await this.#studio.call(care.lead, 'complete_sprint', {
        sprint_id: before,
        carry_over_to: now,
      })
    await this.#studio.call(care.lead, 'start_sprint', { sprint_id: now })
  }

  #make({ title, by, label, points, priority, cycle, dueOn, status }: CareTask): Promise<string> {
    const studio = this.#studio
    studio.tasks++
    return studio.createNamed(
      `${care.key} ${title}`,
      by,
      'create_task',
      {
        project_id: care.key,
        title,
        status,
        priority,
        points,
        assignee_ids: [studio.email(by)],
        label_ids: label && [label],
        sprint_id: cycle === undefined ? undefined : this.#sprints[cycle],
        due_at: cycle === undefined ? undefined : studio.date(cycleStart(cycle) + dueOn),
      },
      1,
    )
  }

  #finish(items: readonly CreatedTask[]): Promise<unknown> {
    return Promise.all(
      items.map(({ id, task }) => this.#studio.call(task.by, 'complete_task', { task_id: id }, 5)),
    )
  }
}
