/** Where a command can be used. Commands of `everywhere` are there in all other places, too. */
type Place = 'everywhere' | 'tasks' | 'task' | 'activity'

export interface KeyBinding {
  /** Any of these. `g d` is one after the other; `mod` is Ctrl, on a Mac ⌘. */
  keys: readonly string[]
  where: Place
  /** Works in a text field and in a dialog as well. */
  whileTyping?: true
}

const bind = (where: Place, ...keys: string[]): KeyBinding => ({ keys, where })

/** Every command of the app with its keys: the handler, the command menu, menus of rows and the help read this alone. */
const keymap = {
  'app.palette': { keys: ['mod+k'], where: 'everywhere', whileTyping: true },
  'app.find': bind('everywhere', '/'),
  'app.help': bind('everywhere', '?'),
  'app.theme': bind('everywhere', 't t'),
  'app.sidebar': bind('everywhere', '['),
  'app.signOut': bind('everywhere'),

  'go.home': bind('everywhere', 'g h'),
  'go.search': bind('everywhere', 'g /'),
  'go.activity': bind('everywhere', 'g a'),
  'go.approvals': bind('everywhere', 'g w'),
  'go.keys': bind('everywhere', 'g k'),
  'go.accounts': bind('everywhere', 'g c'),
  'go.settings': bind('everywhere', 'g s'),

  'activity.next': bind('activity', 'j'),
  'activity.previous': bind('activity', 'k'),
  'activity.undo': bind('activity', 'u'),
  'activity.close': bind('activity', 'Escape'),
} as const satisfies Record<string, KeyBinding>

export type CommandId = keyof typeof keymap

export const commandIds = Object.keys(keymap) as CommandId[]

export const bindingOf = (id: CommandId): KeyBinding => keymap[id]

/** The part of an id before its dot: commands are grouped by it. */
export type CommandGroup = CommandId extends `${infer Group}.${string}` ? Group : never

export const groupOf = (id: CommandId) => id.slice(0, id.indexOf('.')) as CommandGroup
