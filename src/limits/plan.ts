import type Database from 'better-sqlite3'
import { recordForEach } from '../audit/act.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Id } from '../kernel/ids.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../db/open.ts'
import { addDays, dayAt, iso, minuteOfDay } from '../kernel/time/times.ts'
import type { AbuseFindings } from './findings.ts'
import { unlimited, type Plan, type Plans } from '../config/plans.ts'
import { membersQuery, storageQuery, usageStatements, type UsageStatements } from './usage.ts'

/** How long a plan and a time zone are taken to be as they were, in milliseconds: another process may change them. */
const trustedFor = 1000
const warnAt = 0.8

/** A call that counts, in the day that it belongs to. */
export interface Metered {
  use: OrgUse
  day: string
}

/** What an organization has used of its plan; calls under way count as used. */
interface OrgUse {
  org: Id<'orgs'>
  plan: string
  limits: Plan
  zone: string
  /** When plan and zone were read, by the monotonic clock. */
  readAt: number
  day: string
  dayEnds: number
  month: string
  calls: { day: number; month: number }
  /** Rules, with the days and months for which somebody was told. */
  warned: Set<string>
}

/** What an organization has used of its plan, as answers show it. */
export interface PlanUse {
  plan: string
  /** Of the whole organization: only told where the plan bounds them, since they tell of others. */
  calls_today?: number
  calls_per_day?: number
  calls_this_month?: number
  calls_per_month?: number
  /** Milliseconds since 1970. */
  day_ends_at: number
  month_ends_at: number
  /** 80 % of one of the two are used. */
  warning: boolean
}

/** What is used of something, and what the plan bounds it to; without a limit there is none. */
interface Share {
  used: number
  limit?: number
  left?: number
}

/** Everything that a plan is about, as administrators see it. */
export interface PlanStanding {
  name: string
  calls_today: Share
  calls_this_month: Share
  people: Share
  storage_bytes: Share
  day_ends_at: string
  month_ends_at: string
}

/**
 * Counts calls against the plan of each organization. A call is counted when it begins, so that however many begin at once exactly as
 * many are served as the plan allows; given back when it fails; and written down in the transaction of its entry in the call log.
 */
export class PlanMeter {
  readonly #plans: Plans
  readonly #default: string
  readonly #clock: Clock
  readonly #findings: AbuseFindings
  readonly #statements: UsageStatements
  readonly #storage: Database.Statement<[string]>
  readonly #members: Database.Statement<[string]>
  readonly #orgs = new Map<string, OrgUse>()

  constructor(
    { plans, default_plan }: Settings,
    clock: Clock,
    findings: AbuseFindings,
    write: Database.Database,
  ) {
    this.#plans = plans
    this.#default = default_plan
    this.#clock = clock
    this.#findings = findings
    this.#statements = usageStatements(write)
    this.#storage = write.prepare(storageQuery).pluck()
    this.#members = write.prepare(membersQuery).pluck()
  }

  /** Counts a call that begins. @throws Refusal plan_exceeded */
  begin({ org_id }: Actor, now: number): Metered {
    const use = this.#useOf(org_id, now)
    const { calls, limits } = use
    if (calls.day >= (limits.calls_per_day ?? Infinity))
      throw this.#exceeded(use, 'day', limits.calls_per_day!, now)
    if (calls.month >= (limits.calls_per_month ?? Infinity))
      throw this.#exceeded(use, 'month', limits.calls_per_month!, now)
    calls.day++
    calls.month++
    if (isNear(use)) this.#warn(use)
    return { use, day: use.day }
  }

  /** Gives a call back that was not served. */
  giveBack({ use, day }: Metered): void {
    if (use.day === day) use.calls.day--
    if (use.month === monthOf(day)) use.calls.month--
  }

  /** Writes a served call down, inside the job of the writer that enters it into the call log. */
  count({ use, day }: Metered, actor: Actor): void {
    this.#statements.count.run(use.org, day, actor.id, actor.key?.id ?? '')
  }

  /** After files were added, in their transaction. @throws Refusal storage_full */
  checkStorage(org: Id<'orgs'>, now: number): void {
    const { plan, limits } = this.#useOf(org, now)
    if (limits.storage_bytes === undefined) return
    const used = this.#storage.get(org) as number
    if (used <= limits.storage_bytes) return
    throw new Refusal(
      'storage_full',
      `The plan "${plan}" of this organization allows ${limits.storage_bytes} bytes of files; with this one it would be ${used}.`,
      {
        hint: 'Permanently delete files, or ask the operator of this workspace for another plan.',
        context: { plan, limit: limits.storage_bytes },
      },
    )
  }

  useOf(org: Id<'orgs'>, now: number): PlanUse {
    const use = this.#useOf(org, now)
    const { calls_per_day, calls_per_month } = use.limits
    return {
      plan: use.plan,
      ...(calls_per_day === undefined ? {} : { calls_today: use.calls.day, calls_per_day }),
      ...(calls_per_month === undefined
        ? {}
        : { calls_this_month: use.calls.month, calls_per_month }),
      day_ends_at: use.dayEnds,
      month_ends_at: monthEnd(use),
      warning: isNear(use),
    }
  }

  standing(org: Id<'orgs'>, now: number): PlanStanding {
    const use = this.#useOf(org, now)
    const { plan, limits, calls } = use
    return {
      name: plan,
      calls_today: share(calls.day, limits.calls_per_day),
      calls_this_month: share(calls.month, limits.calls_per_month),
      people: share(this.#members.get(org) as number, limits.members),
      storage_bytes: share(this.#storage.get(org) as number, limits.storage_bytes),
      day_ends_at: iso(use.dayEnds),
      month_ends_at: iso(monthEnd(use)),
    }
  }

  #useOf(org: Id<'orgs'>, now: number): OrgUse {
    let use = this.#orgs.get(org)
    if (!use || this.#clock.monotonic() - use.readAt >= trustedFor) use = this.#read(org, use)
    if (now >= use.dayEnds || now < use.dayEnds - 26 * 3600_000) this.#turn(use, now)
    return use
  }

  #read(org: Id<'orgs'>, known: OrgUse | undefined): OrgUse {
    const { zone, plan: given } = this.#statements.plan.get(org) as {
      zone: string
      plan: string | null
    }
    const plan = given !== null && Object.hasOwn(this.#plans, given) ? given : this.#default
    const use: OrgUse = known ?? {
      org,
      plan,
      limits: unlimited,
      zone,
      readAt: 0,
      day: '',
      dayEnds: 0,
      month: '',
      calls: { day: 0, month: 0 },
      warned: new Set(),
    }
    if (use.zone !== zone) use.dayEnds = 0
    Object.assign(use, { plan, limits: this.#plans[plan]!, zone, readAt: this.#clock.monotonic() })
    this.#orgs.set(org, use)
    return use
  }

  /** Another day: what was used of it is what was written down of it. Of the same month, calls under way still count. */
  #turn(use: OrgUse, now: number): void {
    const day = dayAt(now, use.zone)
    const month = monthOf(day)
    use.dayEnds = minuteOfDay(day, 1440, use.zone)
    if (day === use.day) return
    use.calls.day = this.#statements.sum.get(use.org, day, day) as number
    if (month !== use.month)
      use.calls.month = this.#statements.sum.get(use.org, `${month}-01`, `${month}-31`) as number
    Object.assign(use, { day, month })
  }

  #exceeded(use: OrgUse, period: 'day' | 'month', limit: number, now: number): Refusal {
    const ends = period === 'day' ? use.dayEnds : monthEnd(use)
    this.#raise('plan-exceeded', use, use[period], { plan: use.plan, limit })
    return new Refusal(
      'plan_exceeded',
      `The plan "${use.plan}" of this organization allows ${limit} calls per ${period}, and all are used.`,
      {
        hint: `The next ${period} begins at ${iso(ends)}. The operator can assign another plan.`,
        retry_after_seconds: Math.max(1, Math.ceil((ends - now) / 1000)),
        context: {
          plan: use.plan,
          period,
          limit,
          resets_at: iso(ends),
          'violated-policies': [`plan-${period}`],
        },
      },
    )
  }

  #warn({ calls, limits, plan, org, warned, ...use }: OrgUse): void {
    for (const [period, used, limit] of [
      [use.day, calls.day, limits.calls_per_day],
      [use.month, calls.month, limits.calls_per_month],
    ] as const) {
      if (limit !== undefined && used >= Math.ceil(limit * warnAt))
        this.#raise('plan-warning', { org, warned }, period, { plan, used, limit })
    }
  }

  /** Once for each period. */
  #raise(
    rule: 'plan-warning' | 'plan-exceeded',
    { org, warned }: Pick<OrgUse, 'org' | 'warned'>,
    period: string,
    detail: Record<string, string | number>,
  ): void {
    if (warned.has(`${rule} ${period}`)) return
    warned.add(`${rule} ${period}`)
    if (!this.#statements.told.get(org, rule, period))
      this.#findings.raise({ rule, org, subject: period, detail })
  }
}

function share(used: number, limit: number | undefined): Share {
  return limit === undefined ? { used } : { used, limit, left: Math.max(0, limit - used) }
}

function isNear({ calls, limits }: OrgUse): boolean {
  return (
    calls.day >= Math.ceil((limits.calls_per_day ?? Infinity) * warnAt) ||
    calls.month >= Math.ceil((limits.calls_per_month ?? Infinity) * warnAt)
  )
}

function monthOf(day: string): string {
  return day.slice(0, 7)
}

function monthEnd({ day, zone }: OrgUse): number {
  return minuteOfDay(`${monthOf(addDays(`${monthOf(day)}-28`, 4))}-01`, 0, zone)
}

/** Inside the job of the writer that adds a person or lets one in again. @throws Refusal plan_exceeded */
export function checkMembers(
  db: Database.Database,
  org: string,
  { plans, default_plan }: Pick<Settings, 'plans' | 'default_plan'>,
): void {
  const given = db.prepare('SELECT plan FROM org_plans WHERE org_id = ?').pluck().get(org) as
    | string
    | undefined
  const plan = given !== undefined && Object.hasOwn(plans, given) ? given : default_plan
  const limit = plans[plan]!.members
  if (limit === undefined) return
  const members = db.prepare(membersQuery).pluck().get(org) as number
  if (members < limit) return
  throw new Refusal(
    'plan_exceeded',
    `The plan "${plan}" of this organization allows ${limit} people; there are ${members}.`,
    {
      hint: 'Deactivate someone, or assign another plan with `workspace orgs plan`.',
      context: { plan, limit },
    },
  )
}

/** Plans that organizations were given and the settings do not name: those have the default plan. */
export function plansNotNamed(db: Database.Database, plans: Plans): string[] {
  const given = db
    .prepare('SELECT DISTINCT plan FROM org_plans ORDER BY plan')
    .pluck()
    .all() as string[]
  return given.filter((plan) => !Object.hasOwn(plans, plan))
}

/** Gives an organization a plan; a server takes it up within a second. @throws Refusal invalid_argument where there is no such plan */
export async function setPlan(
  store: Store,
  clock: Clock,
  plans: Plans,
  { org, plan }: { org: Id<'orgs'>; plan: string },
): Promise<void> {
  if (!Object.hasOwn(plans, plan))
    throw invalid(
      'plan',
      `unknown plan ${JSON.stringify(plan)}.`,
      `Known: ${Object.keys(plans).join(', ')} (--plans, WORKSPACE_PLANS).`,
    )
  await store.writer.run(async () => {
    const now = clock.now()
    store.raw.write
      .prepare(
        'INSERT INTO org_plans (org_id, plan, set_at) VALUES (?, ?, ?) ON CONFLICT (org_id) DO UPDATE SET plan = excluded.plan, set_at = excluded.set_at',
      )
      .run(org, plan, now)
    await recordForEach(
      store,
      {
        tool: 'set_plan',
        route: 'workspace orgs plan',
        kind: 'write',
        via: 'cli',
        at: now,
        items: [],
        arguments: { plan },
      },
      org,
    )
  })
}
