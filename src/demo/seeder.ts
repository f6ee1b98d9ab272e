import { randomUUID } from 'node:crypto'
import type { Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import { call } from '../operations/call/index.ts'
import { systemClock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import { issueKey } from '../keys/issue.ts'
import { addOrganization } from '../identity/organization-creation.ts'
import { addPerson } from '../identity/people.ts'
import { commandLineActor } from '../identity/people.ts'
import { care } from './sample-care.ts'
import { additionalTask, labels, people, projects } from './sample.ts'
import type { SampleProject, SampleTask, SamplePerson } from './sample-shapes.ts'

const day = 24 * 3600 * 1000
/** Additional tasks created per transaction; a server on the same database must not wait for it long. */
const batchSize = 20

/**
 * The organization while it is being filled. Its clock runs through the last three months, so that it has a history.
 */
export class Studio {
  readonly #app: App
  readonly #name: string
  readonly #actors = new Map<SamplePerson, Actor>()
  readonly #ids = new Map<string, string>()
  #org = ''
  tasks = 0
  #clockMs: number

  constructor(app: App, name: string) {
    this.#name = name
    this.#clockMs = app.clock.now() - 94 * day
    const { clock } = app
    this.#app = {
      ...app,
      clock: {
        now: () => Math.min(this.#clockMs, clock.now()),
        monotonic: () => clock.monotonic(),
      },
    }
  }

  async createOrganization(): Promise<void> {
    const { store, clock } = this.#app
    const existingUser = await store.read
      .selectFrom('users')
      .select('email')
      .where(
        'email',
        'in',
        Object.keys(people).map((who) => this.email(who as SamplePerson)),
      )
      .executeTakeFirst()
    if (existingUser)
      throw new Refusal(
        'conflict',
        `${existingUser.email} already exists.`,
        'Choose another name with --org.',
      )
    const org = await addOrganization(store, clock, { name: this.#name, timezone: 'Europe/Berlin' })
    this.#org = org
    for (const [who, { name, role }] of Object.entries(people) as [
      SamplePerson,
      (typeof people)[SamplePerson],
    ][]) {
      await addPerson(store, clock, { org, email: this.email(who), name, role }, 'workspace demo')
      this.#actors.set(who, await commandLineActor(store, this.email(who)))
    }
    for (const [name, color, description] of labels)
      await this.call('mia', 'create_label', { name, color, description })
  }

  async createProject(project: SampleProject): Promise<void> {
    const { key, name, about, lead, members, sprint, milestone, tasks } = project
    const projectFields = { project_id: key }
    const member_ids = members.map((who) => this.email(who))
    await this.call(lead, 'create_project', {
      name,
      key,
      description_markdown: about,
      member_ids,
      starts_on: this.date(project.from),
      ends_on: this.date(project.to),
    })
    await this.call(lead, 'update_project', { ...projectFields, status: 'active' })
    await this.createNamed(`${key} milestone`, lead, 'create_milestone', {
      ...projectFields,
      name: milestone.name,
      due_on: this.date(milestone.due),
      description_markdown: milestone.about,
    })
    if (sprint)
      await this.createNamed(`${key} sprint`, lead, 'create_sprint', {
        ...projectFields,
        name: sprint.name,
        goal: sprint.goal,
        starts_on: this.date(sprint.from),
        ends_on: this.date(sprint.to),
      })
    for (const task of tasks) await this.#create(project, task)
  }

  /** Creates the events of a project since it was planned. */
  async createProjectActivity(project: SampleProject): Promise<void> {
    const { key, lead, sprint, update, tasks } = project
    if (sprint) await this.#start(project, sprint.from)
    for (const task of tasks) await this.#createComments(project, task)
    await this.call(lead, 'post_project_update', {
      project_id: key,
      health: update[0],
      body_markdown: update[1],
    })
  }

  /** Creates additional tasks, for tests at scale. */
  async addTasks(count: number): Promise<void> {
    for (let done = 0; done < count; done += batchSize) {
      const batch = Array.from({ length: Math.min(batchSize, count - done) }, (_, i) =>
        additionalTask(done + i),
      )
      await Promise.all(
        batch.map(({ project, task }) =>
          this.#create(project, task).then(() => this.#createComments(project, task)),
        ),
      )
    }
  }

  async summary(withKeys: boolean) {
    const { store } = this.#app
    const summaries = []
    for (const [who, { id, email, role }] of this.#actors) {
      const keyField = withKeys
        ? { key: (await issueKey(store, systemClock, { owner: id, name: 'Demo', via: 'cli' })).key }
        : {}
      summaries.push({
        id,
        email,
        role,
        projects: [...projects, care]
          .filter((project) => project.lead === who || project.members.includes(who))
          .map((project) => project.key),
        ...keyField,
      })
    }
    return { id: this.#org, name: this.#name, tasks: this.tasks, people: summaries }
  }

  async #create(project: SampleProject, task: SampleTask): Promise<void> {
    const {
      title,
      by,
      status,
      priority,
      assignees = [],
      due,
      points,
      labels,
      text,
      parent,
      blockedBy,
      sprint,
      milestone,
    } = task
    this.tasks++
    const id = await this.createNamed(`${project.key} ${title}`, by, 'create_task', {
      project_id: project.key,
      title,
      status: status === 'Done' || status === 'Cancelled' ? 'To do' : status,
      priority,
      assignee_ids: assignees.map((who) => this.email(who)),
      due_at: due === undefined ? undefined : this.date(due),
      points,
      label_ids: labels,
      description_markdown: text,
      parent_id: parent && this.#ids.get(`${project.key} ${parent}`),
      sprint_id: sprint && this.#ids.get(`${project.key} sprint`),
      milestone_id: milestone && this.#ids.get(`${project.key} milestone`),
    })
    if (blockedBy)
      await this.call(by, 'add_task_dependency', {
        task_id: id,
        other_task_id: this.#ids.get(`${project.key} ${blockedBy}`),
      })
  }

  /** Creates comments on a task and completes it. */
  async #createComments(
    project: SampleProject,
    { title, by, status, assignees, comments = [] }: SampleTask,
  ): Promise<void> {
    const task_id = this.#ids.get(`${project.key} ${title}`)
    for (const [who, body_markdown] of comments)
      await this.call(who, 'add_task_comment', { task_id, body_markdown })
    if (status === 'Done') await this.call(assignees?.[0] ?? by, 'complete_task', { task_id })
    if (status === 'Cancelled') await this.call(by, 'update_task', { task_id, status })
  }

  async #start({ key, lead }: SampleProject, from: number): Promise<void> {
    this.#clockMs = Math.max(this.#clockMs, this.daysFromNow(from))
    await this.call(lead, 'start_sprint', { sprint_id: this.#ids.get(`${key} sprint`) })
  }

  /** The id of the item created under a name. @throws Error if there is none */
  id(name: string): string {
    const id = this.#ids.get(name)
    if (id === undefined) throw new Error(`The sample refers to ${name}, which it has not created.`)
    return id
  }

  /** The id of a task by its title. */
  task(project: string, title: string): string {
    return this.id(`${project} ${title}`)
  }

  /** Advances the studio's clock to a moment, never back. */
  advanceTo(at: number): void {
    this.#clockMs = Math.max(this.#clockMs, at)
  }

  /** The current moment of the studio's clock. */
  now(): string {
    return new Date(this.#app.clock.now()).toISOString()
  }

  async createNamed(
    name: string,
    who: SamplePerson,
    tool: string,
    args: Record<string, unknown>,
    minutes?: number,
  ): Promise<string> {
    const { id } = await this.call(who, tool, args, minutes)
    this.#ids.set(name, id)
    return id
  }

  async call(
    who: SamplePerson,
    tool: string,
    args: Record<string, unknown>,
    minutes = 17,
  ): Promise<{ id: string }> {
    this.#clockMs = workingTime(this.#clockMs + minutes * 60_000)
    const definedArgs = Object.fromEntries(
      Object.entries(args).filter(([, value]) => value !== undefined),
    )
    const answer = await call(this.#app, this.#actors.get(who)!, {
      tool,
      args: definedArgs,
      transport: 'cli',
      requestId: randomUUID(),
      route: 'workspace demo',
      ip: '',
    })
    return answer.value as { id: string }
  }

  /** Writes to the database on behalf of one person where no operation exists. */
  write<T>(who: SamplePerson, work: (app: App, owner: Actor) => Promise<T>): Promise<T> {
    return this.#app.store.writer.run(() => work(this.#app, this.#actors.get(who)!))
  }

  email(who: SamplePerson): string {
    return `${who}@${
      this.#name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'demo'
    }.example`
  }

  daysFromNow(days: number): number {
    return Date.now() + days * day
  }

  date(days: number): string {
    return new Date(this.daysFromNow(days)).toISOString().slice(0, 10)
  }
}

/** The moment itself on a working day, otherwise the next working morning. */
function workingTime(at: number): number {
  const moment = new Date(at)
  if (moment.getUTCHours() >= 17) return workingTime(moment.setUTCHours(24, 0, 0, 0))
  if (moment.getUTCHours() < 7) return workingTime(moment.setUTCHours(7, 30, 0, 0))
  return moment.getUTCDay() % 6 === 0 ? workingTime(moment.setUTCHours(24, 0, 0, 0)) : at
}
