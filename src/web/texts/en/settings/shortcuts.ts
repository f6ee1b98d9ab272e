/** Keys of commands in the settings. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  about: 'Give commands the keys that suit you. They hold in all of your browsers.',
  letters: 'Letters alone',
  commands: 'Commands',
  find: 'Find a command',
  nothing: 'No command has these words.',
  change: 'Change…',
  changeOf: (command: string) => `Change the keys of “${command}”`,
  none: 'none',
  own: 'yours',
  follows: (command: string) => `as “${command}”`,
  fixed: 'always the same',
  resetAll: 'Reset all',
  resetAllTitle: 'Reset all keys?',
  resetAllText: (count: number) =>
    count === 1
      ? 'The command whose keys you changed gets those of the app again.'
      : `The ${count} commands whose keys you changed get those of the app again.`,
  resetDone: 'All commands have the keys of the app.',
  dialog: {
    press: 'Press the new keys',
    pressAbout:
      'One key or combination, or two letters after each other. Backspace empties, Escape leaves.',
    now: 'Keys now',
    without: 'It has no keys; it is in the command menu.',
    remove: (keys: string) => `Remove ${keys}`,
    instead: (keys: string) => `Use instead of ${keys}`,
    add: 'Add',
    take: (command: string) => `Take it from “${command}”`,
    takeInstead: (keys: string, command: string) => `Instead of ${keys}, taken from “${command}”`,
    swap: (first: string, second: string) => `Swap ${first} and ${second}`,
    reset: 'Reset',
    saved: (command: string) => `The keys of “${command}” were changed.`,
    tooMany: 'A command has at most 4 keys: remove one, or use these instead of one.',
    lastOfMenu: 'The command menu leads to everything else, so it keeps a key.',
  },
  problems: {
    browser: (keys: string) => `${keys} belongs to the browser.`,
    system: (keys: string) => `${keys} belongs to the operating system.`,
    text: (keys: string) => `${keys} edits text in every field.`,
    movement: (keys: string) => `${keys} leads through every page.`,
    reader: (keys: string) => `${keys} belongs to screen readers.`,
    typing: (keys: string) =>
      `This command works in texts as well, where ${keys} would be typed. Hold Ctrl or Alt.`,
    same: (keys: string) => `It has ${keys} already.`,
    taken: (keys: string, commands: readonly string[]) =>
      `${keys} is: ${commands.map((command) => `“${command}”`).join(', ')}.`,
    keeps: 'It cannot be given away.',
    beginning: (keys: string, other: string, command: string) =>
      `${keys} cannot be told apart from ${other}, “${command}”.`,
  },
}
