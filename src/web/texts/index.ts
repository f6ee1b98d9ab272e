import { app } from './en/app.ts'
import { chat } from './en/chat.ts'
import { keys } from './en/commands.ts'
import { enter } from './en/settings/enter.ts'
import { home } from './en/home.ts'
import { items } from './en/items.ts'
import { planning } from './en/plans.ts'
import { security } from './en/settings/security.ts'
import { tasks } from './en/tasks.ts'

/** Texts used across the app; larger areas import theirs directly. A translation is an object of the same type. */
const english = { app, chat, enter, home, items, keys, planning, security, tasks }
export type Texts = typeof english

export const t: Texts = english
