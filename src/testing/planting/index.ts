import type { Store } from '../../db/open.ts'
import { automations } from './automations.ts'
import { calendarPlanter } from './calendar.ts'
import { chat } from './chat.ts'
import { contacts } from './contacts.ts'
import { drive } from './drive.ts'
import { email } from './email.ts'
import { forms } from './forms.ts'
import { goals } from './goals.ts'
import { incidents } from './incidents.ts'
import { knowledge } from './knowledge.ts'
import { meetings } from './meetings.ts'
import { notifications } from './notifications.ts'
import { pages } from './pages.ts'
import type { Ids, Make, Planter } from './planter.ts'
import { pulses } from './pulses.ts'
import { time } from './time.ts'

/** In the order in which they are planted. */
export const planters: readonly Planter[] = [
  drive,
  chat,
  pages,
  meetings,
  pulses,
  goals,
  time,
  notifications,
  incidents,
  contacts,
  forms,
  automations,
  email,
  calendarPlanter,
  knowledge,
]

/** Plants everything of the modules beside what is there. */
export async function plantModules(
  make: Make,
  say: (what: string) => string,
  around: Ids,
  store?: Store,
): Promise<Ids> {
  const ids = { ...around }
  for (const planter of planters)
    for (const [type, some] of Object.entries(await planter.plant(make, say, ids, store)))
      ids[type] = [...(ids[type] ?? []), ...some]
  return ids
}

/** Plants what of the modules is everybody's in the organization. */
export async function plantOpenly(make: Make, say: (what: string) => string): Promise<Ids> {
  const ids: Ids = {}
  for (const planter of planters) Object.assign(ids, await planter.open?.(make, say))
  return ids
}
