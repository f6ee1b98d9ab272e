import { keyText } from '../../keys/key-text.ts'
import { count } from './count.ts'

export const inbox = {
  title: 'Inbox',
  which: 'Which entries',
  tabs: { inbox: 'New', later: 'Later', done: 'Done' },
  count: (n: number) => count(n, 'entry', 'entries'),
  pane: 'The entry',
  reasons: 'Why it is here',
  moreReasons: (n: number) => `and ${n} more`,
  about: 'What it is about',
  back: 'Back to the list',
  open: 'Open the page',
  approval: 'Approval',
  call: 'The call',
  automation: 'An automation',
  asks: (key: string | undefined) =>
    `${key ?? 'An automation triggered from outside'} asks for your approval`,
  decide: 'Decide',
  get decideFirst() {
    const [approve, deny, edit] = [
      keyText('inbox.approve'),
      keyText('inbox.deny'),
      keyText('inbox.takeOver'),
    ]
    return `This call waits for your decision: ${approve} approves it, ${deny} denies it, ${edit} edits its mail.`
  },
  noMute: 'This cannot be muted.',
  later: {
    label: 'Come back…',
    tomorrow: 'Tomorrow morning',
    hour: 'In an hour',
    evening: 'This evening',
    monday: 'Next Monday',
    week: 'In a week',
    month: 'In a month',
  },
  said: {
    done: (title: string) => `Done: ${title}`,
    later: (title: string, time: string) => `${title} comes back ${time}`,
    unread: (title: string) => `Back in the inbox: ${title}`,
    muted: (title: string) => `Muted: ${title}. Mentions and assignments still reach you.`,
  },
  hints: {
    'inbox.done': 'done',
    'inbox.later': 'later',
    'inbox.mute': 'mute',
    'inbox.approve': 'approve',
    'inbox.deny': 'deny with a word',
    'inbox.takeOver': 'edit as draft',
    'app.undo': 'undo',
  },
  empty: {
    inbox: {
      title: 'You’re all caught up',
      text: 'Mentions, assignments, comments, reminders and calls that need your approval arrive here.',
    },
    later: {
      title: 'Nothing put off',
      get text() {
        return `Press ${keyText('inbox.later')} on an entry to have it come back when you need it.`
      },
    },
    done: { title: 'Nothing here yet', text: 'What you mark as done stays here for 90 days.' },
  },
}
