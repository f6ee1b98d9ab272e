import { count } from './count.ts'

/** The mail screen. */
export const mailbox = {
  title: 'Mail',
  which: 'Which conversations',
  splits: {
    reply: 'Needs reply',
    unread: 'Unread',
    other: 'Other',
    waiting: 'Waiting',
    later: 'Later',
  },
  count: (n: number) => count(n, 'conversation', 'conversations'),
  pane: 'The conversation',
  back: 'Back to the list',
  open: 'Open the page of the conversation',
  noSubject: '(no subject)',
  unread: 'Unread',
  messages: (n: number) => count(n, 'message', 'messages'),
  hasDraft: 'Draft',
  since: 'since',
  untilReply: 'on reply',
  outside: (address: string) => `From outside: ${address}`,
  settings: 'Open connected accounts',
  said: {
    archived: (subject: string) => `Archived: ${subject}`,
    trashed: (subject: string) => `Moved to the trash: ${subject}`,
    later: (subject: string, when: string) => `${subject} comes back ${when}`,
    back: (subject: string) => `Back in the inbox: ${subject}`,
    read: (subject: string) => `Marked as read: ${subject}`,
    unread: (subject: string) => `Marked as unread: ${subject}`,
  },
  hints: {
    'mail.archive': 'archive',
    'mail.later': 'later',
    'mail.read': 'read',
    'app.undo': 'undo',
  },
  noAccount: {
    title: 'No mail account is connected',
    text: 'Connect your mailbox, and read, sort and answer your mail here. Only you see it.',
  },
  empty: {
    reply: {
      title: 'No one waits for your reply',
      text: 'Conversations whose last message asks you for an answer stand here.',
    },
    unread: {
      title: 'No unread mail',
      text: 'New mail that needs no reply, such as newsletters and receipts, arrives here.',
    },
    other: {
      title: 'The rest of the inbox is empty',
      text: 'What you have read and not archived stays here.',
    },
    waiting: {
      title: 'No one owes you a reply',
      text: 'Conversations stand here while your question in them is unanswered, the longest first.',
    },
    later: {
      title: 'Nothing put off',
      text: 'Press H on a conversation to have it come back when you need it.',
    },
  },
}
