import { chat } from './chat.ts'
import { goals } from './goals.ts'
import { meetings } from './meetings.ts'
import { notifications } from './notifications.ts'
import { pages } from './pages.ts'
import type { Ids, Make, Planter } from './planter.ts'
import { pulses } from './pulses.ts'
import { time } from './time.ts'

/** In the order in which they are planted. */
export const planters: readonly Planter[] = [chat, pages, meetings, pulses, goals, time, notifications]

/** Plants everything of the modules beside what is there. */
export async function plantModules(make: Make, say: (what: string) => string, around: Ids): Promise<Ids> {
  const ids = { ...around }
  for (const planter of planters) for (const [type, some] of Object.entries(await planter.plant(make, say, ids))) ids[type] = [...(ids[type] ?? []), ...some]
  return ids
}
