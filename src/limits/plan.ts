import { recordForEachOrg } from '../audit/act.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Id } from '../kernel/ids.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../config/settings.ts'
import type { Connection, SqlText } from '../db/connection.ts'
import type { Store } from '../db/open.ts'
import { addDays, dayAt, iso, instantOfMinute } from '../kernel/time/times.ts'
import type { AbuseFindings } from './findings.ts'
import { unlimited, type Plan, type Plans } from '../config/plans.ts'
import {
  countCall,
  wasReported,
  membersQuery,
  planQuery,
  storageQuery,
  sumOfDays,
} from './usage.ts'

/** Milliseconds for which a cached plan and time zone are trusted: another process may change them. */
const cacheLifetime = 1000
const warningShare = 0.8

/** A counted call and its day. */
export interface MeteredCall {
  use: OrgUse
  day: string
}

/** Usage of an organization under its plan; calls in progress count as used. */
interface OrgUse {
  org: Id<'orgs'>
  plan: string
  limits: Plan
  zone: string
  /** When plan and zone were read, on the monotonic clock. */
  readAt: number
  day: string
  dayEndsAt: number
  month: string
  calls: { day: number; month: number }
  /** Rules with the days and months already notified. */
  reported: Set<string>
}

/** Usage of an organization under its plan, as presented in answers. */
export interface PlanUse {
  plan: string
  /** Figures of the whole organization: included only if the plan limits them, because they reveal what others do. */
  calls_today?: number
  calls_per_day?: number
  calls_this_month?: number
  calls_per_month?: number
  /** Milliseconds since 1970. */
  day_ends_at: number
  month_ends_at: number
  /** Whether the calls of the day or of the month are 80 % used. */
  warning: boolean
}

/** Amount used and the plan's limit; `limit` is absent if there is none. */
interface LimitUsage {
  used: number
  limit?: number
  left?: number
}

/** All limits of a plan and their use, for administrators. */
export interface PlanStanding {
  name: string
  calls_today: LimitUsage
  calls_this_month: LimitUsage
  people: LimitUsage
  storage_bytes: LimitUsage
  day_ends_at: string
  month_ends_at: string
}

/**
 * Counts calls against the plan of each organization. A call is counted when it begins, so that exactly as many are
 * served as the plan allows even if many begin at once; uncounted if it fails; and stored in the transaction of its
 * call log entry.
 */
export class PlanMeter {
  readonly #plans: Plans
  readonly #default: string
  readonly #clock: Clock
  readonly #findings: AbuseFindings
  readonly #committed: SqlText
  readonly #write: SqlText
  readonly #orgs = new Map<string, OrgUse>()
  /** Reads in progress, by organization; shared by concurrent callers. */
  readonly #reading = new Map<string, Promise<OrgUse>>()

  constructor(
    { plans, default_plan }: Settings,
    clock: Clock,
    findings: AbuseFindings,
    { committed, write }: Pick<Store, 'committed' | 'write'>,
  ) {
    this.#plans = plans
    this.#default = default_plan
    this.#clock = clock
    this.#findings = findings
    this.#committed = committed
    this.#write = write
  }

  /** Counts a call that begins. @throws Refusal plan_exceeded */
  async begin({ org_id }: Actor, now: number): Promise<MeteredCall> {
    const use = await this.#useOf(org_id, now)
    const { calls, limits } = use
    if (calls.day >= (limits.calls_per_day ?? Infinity))
      throw await this.#exceeded(use, 'day', limits.calls_per_day!, now)
    if (calls.month >= (limits.calls_per_month ?? Infinity))
      throw await this.#exceeded(use, 'month', limits.calls_per_month!, now)
    calls.day++
    calls.month++
    if (isNearLimit(use)) await this.#warn(use)
    return { use, day: use.day }
  }

  /** Uncounts a call that was not served. */
  uncount({ use, day }: MeteredCall): void {
    if (use.day === day) use.calls.day--
    if (use.month === monthOf(day)) use.calls.month--
  }

  /** Stores a served call, inside the writer job that logs it. */
  async count({ use, day }: MeteredCall, actor: Actor): Promise<void> {
    await this.#write.run(countCall, use.org, day, actor.id, actor.key?.id ?? '')
  }

  /** Called after files were added, in their transaction. @throws Refusal storage_full */
  async checkStorage(org: Id<'orgs'>, now: number): Promise<void> {
    const { plan, limits } = await this.#useOf(org, now)
    if (limits.storage_bytes === undefined) return
    const used = await this.#used(storageQuery, org)
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

  async useOf(org: Id<'orgs'>, now: number): Promise<PlanUse> {
    const use = await this.#useOf(org, now)
    const { calls_per_day, calls_per_month } = use.limits
    return {
      plan: use.plan,
      ...(calls_per_day === undefined ? {} : { calls_today: use.calls.day, calls_per_day }),
      ...(calls_per_month === undefined
        ? {}
        : { calls_this_month: use.calls.month, calls_per_month }),
      day_ends_at: use.dayEndsAt,
      month_ends_at: monthEnd(use),
      warning: isNearLimit(use),
    }
  }

  async usageReport(org: Id<'orgs'>, now: number): Promise<PlanStanding> {
    const use = await this.#useOf(org, now)
    const { plan, limits, calls } = use
    return {
      name: plan,
      calls_today: share(calls.day, limits.calls_per_day),
      calls_this_month: share(calls.month, limits.calls_per_month),
      people: share(await this.#used(membersQuery, org), limits.members),
      storage_bytes: share(await this.#used(storageQuery, org), limits.storage_bytes),
      day_ends_at: iso(use.dayEndsAt),
      month_ends_at: iso(monthEnd(use)),
    }
  }

  async #used(query: string, org: Id<'orgs'>): Promise<number> {
    return (await this.#committed.one<{ used: number }>(query, org))?.used ?? 0
  }

  async #useOf(org: Id<'orgs'>, now: number): Promise<OrgUse> {
    const cached = this.#orgs.get(org)
    if (cached && this.#clock.monotonic() - cached.readAt < cacheLifetime && isInDay(cached, now))
      return cached
    let reading = this.#reading.get(org)
    if (!reading) {
      reading = this.#read(org, now, cached).finally(() => this.#reading.delete(org))
      this.#reading.set(org, reading)
    }
    return reading
  }

  async #read(org: Id<'orgs'>, now: number, previousUse: OrgUse | undefined): Promise<OrgUse> {
    const { zone, plan: planName } = (await this.#committed.one<{
      zone: string
      plan: string | null
    }>(planQuery, org)) ?? { zone: 'UTC', plan: null }
    const plan =
      planName !== null && Object.hasOwn(this.#plans, planName) ? planName : this.#default
    const use: OrgUse = previousUse ?? {
      org,
      plan,
      limits: unlimited,
      zone,
      readAt: 0,
      day: '',
      dayEndsAt: 0,
      month: '',
      calls: { day: 0, month: 0 },
      reported: new Set(),
    }
    if (use.zone !== zone) use.dayEndsAt = 0
    Object.assign(use, { plan, limits: this.#plans[plan]!, zone, readAt: this.#clock.monotonic() })
    if (!isInDay(use, now)) await this.#startDay(use, now)
    this.#orgs.set(org, use)
    return use
  }

  /** Starts a new day with the stored counts. Running calls still count if it is the same month. */
  async #startDay(use: OrgUse, now: number): Promise<void> {
    const day = dayAt(now, use.zone)
    const month = monthOf(day)
    const dayEndsAt = instantOfMinute(day, 1440, use.zone)
    if (day !== use.day) {
      const callsOfDay = await this.#sum(use.org, day, day)
      if (month !== use.month)
        use.calls.month = await this.#sum(use.org, `${month}-01`, `${month}-31`)
      use.calls.day = callsOfDay
    }
    Object.assign(use, { day, month, dayEndsAt })
  }

  async #sum(org: Id<'orgs'>, from: string, to: string): Promise<number> {
    return (await this.#committed.one<{ calls: number }>(sumOfDays, org, from, to))?.calls ?? 0
  }

  async #exceeded(
    use: OrgUse,
    period: 'day' | 'month',
    limit: number,
    now: number,
  ): Promise<Refusal> {
    const endsAt = period === 'day' ? use.dayEndsAt : monthEnd(use)
    await this.#raise('plan-exceeded', use, use[period], { plan: use.plan, limit })
    return new Refusal(
      'plan_exceeded',
      `The plan "${use.plan}" of this organization allows ${limit} calls per ${period}, and all are used.`,
      {
        hint: `The next ${period} begins at ${iso(endsAt)}. The operator can assign another plan.`,
        retry_after_seconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
        context: {
          plan: use.plan,
          period,
          limit,
          resets_at: iso(endsAt),
          'violated-policies': [`plan-${period}`],
        },
      },
    )
  }

  async #warn({ calls, limits, plan, org, reported, ...use }: OrgUse): Promise<void> {
    for (const [period, used, limit] of [
      [use.day, calls.day, limits.calls_per_day],
      [use.month, calls.month, limits.calls_per_month],
    ] as const) {
      if (limit !== undefined && used >= Math.ceil(limit * warningShare))
        await this.#raise('plan-warning', { org, reported }, period, { plan, used, limit })
    }
  }

  /** Notifies once per period. */
  async #raise(
    rule: 'plan-warning' | 'plan-exceeded',
    { org, reported }: Pick<OrgUse, 'org' | 'reported'>,
    period: string,
    detail: Record<string, string | number>,
  ): Promise<void> {
    if (reported.has(`${rule} ${period}`)) return
    reported.add(`${rule} ${period}`)
    if (!(await this.#committed.one(wasReported, org, rule, period)))
      this.#findings.raise({ rule, org, subject: period, detail })
  }
}

function share(used: number, limit: number | undefined): LimitUsage {
  return limit === undefined ? { used } : { used, limit, left: Math.max(0, limit - used) }
}

/** Whether a moment is in the counted day; a clock may be set back. */
function isInDay({ dayEndsAt }: OrgUse, now: number): boolean {
  return now < dayEndsAt && now >= dayEndsAt - 26 * 3600_000
}

function isNearLimit({ calls, limits }: OrgUse): boolean {
  return (
    calls.day >= Math.ceil((limits.calls_per_day ?? Infinity) * warningShare) ||
    calls.month >= Math.ceil((limits.calls_per_month ?? Infinity) * warningShare)
  )
}

function monthOf(day: string): string {
  return day.slice(0, 7)
}

function monthEnd({ day, zone }: OrgUse): number {
  return instantOfMinute(`${monthOf(addDays(`${monthOf(day)}-28`, 4))}-01`, 0, zone)
}

/** Inside the writer job that adds or reactivates a person. @throws Refusal plan_exceeded */
export async function checkMembers(
  db: Connection,
  org: string,
  { plans, default_plan }: Pick<Settings, 'plans' | 'default_plan'>,
): Promise<void> {
  const assignedPlan = (
    await db.one<{ plan: string }>('SELECT plan FROM org_plans WHERE org_id = ?', org)
  )?.plan
  const plan =
    assignedPlan !== undefined && Object.hasOwn(plans, assignedPlan) ? assignedPlan : default_plan
  const limit = plans[plan]!.members
  if (limit === undefined) return
  const members = (await db.one<{ used: number }>(membersQuery, org))?.used ?? 0
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

/** Assigned plans missing in the settings: their organizations have the default plan. */
export async function unknownAssignedPlans(db: Connection, plans: Plans): Promise<string[]> {
  const assignedPlans = await db.all<{ plan: string }>(
    'SELECT DISTINCT plan FROM org_plans ORDER BY plan',
  )
  return assignedPlans.map(({ plan }) => plan).filter((plan) => !Object.hasOwn(plans, plan))
}

/**
 * Assigns a plan to an organization; a server applies it within a second. @throws Refusal invalid_argument if there
 * is no such plan
 */
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
    await store.write.run(
      'INSERT INTO org_plans (org_id, plan, set_at) VALUES (?, ?, ?) ON CONFLICT (org_id) DO UPDATE SET plan = excluded.plan, set_at = excluded.set_at',
      ...[org, plan, now],
    )
    await recordForEachOrg(
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
