import { keyText } from '../../../keys/key-text.ts'
import { count } from '../count.ts'

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
    later: (subject: string, time: string) => `${subject} comes back ${time}`,
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
  compose: {
    kinds: { new: 'New mail', reply: 'Your reply', forward: 'Forward' },
    to: 'To',
    cc: 'Cc',
    bcc: 'Bcc',
    subject: 'Subject',
    body: 'Text of the mail',
    note: 'A note above the forwarded message',
    send: 'Send',
    attach: 'Attach files',
    template: 'Insert a template',
    uploading: 'is being uploaded…',
    discard: 'Discard the draft',
    leaveOutFiles: 'Leave out the files that came with it',
    close: 'Close, and keep the draft',
    takeOut: (name: string) => `Take out ${name}`,
    states: {
      same: '',
      saving: 'Saving…',
      saved: 'Saved as a draft',
      kept: 'Kept in this browser until there is a connection',
    },
    problems: {
      recipient: 'Say who gets it.',
      address: (text: string) => `“${text}” is not an email address.`,
      body: 'Write something.',
      uploading: 'Wait until the files are uploaded.',
      open: (variable: string) => `${variable} is still open. Send again to send it like this.`,
    },
    said: { sending: (subject: string) => `Sending: ${subject}` },
    draft: 'Draft',
    draftTo: (recipients: string) => (recipients === '' ? 'no recipients yet' : `to ${recipients}`),
    editDraft: 'Continue',
    by: (key: string) => `Written by ${key}.`,
    read: (titles: string, more: number) =>
      `It had read ${titles}${more > 0 ? ` and ${more} more` : ''}.`,
    readNothing: 'It had read nothing in the hour before.',
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
      get text() {
        return `Press ${keyText('mail.later')} on a conversation to have it come back when you need it.`
      },
    },
  },
}
