import { randomUUID } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import type { Actor } from '../core/actor.ts'
import type { App } from '../core/app.ts'
import { call } from '../core/call.ts'
import { systemClock } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'
import { issueKey } from '../keys/issue.ts'
import { addOrganization, addPerson } from '../keys/people.ts'
import { command, print, type Common } from './command.ts'
import { personActing, withApp } from './open.ts'
import { furtherTask, labels, people, projects, type SampleProject, type SampleTask, type Who } from './sample.ts'

const day = 24 * 3600 * 1000
const usualTasks = projects.reduce((sum, project) => sum + project.tasks.length, 0)
/** Further tasks that are made at once: they share a transaction, which a server beside this must not wait for long. */
const atOnce = 20

const about =
  `Makes an organization with three people, three projects and ${usualTasks} tasks, through the same operations that assistants use. ` +
  'Every person sees something else. On an empty folder it makes the workspace, too.'

export function register(program: Command): void {
  command(program, 'demo', about, [
    'workspace demo --data /tmp/try-it',
    'workspace demo --keys --json',
    'workspace demo --org "Load test" --tasks 10000',
  ])
    .option('--org <name>', 'name of the organization', 'Demo Studio')
    .option('--tasks <number>', 'how many tasks in all', whole, usualTasks)
    .option('--keys', 'make a key for each person, shown this once')
    .action(demo)
}

interface Given extends Common {
  org: string
  tasks: number
  keys?: true
}

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

async function demo(given: Given): Promise<void> {
  const made = await withApp(given, async app => {
    const studio = new Studio(app, given.org)
    await studio.open()
    for (const project of projects) await studio.plan(project)
    for (const project of projects) await studio.live(project)
    await studio.workOn(Math.max(0, given.tasks - usualTasks))
    return studio.summary(given.keys ?? false)
  }, 'begin')
  print(given.json, made, () => {
    const who = made.people.map(one => `  ${one.email.padEnd(32)} ${one.role.padEnd(7)} sees ${one.projects.join(', ')}${one.key ? `\n    ${one.key}` : ''}`)
    const { email } = made.people[0]!
    return `Made ${made.name} with ${made.tasks} tasks:\n\n${who.join('\n')}\n\nNext: workspace keys create --user ${email} --name …\n      workspace call list_tasks --as ${email} --overdue`
  })
}

/** The organization while it is being filled. Its clock runs through the last three weeks, so that there is a past to look at. */
class Studio {
  readonly #app: App
  readonly #name: string
  readonly #actors = new Map<Who, Actor>()
  readonly #ids = new Map<string, string>()
  #org = ''
  #tasks = 0
  #at: number

  constructor(app: App, name: string) {
    this.#name = name
    this.#at = app.clock.now() - 21 * day
    const { clock } = app
    this.#app = { ...app, clock: { now: () => Math.min(this.#at, clock.now()), monotonic: () => clock.monotonic() } }
  }

  async open(): Promise<void> {
    const { store, clock } = this.#app
    const taken = await store.read.selectFrom('users').select('email').where('email', 'in', Object.keys(people).map(who => this.#email(who as Who))).executeTakeFirst()
    if (taken) throw new Refusal('conflict', `${taken.email} is here already.`, 'Choose another name with --org.')
    const org = await addOrganization(store, clock, { name: this.#name, timezone: 'Europe/Berlin' })
    this.#org = org
    for (const [who, { name, role }] of Object.entries(people) as [Who, (typeof people)[Who]][]) {
      await addPerson(store, clock, { org, email: this.#email(who), name, role }, 'workspace demo')
      this.#actors.set(who, await personActing(store, this.#email(who)))
    }
    for (const [name, color, description] of labels) await this.#call('mia', 'create_label', { name, color, description })
  }

  async plan(project: SampleProject): Promise<void> {
    const { key, name, about, lead, members, sprint, milestone, tasks } = project
    const of = { project_id: key }
    const member_ids = members.map(who => this.#email(who))
    await this.#call(lead, 'create_project', { name, key, description_markdown: about, member_ids, starts_on: this.#date(project.from), ends_on: this.#date(project.to) })
    await this.#call(lead, 'update_project', { ...of, status: 'active' })
    await this.#make(`${key} milestone`, lead, 'create_milestone', { ...of, name: milestone.name, due_on: this.#date(milestone.due), description_markdown: milestone.about })
    if (sprint) await this.#make(`${key} sprint`, lead, 'create_sprint', { ...of, name: sprint.name, goal: sprint.goal, starts_on: this.#date(sprint.from), ends_on: this.#date(sprint.to) })
    for (const task of tasks) await this.#create(project, task)
  }

  /** What happened to a project since it was planned. */
  async live(project: SampleProject): Promise<void> {
    const { key, lead, sprint, update, tasks } = project
    if (sprint) await this.#start(project, sprint.from)
    for (const task of tasks) await this.#discuss(project, task)
    await this.#call(lead, 'post_project_update', { project_id: key, health: update[0], body_markdown: update[1] })
  }

  /** Further tasks, for trying things at size. */
  async workOn(count: number): Promise<void> {
    for (let done = 0; done < count; done += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - done) }, (_, i) => furtherTask(done + i))
      await Promise.all(some.map(({ project, task }) => this.#create(project, task).then(() => this.#discuss(project, task))))
    }
  }

  async summary(withKeys: boolean) {
    const { store } = this.#app
    const shown = []
    for (const [who, { id, email, role }] of this.#actors) {
      const made = withKeys ? { key: (await issueKey(store, systemClock, { owner: id, name: 'Demo', via: 'cli' })).key } : {}
      shown.push({ id, email, role, projects: projects.filter(one => one.lead === who || one.members.includes(who)).map(one => one.key), ...made })
    }
    return { id: this.#org, name: this.#name, tasks: this.#tasks, people: shown }
  }

  async #create(project: SampleProject, task: SampleTask): Promise<void> {
    const { title, by, status, priority, assignees = [], due, points, labels, text, under, waitsFor, sprint, milestone } = task
    this.#tasks++
    const id = await this.#make(`${project.key} ${title}`, by, 'create_task', {
      project_id: project.key,
      title,
      status: status === 'Done' || status === 'Cancelled' ? 'To do' : status,
      priority,
      assignee_ids: assignees.map(who => this.#email(who)),
      due_at: due === undefined ? undefined : this.#date(due),
      points,
      label_ids: labels,
      description_markdown: text,
      parent_id: under && this.#ids.get(`${project.key} ${under}`),
      sprint_id: sprint && this.#ids.get(`${project.key} sprint`),
      milestone_id: milestone && this.#ids.get(`${project.key} milestone`),
    })
    if (waitsFor) await this.#call(by, 'add_task_dependency', { task_id: id, other_task_id: this.#ids.get(`${project.key} ${waitsFor}`) })
  }

  /** Talk about a task, and its end. */
  async #discuss(project: SampleProject, { title, by, status, assignees, comments = [] }: SampleTask): Promise<void> {
    const task_id = this.#ids.get(`${project.key} ${title}`)
    for (const [who, body_markdown] of comments) await this.#call(who, 'add_task_comment', { task_id, body_markdown })
    if (status === 'Done') await this.#call(assignees?.[0] ?? by, 'complete_task', { task_id })
    if (status === 'Cancelled') await this.#call(by, 'update_task', { task_id, status })
  }

  async #start({ key, lead }: SampleProject, from: number): Promise<void> {
    this.#at = Math.max(this.#at, this.#today(from))
    await this.#call(lead, 'start_sprint', { sprint_id: this.#ids.get(`${key} sprint`) })
  }

  async #make(name: string, who: Who, tool: string, args: Record<string, unknown>): Promise<string> {
    const { id } = await this.#call(who, tool, args)
    this.#ids.set(name, id)
    return id
  }

  async #call(who: Who, tool: string, args: Record<string, unknown>): Promise<{ id: string }> {
    this.#at += 17 * 60_000
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
    const answer = await call(this.#app, this.#actors.get(who)!, { tool, args: given, transport: 'cli', requestId: randomUUID(), route: 'workspace demo', ip: '' })
    return answer.value as { id: string }
  }

  #email(who: Who): string {
    return `${who}@${this.#name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'demo'}.example`
  }

  #today(days: number): number {
    return Date.now() + days * day
  }

  #date(days: number): string {
    return new Date(this.#today(days)).toISOString().slice(0, 10)
  }
}
